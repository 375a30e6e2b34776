// SPDX-License-Identifier: Apache-2.0
// isobath-graph500-smpi: the same run on ranks that SimGrid simulates, each of one thread (ADR 0040).
#include <stdexcept>

#include "apps/graph500_program.hpp"
#include "base/computation.hpp"
#include "base/error.hpp"
#include "skeleton/message_costs.hpp"

namespace isobath {
namespace {

CommandLine<Options> read_simulated_command_line(int argc, const char* const* argv) {
  CommandLine<Options> line = read_command_line(argc, argv);
  if (line.options.threads.value_or(1) != 1) {
    throw UsageError("a simulated rank has one thread; leave --threads out");
  }
  if (line.options.official) throw UsageError("a simulated run is not official; leave --official out");
  line.options.threads = 1;
  simulated_arc_seconds();  // read again where it is used; refused here, before any work
  try {
    skeleton::take_message_costs();
  } catch (const std::runtime_error& problem) {
    throw UsageError(problem.what());
  }
  return line;
}

}  // namespace
}  // namespace isobath

int main(int argc, char** argv) {
  return isobath::run_program<isobath::Graph500Program>(argc, argv, isobath::read_simulated_command_line);
}
