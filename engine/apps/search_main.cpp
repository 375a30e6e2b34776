// SPDX-License-Identifier: Apache-2.0
// isobath-search: searches of the graph of a file.
#include <utility>

#include "apps/launch.hpp"
#include "apps/result_block.hpp"
#include "apps/run_main.hpp"
#include "apps/search_options.hpp"
#include "apps/search_program.hpp"
#include "base/arena.hpp"

int main(int argc, char** argv) {
  const bool is_speaker = isobath::announced_rank() == 0;
  isobath::SearchCommandLine line;
  const int code = isobath::run_plain(is_speaker, [&] {
    line = isobath::read_search_command_line(argc, argv);
    if (line.answer && is_speaker) isobath::print_out(*line.answer);
    if (!line.options.huge_pages) isobath::arena::forgo_huge_pages();
    return isobath::ExitCode::done;
  });
  if (code != 0 || line.answer) return code;
  isobath::choose_wait_policy(argv, line.options.threads);
  isobath::SearchProgram program(std::move(line.options), {argv, argv + argc});
  return isobath::run_main(argc, argv, program);
}
