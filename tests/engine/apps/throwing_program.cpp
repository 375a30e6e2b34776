// SPDX-License-Identifier: Apache-2.0
// throwing_program KIND RANK: that rank throws, the others wait in a barrier. KIND usage is thrown by all.
// KIND hang: it never comes to the barrier. KIND busy: all make progress until they are asked to stop, and
// two seconds more. KIND workers: the last rank aggregates, and all others throw wrong use.
#include <unistd.h>

#include <chrono>
#include <new>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>

#include "apps/run_main.hpp"
#include "apps/say.hpp"
#include "apps/worker_program.hpp"
#include "base/clock.hpp"

namespace {

class Throwing final : public isobath::Program {
 public:
  Throwing(std::string kind, int rank) : kind_(std::move(kind)), rank_(rank) {}

  isobath::ExitCode run(isobath::Communicator& world, isobath::Vitals& vitals) override {
    using namespace isobath;
    if (kind_ == "usage") throw UsageError("this makes no sense");
    world.barrier();
    if (world.rank() == 0) say("ready");
    if (kind_ == "busy") return busy(vitals);
    if (world.rank() == rank_) {
      if (kind_ == "hang") {
        while (true) pause();
      }
      if (kind_ == "environment") throw EnvironmentError("the disk is gone");
      if (kind_ == "internal") throw InternalError("one and one is three");
      if (kind_ == "refused") throw RefusedError("this would not fit");
      if (kind_ == "timeout") throw Error(ExitCode::timeout, "nobody came");
      if (kind_ == "memory") throw std::bad_alloc();
      if (kind_ == "foreign") throw std::runtime_error("somebody else's words");
    }
    world.barrier();
    return kind_ == "violations" ? ExitCode::violations : ExitCode::done;
  }

 private:
  static isobath::ExitCode busy(isobath::Vitals& vitals) {
    for (double end = 0; end == 0 || isobath::now_seconds() < end;) {
      vitals.heartbeat().cell("something else");
      if (end == 0 && vitals.stop_requested()) end = isobath::now_seconds() + 2;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return isobath::ExitCode::violations;
  }

  std::string kind_;
  int rank_;
};

class ThrowingWorkers final : public isobath::WorkerProgram<isobath::WorkerOptions> {
 public:
  using WorkerProgram::WorkerProgram;

 private:
  isobath::WorkerBenchmark benchmark() const override { return {.name = "workers", .wrong = "contents"}; }
  isobath::Cells measure(isobath::WorkerTeam& team, isobath::Vitals& /*vitals*/) override {
    throw isobath::UsageError(fmt::format("{} workers cannot do this", team.comm().size()));
  }
};

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1 && std::string_view(argv[1]) == "workers") {
    isobath::WorkerOptions options;
    options.aggregators = 1;
    ThrowingWorkers workers(options, {});
    return isobath::run_main(argc, argv, workers);
  }
  Throwing program(argc > 1 ? argv[1] : "", argc > 2 ? std::stoi(argv[2]) : 0);
  return isobath::run_main(argc, argv, program);
}
