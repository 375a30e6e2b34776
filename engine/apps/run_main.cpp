// SPDX-License-Identifier: Apache-2.0
#include "apps/run_main.hpp"

#include <new>
#include <optional>
#include <string>
#include <utility>

#include "apps/say.hpp"
#include "base/clock.hpp"
#include "comm/environment.hpp"
#include "placement/placement.hpp"
#include "record/records.hpp"

namespace isobath {
namespace {

/// What went wrong, for people: memory that was refused says nothing by itself.
std::string sentence_of(const std::exception& error) {
  if (dynamic_cast<const std::bad_alloc*>(&error) != nullptr) {
    return "the system refused memory; use a smaller scale, fewer ranks on a node or more nodes";
  }
  return error.what();
}

/// One launch of a program on this rank.
class Launch {
 public:
  explicit Launch(Program& program) : program_(program) {}

  /// Collective. Runs the program; wrong use, which all ranks have found, is told by one of them.
  ExitCode run_or_explain(Communicator& world) {
    rank_ = world.rank();
    size_ = world.size();
    try {
      vitals_.emplace(program_.heartbeat_file(), world,
                      [this](const std::string& why) { failed(why, ExitCode::environment); });
      const ExitCode code = program_.run(world, *vitals_);
      vitals_->heartbeat().call_begins("MPI_Finalize");
      return code;
    } catch (const UsageError& error) {
      return told_once(error);
    } catch (const PlacementError& error) {
      return told_once(error);
    }
  }

  /// What all ranks have found alike.
  ExitCode told_once(const Error& error) {
    if (rank_ == 0) failed(error.what(), error.code());
    return error.code();
  }

  bool has_begun() const { return rank_ >= 0; }

  /// Says it and leaves a failure record, where this rank has a file for it.
  void failed(const std::string& sentence, ExitCode code) {
    say("isobath: rank {} of {}: {}", rank_, size_, sentence);
    RecordWriter* const records = program_.records();
    if (records == nullptr) return;
    FailureRecord failure;
    failure.phase = name_of(Phase::start);
    failure.rank = rank_;
    if (vitals_) {
      const HeartbeatState state = vitals_->heartbeat().state();
      failure.phase = state.phase;
      if (!state.last_call.empty()) failure.last_call = state.last_call;
    }
    failure.elapsed_seconds = now_seconds() - started_;
    failure.message = sentence;
    failure.exit_code = static_cast<int>(code);
    try {
      records->write(failure);
    } catch (const std::exception& second) {  // often the records are what failed
      say("isobath: no failure record: {}", second.what());
    }
  }

 private:
  Program& program_;
  double started_ = now_seconds();
  int rank_ = -1;
  int size_ = 0;
  std::optional<Vitals> vitals_;
};

}  // namespace

Vitals::Vitals(const std::string& file, Communicator& world, std::function<void(const std::string&)> hangs)
    : heartbeat_(file, world.rank(), world.size()),
      watcher_(heartbeat_),
      stop_(heartbeat_, stop_seconds(), std::move(hangs)) {
  world.watch(&watcher_);
}

Program::~Program() = default;

ExitCode stopped_early(const Communicator& comm, std::size_t measured, std::size_t cells) {
  if (comm.rank() == 0) say("isobath: stopped on request after {} of {} cells", measured, cells);
  return ExitCode::environment;
}

int report(const std::exception& error) {
  say("isobath: {}", sentence_of(error));
  return static_cast<int>(exit_code_of(error));
}

int run_main(int argc, char** argv, Program& program) {
  Launch launch(program);  // outlives MPI
  try {
    const MpiEnvironment environment(&argc, &argv, program.thread_level());
    Communicator world = environment.world();
    return static_cast<int>(launch.run_or_explain(world));
  } catch (const std::exception& error) {
    const ExitCode code = exit_code_of(error);
    if (launch.has_begun()) {
      launch.failed(sentence_of(error), code);
    } else {
      report(error);
    }
    abort_all_ranks(code);
  }
}

}  // namespace isobath
