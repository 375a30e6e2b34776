// SPDX-License-Identifier: Apache-2.0
// The main program of GoogleTest under MPI: after each test all ranks meet, rank 0 prints the failures of all
// of them in rank order, and one rank's failure is the whole program's.
#include "mpi_main.hpp"

#include <mpi.h>

#include <chrono>
#include <ctime>
#include <exception>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "comm/environment.hpp"

namespace isobath::test {
namespace {

/// A rank that left a test early (ASSERT) waits so long for ranks that may still be in its collectives.
constexpr std::chrono::seconds patience{3};

const Communicator* world_of_tests = nullptr;

std::string description(const testing::TestPartResult& part) {
  return fmt::format("{}:{}: {}\n", part.file_name() == nullptr ? "unknown file" : part.file_name(),
                     part.line_number(), part.message());
}

/// Gathers and prints what happened. Talks through a communicator of its own.
class PrinterOfAllRanks final : public testing::EmptyTestEventListener {
 public:
  explicit PrinterOfAllRanks(const Communicator& world) : comm_(world.split(0, world.rank())) {}

  bool any_failed() const { return any_failed_; }

  /// What this rank would still have told; for the rank that ends the program.
  std::string untold() const { return failures_; }
  const std::string& current_test() const { return current_test_; }

  void OnTestStart(const testing::TestInfo& info) override {
    current_test_ = fmt::format("{}.{}", info.test_suite_name(), info.name());
    if (comm_.rank() == 0) fmt::print("[ RUN      ] {}\n", current_test_);
  }

  void OnTestPartResult(const testing::TestPartResult& part) override {
    if (part.failed()) failures_ += description(part);
    if (part.skipped()) skips_ += description(part);
  }

  void OnTestEnd(const testing::TestInfo& info) override {
    const testing::TestResult& result = *info.result();
    meet(result.HasFatalFailure());
    const bool failed = gather(result.Skipped() ? "SKIPPED" : "OK", result.elapsed_time());
    if (failed) failed_tests_.push_back(current_test_);
    current_test_ = "outside of tests";
  }

  void OnTestProgramEnd(const testing::UnitTest& unit_test) override {
    if (comm_.any(!failures_.empty())) gather("OK", 0);  // of suites' and environments' own set-up
    if (comm_.rank() != 0) return;
    fmt::print("[==========] {} tests on {} ranks, {} failed.\n", unit_test.test_to_run_count(), comm_.size(),
               failed_tests_.size());
    for (const std::string& name : failed_tests_) fmt::print("[  FAILED  ] {}\n", name);
    std::fflush(stdout);
  }

 private:
  /// Collective. Prints one test's outcome; true when it failed on any rank.
  bool gather(const char* good, testing::TimeInMillis milliseconds) {
    const std::vector<std::string> failures = comm_.allgather(std::exchange(failures_, {}));
    const std::vector<std::string> skips = comm_.allgather(std::exchange(skips_, {}));
    bool failed = false;
    for (const std::string& text : failures) failed = failed || !text.empty();
    any_failed_ = any_failed_ || failed;
    if (comm_.rank() != 0) return failed;
    for (const std::vector<std::string>* texts : {&failures, &skips}) {
      for (std::size_t r = 0; r < texts->size(); ++r) {
        if (!(*texts)[r].empty()) fmt::print("rank {} of {}:\n{}", r, comm_.size(), (*texts)[r]);
      }
    }
    fmt::print("[ {:>8} ] {} ({} ms)\n", failed ? "FAILED" : good, current_test_, milliseconds);
    std::fflush(stdout);
    return failed;
  }

  /// Collective. A rank that left a test early, alone, leaves the others in a collective; nobody would end.
  void meet(bool left_early) const {
    MPI_Request meeting = MPI_REQUEST_NULL;
    MPI_Ibarrier(comm_.handle(), &meeting);
    if (!left_early) {
      MPI_Wait(&meeting, MPI_STATUS_IGNORE);
      return;
    }
    const auto until = std::chrono::steady_clock::now() + patience;
    int met = 0;
    while (true) {
      MPI_Test(&meeting, &met, MPI_STATUS_IGNORE);
      if (met != 0) return;
      if (std::chrono::steady_clock::now() > until) break;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    fmt::print(stderr, "rank {} of {} left {} early, and others wait inside it:\n{}", comm_.rank(),
               comm_.size(), current_test_, failures_);
    comm_.abort(ExitCode::violations);
  }

  Communicator comm_;
  std::string current_test_ = "outside of tests";
  std::string failures_;
  std::string skips_;
  std::vector<std::string> failed_tests_;
  bool any_failed_ = false;
};

int run_all(const Communicator& world) {
  GTEST_FLAG_SET(catch_exceptions, false);  // an exception on one rank ends all: the others may wait for it
  GTEST_FLAG_SET(random_seed, world.broadcast(GTEST_FLAG_GET(random_seed) != 0
                                                  ? GTEST_FLAG_GET(random_seed)
                                                  : static_cast<std::int32_t>(std::time(nullptr) % 99999 + 1),
                                              0));
  if (world.rank() != 0) GTEST_FLAG_SET(output, "");
  if (GTEST_FLAG_GET(list_tests)) return world.rank() == 0 ? RUN_ALL_TESTS() : 0;

  testing::TestEventListeners& listeners = testing::UnitTest::GetInstance()->listeners();
  delete listeners.Release(listeners.default_result_printer());
  auto owned = std::make_unique<PrinterOfAllRanks>(world);
  PrinterOfAllRanks& printer = *owned;
  listeners.Append(owned.release());
  try {
    const int own = RUN_ALL_TESTS();
    const bool failed = printer.any_failed() || own != 0;
    if (testing::UnitTest::GetInstance()->test_to_run_count() == 0) {
      if (world.rank() == 0) fmt::print("no test was selected: that is a failure\n");
      delete listeners.Release(&printer);
      return 1;
    }
    delete listeners.Release(&printer);  // while MPI still runs
    return world.any(failed) ? 1 : 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "rank {} of {}: exception in {}: {}\n{}", world.rank(), world.size(),
               printer.current_test(), error.what(), printer.untold());
  } catch (...) {
    fmt::print(stderr, "rank {} of {}: unknown exception in {}\n{}", world.rank(), world.size(),
               printer.current_test(), printer.untold());
  }
  world.abort(ExitCode::internal);
}

}  // namespace

const Communicator& world() { return *world_of_tests; }

}  // namespace isobath::test

int main(int argc, char** argv) {
  try {
    const isobath::MpiEnvironment environment(&argc, &argv);
    testing::InitGoogleTest(&argc, argv);
    const isobath::Communicator world = environment.world();
    isobath::test::world_of_tests = &world;
    return isobath::test::run_all(world);
  } catch (const std::exception& error) {
    fmt::print(stderr, "isobath test: {}\n", error.what());
    isobath::abort_all_ranks(isobath::exit_code_of(error));
  }
}
