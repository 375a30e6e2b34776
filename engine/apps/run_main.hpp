// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <exception>
#include <functional>
#include <string>

#include "apps/stop_request.hpp"
#include "base/error.hpp"
#include "base/instruction_set.hpp"
#include "comm/communicator.hpp"
#include "comm/environment.hpp"
#include "comm/ledger/waiting.hpp"
#include "record/heartbeat.hpp"
#include "record/record_writer.hpp"

namespace isobath {

/// Shows on the heartbeat page which MPI call this rank is in, or made last, and that calls come to their
/// end.
class HeartbeatWatcher final : public CallWatcher {
 public:
  explicit HeartbeatWatcher(Heartbeat& heartbeat) : heartbeat_(heartbeat) {}

  void entered(const char* call) noexcept override { heartbeat_.call_begins(call); }
  void rests() noexcept override { heartbeat_.rests(); }
  void completed() noexcept override { heartbeat_.progressed(); }
  void left(bool is_complete) noexcept override { heartbeat_.call_ends(is_complete); }

 private:
  Heartbeat& heartbeat_;
};

/// What every program with MPI shows of itself while it runs, and how it hears that it shall stop.
class Vitals {
 public:
  /// From now on calls of `world` and of what is made from it show on the heartbeat.
  /// @param file  of the heartbeat; empty: in memory
  /// @param hangs  told why this rank ends itself, by another thread
  /// @throws UsageError, EnvironmentError
  Vitals(const std::string& file, Communicator& world, std::function<void(const std::string&)> hangs);

  Heartbeat& heartbeat() { return heartbeat_; }
  /// By a signal or in the heartbeat file; ranks need not agree yet.
  bool stop_requested() const { return stop_.came() || heartbeat_.stop_requested(); }

 private:
  Heartbeat heartbeat_;
  HeartbeatWatcher watcher_;
  StopRequest stop_;
};

/// What a program with MPI does between its start and its end.
class Program {
 public:
  Program() = default;
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;
  virtual ~Program();

  /// What MPI is asked for.
  virtual ThreadLevel thread_level() const { return ThreadLevel::funneled; }
  /// File in which every rank shows what it does; empty: none.
  virtual std::string heartbeat_file() const { return {}; }
  /// Collective. A UsageError or a PlacementError is thrown by all ranks alike or by none.
  virtual ExitCode run(Communicator& world, Vitals& vitals) = 0;
  /// Where this rank writes records, which get the reason when it ends early; nullptr: nowhere.
  virtual RecordWriter* records() { return nullptr; }
};

/// Runs a program under MPI and turns what happens into an exit code (docs/reference/exit-codes.md). An
/// exception is printed as "isobath: rank 0 of 2: sentence". Wrong use, which every rank finds alike, is
/// printed once and all ranks leave; after anything else all ranks are ended at once, because the others may
/// be inside a collective. A rank that hangs and is asked to stop ends itself (StopRequest), also inside
/// MPI_Finalize.
int run_main(int argc, char** argv, Program& program);

/// What a benchmark ends with that was asked to stop between its cells; one rank says so.
ExitCode stopped_early(const Communicator& comm, std::size_t measured, std::size_t cells);

/// Prints "isobath: sentence" on standard error and returns the exit code.
int report(const std::exception& error);

/// The same for what comes before MPI and for programs without it: `body` returns an ExitCode. Only a speaker
/// prints. A processor that this build is not for is refused here.
template <class Body>
int run_plain(bool is_speaker, Body&& body) {
  try {
    require_popcnt();
    return static_cast<int>(body());
  } catch (const std::exception& error) {
    return is_speaker ? report(error) : static_cast<int>(exit_code_of(error));
  }
}

}  // namespace isobath
