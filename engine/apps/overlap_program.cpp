// SPDX-License-Identifier: Apache-2.0
// isobath-overlap: what non-blocking collectives hide.
#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "apps/overlap_options.hpp"
#include "apps/worker_program.hpp"
#include "overlap/contents.hpp"
#include "overlap/measure.hpp"
#include "record/overlap.hpp"

namespace isobath {
namespace {

/// isobath-overlap between the start and the end of MPI.
class OverlapProgram final : public WorkerProgram<OverlapOptions> {
 public:
  using WorkerProgram::WorkerProgram;

 private:
  WorkerBenchmark benchmark() const override { return {.name = "overlap", .wrong = "contents"}; }
  Cells measure(WorkerTeam& team, Vitals& vitals) override;
};

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

/// The cells, and what they share.
class OverlapCells {
 public:
  OverlapCells(WorkerTeam& team, const OverlapOptions& options)
      : team_(team), options_(options), units_(options.units), calls_(options.references) {
    for (const WorkKind kind : options.sweep.works) {
      works_.emplace(kind, make_fixed_work(kind, options.order, team.comm().rank(), team.comm().size()));
    }
  }

  /// Collective over workers. Measures all cells, or those before an end was asked for, and hands over each
  /// record. Returns what came of them.
  template <class Write>
  Cells run(Vitals& vitals, Write&& write) {
    Cells came;
    int order = 0;
    const std::vector<OverlapCell> cells = overlap_cells(options_.sweep);
    const auto first =
        std::ranges::find_if(cells, [&](const OverlapCell& cell) { return !team_.why_not(cell.mode); });
    if (first != cells.end()) {  // once for connections, caches and processors that were asleep
      vitals.heartbeat().cell("warm-up, " + title_of(*first));
      OverlapRecord warm_up;
      measure(*first, warm_up);
      units_ = options_.units;
      calls_ = options_.references;
    }
    for (const OverlapCell& cell : cells) {
      if (team_.comm().any(vitals.stop_requested())) break;
      vitals.heartbeat().cell(fmt::format("cell {} of {}, {}", order + 1, std::ssize(cells), title_of(cell)));
      OverlapRecord record = describe(cell);
      record.order = order++;
      record.not_runnable = team_.why_not(cell.mode);
      if (record.not_runnable) {
        record.work_units = 1;
      } else {
        measure(cell, record);
      }
      ++came.measured;
      if (record.data_check_failure) ++came.wrong;
      write(record);
    }
    came.all = cells.size();
    return came;
  }

 private:
  OverlapRecord describe(const OverlapCell& cell) const {
    OverlapRecord record;
    record.collective = cell.collective;
    record.size_bytes = cell.size_bytes;
    record.ranks = team_.comm().size();
    record.aggregators = options_.aggregators;
    record.threads_per_rank = team_.threads().max_threads;
    record.progress = name_of(cell.mode);
    record.tests = cell.tests;
    record.work = name_of(cell.work);
    record.work_ratio = cell.ratio;
    record.alignment = name_of(options_.alignment);
    // A thread that shares a processor although others are free does so on purpose.
    const bool is_threaded = cell.mode == ProgressMode::thread || cell.mode == ProgressMode::library_thread;
    record.oversubscribed = team_.is_oversubscribed(is_threaded);
    record.launch = options_.launch;
    if (cell.work == WorkKind::product) {
      record.work_order = options_.order;
      const int threads = team_.comm().size() * team_.threads().max_threads;
      if (options_.order < threads) {
        record.advice = fmt::format(
            "the order of the product, {}, is less than ranks times threads, {}: "
            "some have no row; raise --order",
            options_.order, threads);
      }
    }
    if (cell.mode == ProgressMode::offload) {
      record.trees = team_.shape().trees;
      record.message_bytes = static_cast<int>(most_message_bytes);
      record.depth = depth_of(team_.shape());
    }
    return record;
  }

  void measure(const OverlapCell& cell, OverlapRecord& record) {
    PendingCollective pending(parse_overlap_collective(cell.collective), team_.comm(),
                              cell.collective == "barrier" ? 0 : cell.size_bytes / 8);
    fill(pending, team_.comm());
    team_.carry_out(cell.mode, pending,
                    [&](OverlapOperation& operation) { measure_with(cell, operation, pending, record); });
  }

  void measure_with(const OverlapCell& cell, OverlapOperation& operation, PendingCollective& pending,
                    OverlapRecord& record) {
    const OverlapActors actors{.comm = team_.comm(),
                               .alignment = team_.alignment(),
                               .operation = operation,
                               .work = *works_.at(cell.work),
                               .progress = team_.thread_of(cell.mode)};
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
    record.clock_error_nanoseconds = team_.compare_clocks();
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
      fill(pending, team_.comm());
      if (is_blocking) {
        operation.call();
      } else {
        operation.start();
        operation.wait();
      }
      const std::optional<std::size_t> wrong = wrong_value(pending, team_.comm());
      const std::int64_t place =
          team_.comm().max(wrong ? static_cast<std::int64_t>(*wrong) : std::int64_t{-1});
      if (place < 0 || record.data_check_failure) continue;
      record.data_check_failure = fmt::format("{}: element {} of some rank is wrong",
                                              is_blocking ? "blocking" : "non-blocking", place);
    }
  }

  WorkerTeam& team_;
  const OverlapOptions& options_;
  std::map<WorkKind, std::unique_ptr<FixedWork>> works_;
  std::map<WorkKind, double> units_;  // nanoseconds of one
  std::map<std::pair<std::string, std::int64_t>, double> calls_;
};

Cells OverlapProgram::measure(WorkerTeam& team, Vitals& vitals) {
  OverlapCells cells(team, options_);
  return cells.run(vitals, [this](const OverlapRecord& record) { write(record); });
}

}  // namespace
}  // namespace isobath

int main(int argc, char** argv) {
  return isobath::run_program<isobath::OverlapProgram>(argc, argv, isobath::read_overlap_command_line);
}
