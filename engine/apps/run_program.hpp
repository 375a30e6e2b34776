// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "apps/command_line.hpp"
#include "apps/launch.hpp"
#include "apps/result_block.hpp"
#include "apps/run_main.hpp"
#include "base/arena.hpp"
#include "base/clock.hpp"
#include "machine/process_facts.hpp"
#include "record/record_writer.hpp"

namespace isobath {

/// A program that is asked for `Options`, and what every one keeps of its launch.
template <class Options>
class ProgramOf : public Program {
 public:
  ProgramOf(Options options, std::vector<std::string> argv)
      : options_(std::move(options)),
        argv_(std::move(argv)),
        started_(now_seconds()),
        started_at_(utc_now()) {}

  /// With one thread, asked for by name, any MPI will do.
  ThreadLevel thread_level() const override {
    return options_.threads == 1 ? ThreadLevel::single : ThreadLevel::funneled;
  }
  std::string heartbeat_file() const override { return options_.heartbeat_file; }
  RecordWriter* records() override { return records_ ? &*records_ : nullptr; }

 protected:
  /// Rank 0's file, where there is to be one. @param what  of a run without a name
  void open_records(const Communicator& world, std::string_view what) {
    if (world.rank() != 0 || options_.record_file.empty()) return;
    records_.emplace(options_.record_file, options_.run_id.empty() ? run_id_of(what) : options_.run_id);
  }

  Options options_;
  std::vector<std::string> argv_;
  double started_;
  std::string started_at_;
  std::optional<RecordWriter> records_;
};

/// What main() of every program with MPI does: reads the command line, answers what needs no ranks, chooses
/// how idle threads wait, and runs `ProgramOfOptions` under MPI. @returns the exit code
template <class ProgramOfOptions, class Options>
int run_program(int argc, char** argv, CommandLine<Options> (*read)(int, const char* const*)) {
  const bool is_speaker = announced_rank() == 0;
  CommandLine<Options> line;
  const int code = run_plain(is_speaker, [&] {
    line = read(argc, argv);
    if (line.answer && is_speaker) print_out(*line.answer);
    if (!line.options.huge_pages) arena::forgo_huge_pages();
    return ExitCode::done;
  });
  if (code != 0 || line.answer) return code;
  if constexpr (Options::is_threaded) choose_wait_policy(argv, line.options.threads);
  ProgramOfOptions program(std::move(line.options), {argv, argv + argc});
  return run_main(argc, argv, program);
}

}  // namespace isobath
