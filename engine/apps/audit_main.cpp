// SPDX-License-Identifier: Apache-2.0
// isobath-audit: what every rank of a search must send, counted by a serial walk. No MPI.
#include <exception>
#include <new>

#include <fmt/format.h>

#include "apps/audit_program.hpp"
#include "base/instruction_set.hpp"

int main(int argc, char** argv) {
  try {
    isobath::require_popcnt();
    const isobath::AuditRequest request = isobath::read_audit_command_line(argc, argv);
    if (request.answer) {
      fmt::print("{}", *request.answer);
    } else {
      isobath::print_audit(request);
    }
    return static_cast<int>(isobath::ExitCode::done);
  } catch (const std::bad_alloc&) {
    fmt::print(stderr, "isobath-audit: the system refused memory; audit a smaller scale\n");
    return static_cast<int>(isobath::ExitCode::environment);
  } catch (const std::exception& error) {
    fmt::print(stderr, "isobath-audit: {}\n", error.what());
    return static_cast<int>(isobath::exit_code_of(error));
  }
}
