// SPDX-License-Identifier: Apache-2.0
#include "apps/overlap_program.hpp"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <map>
#include <utility>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "apps/aggregators.hpp"
#include "apps/say.hpp"
#include "comm/node_map.hpp"
#include "machine/process_facts.hpp"
#include "overlap/contents.hpp"
#include "overlap/measure.hpp"
#include "placement/launch_facts.hpp"
#include "placement/placement.hpp"
#include "placement/spare_processors.hpp"
#include "record/collective.hpp"

namespace isobath {
namespace {

bool is_thread(ProgressMode mode) {
  return mode == ProgressMode::thread || mode == ProgressMode::spare_thread;
}

bool has_mode(const OverlapSweep& sweep, auto&& matches) {
  return std::any_of(sweep.modes.begin(), sweep.modes.end(), matches);
}

PartTimesRecord part(const PartTimes& times) {
  return {.together_nanoseconds = times.together, .rank_nanoseconds = times.by_rank};
}

void put_times(const OverlapTimes& times, OverlapRecord& record) {
  record.parts = {{"blocking", part(times.blocking)},
                  {"nonblocking", part(times.nonblocking)},
                  {"work", part(times.work)},
                  {"no_overlap", part(times.no_overlap)},
                  {"overlap", part(times.overlap)},
                  {"osu", part(times.osu)},
                  {"imb", part(times.imb)}};
  record.inside = {
      {"start", times.start},       {"work", times.inside},         {"test", times.test},
      {"wait", times.wait},         {"osu_start", times.osu_start}, {"osu_compute", times.osu_compute},
      {"osu_test", times.osu_test}, {"osu_wait", times.osu_wait},   {"imb_work", times.imb_work}};
  record.invalid = times.invalid;
}

/// For whoever looks at a rank that is in it.
std::string title_of(const OverlapCell& cell) {
  return fmt::format("{} of {} B, {}", cell.collective, cell.size_bytes, name_of(cell.mode));
}

/// The ranks that compute and communicate, and what they need for every cell.
class Workers {
 public:
  Workers(const Communicator& workers, NodeClocks& clocks, const OverlapOptions& options,
          const ThreadSetup& threads, const ProgressPlaces& places, Aggregators* aggregators)
      : comm_(workers),
        options_(options),
        threads_(threads),
        shape_{.workers = workers.size(),
               .aggregators = std::max(1, options.aggregators),
               .radix = options.radix,
               .trees = options.trees},
        aggregators_(aggregators),
        clocks_(&clocks),
        alignment_(workers, clocks.clock(), {.alignment = options.alignment}),
        all_have_spare_(workers.min(std::int64_t{places.spare.has_value()}) == 1) {
    const auto wants = [&](ProgressMode wanted) {
      return has_mode(options.sweep, [&](ProgressMode mode) { return mode == wanted; });
    };
    if (wants(ProgressMode::thread)) own_thread_.emplace(workers, places.own);
    if (wants(ProgressMode::spare_thread) && all_have_spare_) spare_thread_.emplace(workers, places.spare);
    units_ = options.units;
    calls_ = options.references;
    for (const WorkKind kind : options.sweep.works) {
      works_.emplace(kind, make_fixed_work(kind, options.order, workers.rank(), workers.size()));
    }
  }

  /// Collective over workers. Measures all cells, or those before an end was asked for, and hands over each
  /// record. Returns how many cells there are.
  template <class Write>
  std::size_t run(Vitals& vitals, Write&& write) {
    int order = 0;
    const std::vector<OverlapCell> cells = overlap_cells(options_.sweep);
    const auto first =
        std::find_if(cells.begin(), cells.end(), [&](const auto& one) { return !why_not(one); });
    if (first != cells.end()) {  // once for connections, caches and processors that were asleep
      vitals.heartbeat().cell("warm-up, " + title_of(*first));
      OverlapRecord warm_up;
      measure(*first, warm_up);
      units_ = options_.units;
      calls_ = options_.references;
    }
    for (const OverlapCell& cell : cells) {
      if (comm_.any(vitals.stop_requested())) break;
      vitals.heartbeat().cell(fmt::format("cell {} of {}, {}", order + 1, std::ssize(cells), title_of(cell)));
      OverlapRecord record = describe(cell);
      record.order = order++;
      if (const std::optional<std::string> reason = why_not(cell)) {
        record.not_runnable = reason;
        record.work_units = 1;
      } else {
        measure(cell, record);
      }
      write(record);
    }
    return cells.size();
  }

 private:
  OverlapRecord describe(const OverlapCell& cell) const {
    OverlapRecord record;
    record.collective = cell.collective;
    record.size_bytes = cell.size_bytes;
    record.ranks = comm_.size();
    record.aggregators = options_.aggregators;
    record.threads_per_rank = threads_.max_threads;
    record.progress = name_of(cell.mode);
    record.tests = cell.tests;
    record.work = name_of(cell.work);
    record.work_ratio = cell.ratio;
    record.alignment = name_of(options_.alignment);
    // A thread that shares a processor although others are free does so on purpose.
    const bool is_threaded = cell.mode == ProgressMode::thread || cell.mode == ProgressMode::library_thread;
    record.oversubscribed = threads_.oversubscribed || (is_threaded && !all_have_spare_);
    record.launch = options_.launch;
    if (cell.work == WorkKind::product) {
      record.work_order = options_.order;
      const int threads = comm_.size() * threads_.max_threads;
      if (options_.order < threads) {
        record.advice = fmt::format(
            "the order of the product, {}, is less than ranks times threads, {}: "
            "some have no row; raise --order",
            options_.order, threads);
      }
    }
    if (cell.mode == ProgressMode::offload) {
      record.trees = shape_.trees;
      record.message_bytes = static_cast<int>(most_message_bytes);
      record.depth = depth_of(shape_);
    }
    return record;
  }

  std::optional<std::string> why_not(const OverlapCell& cell) const {
    if (cell.mode == ProgressMode::spare_thread && !spare_thread_) {
      return "needs a processor that no rank computes on for each rank, has fewer";
    }
    return std::nullopt;
  }

  void measure(const OverlapCell& cell, OverlapRecord& record) {
    PendingCollective pending(parse_overlap_collective(cell.collective), comm_,
                              cell.collective == "barrier" ? 0 : cell.size_bytes / 8);
    fill(pending, comm_);
    if (cell.mode != ProgressMode::offload) {
      LibraryOperation operation(pending);
      measure_with(cell, operation, pending, record);
      return;
    }
    aggregators_->wake(comm_);
    if (!client_) client_.emplace(aggregators_->messages(), shape_);
    OffloadedOperation operation(*client_, pending);
    measure_with(cell, operation, pending, record);
    client_->stop();
  }

  void measure_with(const OverlapCell& cell, OverlapOperation& operation, PendingCollective& pending,
                    OverlapRecord& record) {
    const OverlapActors actors{.comm = comm_,
                               .alignment = alignment_,
                               .operation = operation,
                               .work = *works_.at(cell.work),
                               .progress = thread_of(cell.mode)};
    const OverlapCalibration chosen = calibration(cell, actors);
    record.reference_call_nanoseconds = chosen.call_nanoseconds;
    record.unit_nanoseconds = chosen.unit_nanoseconds;
    const auto units = [&](double ratio) {
      return std::max<std::int64_t>(1,
                                    std::llround(ratio * chosen.call_nanoseconds / chosen.unit_nanoseconds));
    };
    record.work_units = units(cell.ratio);
    put_times(measure_overlap(actors, {.units = units(cell.ratio),
                                       .imb_units = units(1),
                                       .tests = cell.tests,
                                       .repetitions = options_.repetitions,
                                       .budget_seconds = options_.budget_seconds}),
              record);
    check_contents(operation, pending, record);
    clocks_->compare();
    record.clock_error_nanoseconds = clocks_->error_nanoseconds();
    alignment_.set_clock(clocks_->clock());
  }

  /// Work is chosen once for each collective and size, so that it is the same under every progress mode and
  /// of all kinds lasts alike: by the call as it was first, or as it was given.
  OverlapCalibration calibration(const OverlapCell& cell, const OverlapActors& actors) {
    const std::pair key(cell.collective, cell.size_bytes);
    if (!units_.contains(cell.work) || !calls_.contains(key)) {
      const OverlapCalibration found = calibrate_overlap(actors);
      units_.try_emplace(cell.work, found.unit_nanoseconds);
      calls_.try_emplace(key, found.call_nanoseconds);
    }
    return {.unit_nanoseconds = units_.at(cell.work), .call_nanoseconds = calls_.at(key)};
  }

  /// Collective. Both forms once more on fresh contents.
  void check_contents(OverlapOperation& operation, PendingCollective& pending, OverlapRecord& record) const {
    for (const bool is_blocking : {true, false}) {
      fill(pending, comm_);
      if (is_blocking) {
        operation.call();
      } else {
        operation.start();
        operation.wait();
      }
      const std::optional<std::size_t> wrong = wrong_value(pending, comm_);
      const std::int64_t place = comm_.max(wrong ? static_cast<std::int64_t>(*wrong) : std::int64_t{-1});
      if (place < 0 || record.data_check_failure) continue;
      record.data_check_failure = fmt::format("{}: element {} of some rank is wrong",
                                              is_blocking ? "blocking" : "non-blocking", place);
    }
  }

  ProgressThread* thread_of(ProgressMode mode) {
    if (mode == ProgressMode::thread) return &*own_thread_;
    if (mode == ProgressMode::spare_thread) return &*spare_thread_;
    return nullptr;
  }

  const Communicator& comm_;
  const OverlapOptions& options_;
  ThreadSetup threads_;
  AggregationShape shape_;
  Aggregators* aggregators_;
  std::optional<OffloadClient> client_;  // of all cells: see OffloadClient::stop()
  NodeClocks* clocks_;
  StartAlignment alignment_;
  bool all_have_spare_;
  std::optional<ProgressThread> own_thread_;
  std::optional<ProgressThread> spare_thread_;
  std::map<WorkKind, std::unique_ptr<FixedWork>> works_;
  std::map<WorkKind, double> units_;  // nanoseconds of one
  std::map<std::pair<std::string, std::int64_t>, double> calls_;
};

}  // namespace

OverlapProgram::OverlapProgram(OverlapOptions options, std::vector<std::string> argv)
    : options_(std::move(options)), argv_(std::move(argv)), started_at_(utc_now()) {
  if (options_.run_id.empty()) {
    options_.run_id = fmt::format("{:%Y%m%d-%H%M%S}-overlap-{}", fmt::gmtime(std::time(nullptr)), getpid());
  }
}

ThreadLevel OverlapProgram::thread_level() const {
  return has_mode(options_.sweep, is_thread) ? ThreadLevel::multiple : ThreadLevel::funneled;
}

ExitCode OverlapProgram::run(Communicator& world, Vitals& vitals) {
  const int workers = world.size() - options_.aggregators;
  if (workers < 1) {
    throw UsageError(fmt::format("--aggregators {} leaves no rank of {} to compute; start more ranks",
                                 options_.aggregators, world.size()));
  }
  const std::vector<int> cpus_before = allowed_cpus();
  const ThreadSetup threads = set_up_threads(world, options_.threads);
  require_placement(world, threads.threads, threads.oversubscribed);
  if (world.rank() == 0 && !options_.record_file.empty()) {
    records_.emplace(options_.record_file, options_.run_id);
  }
  const ProgressPlaces places = progress_places(world, cpus_before, threads.threads);
  const bool is_worker = world.rank() < workers;
  const Communicator part = world.split(is_worker ? 0 : 1, world.rank());
  std::vector<RankClock> rank_clocks = clocks_of_world(world, make_node_map(world, host_key()).node_of_rank);
  rank_clocks.resize(static_cast<std::size_t>(workers));
  std::optional<NodeClocks> clocks;
  if (is_worker) clocks.emplace(part, std::move(rank_clocks));
  LaunchRecord launch = launch_record(
      world, threads,
      {.program = "isobath-overlap", .argv = argv_, .started = started_at_, .launch = options_.launch});
  if (clocks) {
    launch.clocks = clocks->clocks();
    launch.clock_error_seconds = static_cast<double>(clocks->error_nanoseconds()) / 1e9;
  }
  if (records_) records_->write(launch);
  std::optional<Aggregators> aggregators;
  if (options_.aggregators > 0) {
    aggregators.emplace(world, AggregationShape{.workers = workers,
                                                .aggregators = options_.aggregators,
                                                .radix = options_.radix,
                                                .trees = options_.trees});
  }
  if (!is_worker) {
    aggregators->attend();
    return ExitCode::done;
  }
  std::int64_t wrong = 0;
  std::size_t measured = 0;
  std::size_t cells = 0;
  {
    Workers all(part, *clocks, options_, threads, places, aggregators ? &*aggregators : nullptr);
    cells = all.run(vitals, [&](const OverlapRecord& record) {
      ++measured;
      if (record.data_check_failure) ++wrong;
      if (records_) records_->write(record);
    });
  }
  if (world.rank() == 0) {
    if (aggregators) aggregators->dismiss();
    if (records_) records_->flush();
    if (wrong > 0) say("isobath: {} cells gave wrong contents; see data_check_failure in the records", wrong);
  }
  if (wrong > 0) return ExitCode::violations;
  return measured < cells ? stopped_early(part, measured, cells) : ExitCode::done;
}

}  // namespace isobath
