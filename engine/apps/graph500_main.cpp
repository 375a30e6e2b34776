// SPDX-License-Identifier: Apache-2.0
// isobath-graph500: one run of the Graph500 benchmark.
#include <utility>

#include "apps/graph500_program.hpp"
#include "apps/launch.hpp"
#include "apps/options.hpp"
#include "apps/result_block.hpp"
#include "apps/run_main.hpp"
#include "base/arena.hpp"

int main(int argc, char** argv) {
  const bool is_speaker = isobath::announced_rank() == 0;
  isobath::CommandLine line;
  const int code = isobath::run_plain(is_speaker, [&] {
    line = isobath::read_command_line(argc, argv);
    if (line.answer && is_speaker) isobath::print_out(*line.answer);
    if (!line.options.huge_pages) isobath::arena::forgo_huge_pages();
    return isobath::ExitCode::done;
  });
  if (code != 0 || line.answer) return code;
  isobath::choose_wait_policy(argv, line.options.threads);
  isobath::Graph500Program program(std::move(line.options), {argv, argv + argc});
  return isobath::run_main(argc, argv, program);
}
