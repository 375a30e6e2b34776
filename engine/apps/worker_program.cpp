// SPDX-License-Identifier: Apache-2.0
#include "apps/worker_program.hpp"

#include <chrono>
#include <thread>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "apps/say.hpp"

namespace isobath {
namespace {

constexpr int posted_receives = 64;
constexpr std::byte leave{0};
constexpr std::byte aggregate{1};

}  // namespace

Aggregators::Aggregators(const Communicator& world, const AggregationShape& shape)
    : shape_(shape), messages_(world, posted_receives), control_(world, 1) {}

void Aggregators::attend() {
  while (true) {
    if (next_order() == leave) return;
    serve_aggregation(messages_, shape_);
  }
}

std::byte Aggregators::next_order() {
  const Waiting waiting = control_.comm().waiting("MPI_Test", WaitsFor::orders);
  while (true) {
    if (const std::optional<SmallMessages::Arrived> word = control_.poll()) return word->bytes.front();
    std::this_thread::sleep_for(std::chrono::microseconds(200));
  }
}

void Aggregators::wake(const Communicator& workers) {
  if (workers.rank() == 0) tell_all(aggregate);
}

void Aggregators::dismiss() { tell_all(leave); }

void Aggregators::tell_all(std::byte word) {
  const std::byte words[] = {word};
  for (int i = 0; i < shape_.aggregators; ++i) control_.send(shape_.workers + i, words);
}

void add_progress(CLI::App& app, WorkerOptions& options, const std::string& words,
                  const std::string& nothing) {
  app.add_option_function<std::vector<std::string>>(
         "--progress",
         [&options, nothing](const std::vector<std::string>& names) {
           options.modes.clear();
           for (const std::string& name : names) {
             if (nothing.empty() || name != nothing) options.modes.push_back(parse_progress_mode(name));
           }
         },
         words)
      ->delimiter(',')
      ->default_str("[library,tests]");
}

void add_worker_options(CLI::App& app, WorkerOptions& options) {
  app.add_option("--aggregators", options.aggregators, "the last so many ranks aggregate for offload")
      ->capture_default_str()
      ->check(CLI::Range(0, 4096));
  app.add_option("--trees", options.trees, "aggregation trees that pieces are spread over")
      ->capture_default_str()
      ->check(CLI::Range(1, 255));
  app.add_option("--radix", options.radix, "aggregators below an aggregator")
      ->capture_default_str()
      ->check(CLI::Range(2, 1024));
  app.add_option_function<std::string>(
         "--alignment", [&options](const std::string& name) { options.alignment = parse_alignment(name); },
         "barrier:dissemination, barrier:library, barrier:double or roundtime")
      ->default_str("barrier:dissemination");
  app.add_option("--launch", options.launch, "number of this launch")->check(CLI::NonNegativeNumber);
  add_threads(app, options);
  add_program_options(app, options);
}

void require_aggregators(const WorkerOptions& options) {
  if (options.has(ProgressMode::offload) && options.aggregators == 0) {
    throw UsageError("offload needs ranks that aggregate; add --aggregators 1 and start one rank more");
  }
}

WorkerTeam::WorkerTeam(const Communicator& workers, const WorkerOptions& options, const ThreadSetup& threads,
                       const ProgressPlaces& places, NodeClocks& clocks, Aggregators* aggregators)
    : comm_(workers),
      threads_(threads),
      shape_{.workers = workers.size(),
             .aggregators = std::max(1, options.aggregators),
             .radix = options.radix,
             .trees = options.trees},
      clocks_(clocks),
      aggregators_(aggregators),
      alignment_(workers, clocks.clock(), {.alignment = options.alignment}),
      all_have_spare_(workers.min(std::int64_t{places.spare.has_value()}) == 1) {
  if (options.has(ProgressMode::thread)) own_thread_.emplace(workers, places.own);
  if (options.has(ProgressMode::spare_thread) && all_have_spare_)
    spare_thread_.emplace(workers, places.spare);
}

std::optional<std::string> WorkerTeam::why_not(std::optional<ProgressMode> mode) const {
  if (mode != ProgressMode::spare_thread || spare_thread_) return std::nullopt;
  return "needs a processor that no rank computes on for each rank, has fewer";
}

ProgressThread* WorkerTeam::thread_of(std::optional<ProgressMode> mode) {
  if (mode == ProgressMode::thread && own_thread_) return &*own_thread_;
  if (mode == ProgressMode::spare_thread && spare_thread_) return &*spare_thread_;
  return nullptr;
}

void WorkerTeam::carry_out(std::optional<ProgressMode> mode, PendingCollective& pending,
                           const std::function<void(OverlapOperation&)>& use) {
  if (mode != ProgressMode::offload) {
    LibraryOperation operation(pending);
    use(operation);
    return;
  }
  aggregators_->wake(comm_);
  if (!client_) client_.emplace(aggregators_->messages(), shape_);
  OffloadedOperation operation(*client_, pending);
  use(operation);
  client_->stop();
}

std::int64_t WorkerTeam::compare_clocks() {
  clocks_.compare();
  alignment_.set_clock(clocks_.clock());
  return clocks_.error_nanoseconds();
}

int workers_of(const WorkerOptions& options, int ranks) {
  const int workers = ranks - options.aggregators;
  if (workers >= 1) return workers;
  throw UsageError(fmt::format("--aggregators {} leaves no rank of {} to compute; start more ranks",
                               options.aggregators, ranks));
}

ExitCode conclude(const Communicator& workers, const Cells& cells, std::string_view wrong) {
  if (cells.wrong > 0) {
    if (workers.rank() == 0) {
      say("isobath: {} gave wrong {}; see data_check_failure in the records",
          cells.wrong == 1 ? "1 cell" : fmt::format("{} cells", cells.wrong), wrong);
    }
    return ExitCode::violations;
  }
  return cells.measured < cells.all ? stopped_early(workers, cells.measured, cells.all) : ExitCode::done;
}

}  // namespace isobath
