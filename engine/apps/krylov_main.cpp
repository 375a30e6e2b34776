// SPDX-License-Identifier: Apache-2.0
// isobath-krylov: conjugate gradients, plain and pipelined.
#include <utility>

#include "apps/krylov_options.hpp"
#include "apps/krylov_program.hpp"
#include "apps/launch.hpp"
#include "apps/result_block.hpp"
#include "apps/run_main.hpp"

int main(int argc, char** argv) {
  const bool is_speaker = isobath::announced_rank() == 0;
  isobath::KrylovCommandLine line;
  const int code = isobath::run_plain(is_speaker, [&] {
    line = isobath::read_krylov_command_line(argc, argv);
    if (line.answer && is_speaker) isobath::print_out(*line.answer);
    return isobath::ExitCode::done;
  });
  if (code != 0 || line.answer) return code;
  isobath::choose_wait_policy(argv, line.options.threads);
  isobath::KrylovProgram program(std::move(line.options), {argv, argv + argc});
  return isobath::run_main(argc, argv, program);
}
