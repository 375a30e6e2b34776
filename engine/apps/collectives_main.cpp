// SPDX-License-Identifier: Apache-2.0
// isobath-collectives: what the collectives of an MPI library cost.
#include <utility>

#include "apps/collectives_program.hpp"
#include "apps/launch.hpp"
#include "apps/result_block.hpp"
#include "apps/run_main.hpp"

int main(int argc, char** argv) {
  const bool is_speaker = isobath::announced_rank() == 0;
  isobath::CollectivesOptions options;
  const int code = isobath::run_plain(is_speaker, [&] {
    options = isobath::read_collectives_command_line(argc, argv);
    if (options.answer && is_speaker) isobath::print_out(*options.answer);
    return isobath::ExitCode::done;
  });
  if (code != 0 || options.answer) return code;
  isobath::CollectivesProgram program(std::move(options), {argv, argv + argc});
  return isobath::run_main(argc, argv, program);
}
