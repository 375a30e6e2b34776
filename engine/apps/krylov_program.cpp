// SPDX-License-Identifier: Apache-2.0
#include "apps/krylov_program.hpp"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <limits>
#include <map>
#include <memory>
#include <utility>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "apps/aggregators.hpp"
#include "apps/say.hpp"
#include "comm/node_map.hpp"
#include "krylov/measure.hpp"
#include "machine/available_memory.hpp"
#include "machine/process_facts.hpp"
#include "placement/launch_facts.hpp"
#include "placement/placement.hpp"
#include "placement/spare_processors.hpp"
#include "record/krylov.hpp"

namespace isobath {
namespace {

/// Norms of a method and of plain conjugate gradients may differ by so much, relatively, as long as ...
constexpr double norm_tolerance = 1e-6;
/// ... they are this share of the first; below, rounding has parted them.
constexpr double least_norm = 1e-7;

bool has(const std::vector<ProgressMode>& modes, ProgressMode mode) {
  return std::find(modes.begin(), modes.end(), mode) != modes.end();
}

/// Everything that one cell solves with.
struct Bench {
  Bench(const Communicator& comm, const KrylovCell& cell, OverlapOperation& operation,
        PendingCollective& pending)
      : share(cell.elements, comm.rank(), comm.size()),
        matrix(comm, share, clock),
        preconditioner(matrix, clock),
        reduction(pending, operation, cell.mode ? ReductionForm::nonblocking : ReductionForm::blocking,
                  clock),
        solver(make_krylov_solver(cell.method, {.matrix = matrix,
                                                .preconditioner = preconditioner,
                                                .reduction = reduction,
                                                .observer = clock,
                                                .tests = cell.tests})) {}

  KrylovClock clock;
  MeshShare share;
  BilinearOperator matrix;
  JacobiPreconditioner preconditioner;
  ScalarReduction reduction;
  std::unique_ptr<KrylovSolver> solver;
};

/// As a profile names the cell.
std::string region_of(const KrylovRecord& record) {
  return fmt::format("{}/{}/{}/{}", record.method, record.progress, record.tests, record.elements);
}

void put_times(KrylovTimes times, KrylovRecord& record) {
  record.solve = {.together_nanoseconds = std::move(times.solve.together),
                  .rank_nanoseconds = std::move(times.solve.by_rank)};
  for (std::size_t part = 0; part < krylov_parts.size(); ++part) {
    record.parts.emplace_back(krylov_parts[part].second, std::move(times.parts[part]));
  }
  record.invalid = std::move(times.invalid);
  record.norms = times.norms.back();
  record.error = times.error;
}

/// The ranks that solve, and what they need for every cell.
class Solvers {
 public:
  Solvers(const Communicator& workers, const KrylovOptions& options, const ThreadSetup& threads,
          const ProgressPlaces& places, Aggregators* aggregators)
      : comm_(workers),
        options_(options),
        threads_(threads),
        nodes_(make_node_map(workers, host_key())),
        aggregators_(aggregators),
        clocks_(workers, clocks_of_world(workers, nodes_.node_of_rank)),
        alignment_(workers, clocks_.clock(), {.alignment = options.alignment}),
        all_have_spare_(workers.min(std::int64_t{places.spare.has_value()}) == 1) {
    if (has(options.modes, ProgressMode::thread)) own_thread_.emplace(workers, places.own);
    if (has(options.modes, ProgressMode::spare_thread) && all_have_spare_) {
      spare_thread_.emplace(workers, places.spare);
    }
  }

  /// Collective over workers. Measures all cells, or those before an end was asked for, and hands over each
  /// record. Returns how many cells there are.
  template <class Write>
  std::size_t run(Vitals& vitals, Write&& write) {
    int order = 0;
    const std::vector<KrylovCell> cells = krylov_cells(options_);
    for (const KrylovCell& cell : cells) {
      if (comm_.any(vitals.stop_requested())) break;
      vitals.heartbeat().cell(fmt::format("cell {} of {}, {} of {} elements, {}", order + 1,
                                          std::ssize(cells), name_of(cell.method), cell.elements,
                                          cell.mode ? name_of(*cell.mode) : "blocking"));
      KrylovRecord record = describe(cell);
      record.order = order++;
      record.not_runnable = why_not(cell);
      if (!record.not_runnable) measure(cell, record);
      write(record);
    }
    return cells.size();
  }

 private:
  KrylovRecord describe(const KrylovCell& cell) const {
    KrylovRecord record;
    record.method = name_of(cell.method);
    record.elements = cell.elements;
    record.iterations = options_.iterations;
    record.ranks = comm_.size();
    record.aggregators = options_.aggregators;
    record.threads_per_rank = threads_.max_threads;
    record.progress = cell.mode ? name_of(*cell.mode) : "blocking";
    record.tests = cell.tests;
    record.alignment = name_of(options_.alignment);
    // A thread of the library runs in all cells of its launch, of ours in those of its mode.
    const bool is_threaded =
        has(options_.modes, ProgressMode::library_thread) || cell.mode == ProgressMode::thread;
    record.oversubscribed = threads_.oversubscribed || (is_threaded && !all_have_spare_);
    record.launch = options_.launch;
    return record;
  }

  std::optional<std::string> why_not(const KrylovCell& cell) const {
    if (cell.mode == ProgressMode::spare_thread && !spare_thread_) {
      return "needs a processor that no rank computes on for each rank, has fewer";
    }
    constexpr int beside = 3;  // x, the right-hand side, the inverse diagonal
    const double vectors = shape_of(cell.method).vectors + beside;
    const auto nodes = static_cast<double>((cell.elements + 1) * (cell.elements + 1));
    const double needed = vectors * nodes * sizeof(double) / nodes_.nodes();
    const auto available =
        static_cast<double>(comm_.min(available_bytes().value_or(std::numeric_limits<std::int64_t>::max())));
    if (needed <= 0.9 * available) return std::nullopt;
    return fmt::format("needs {:.1f} GB on a node, has {:.1f} GB", needed / 1e9, available / 1e9);
  }

  void measure(const KrylovCell& cell, KrylovRecord& record) {
    const std::vector<double>& expected = plain_norms(cell.elements);
    PendingCollective pending(Collective::allreduce, comm_, shape_of(cell.method).values);
    if (cell.mode == ProgressMode::offload) {
      aggregators_->wake(comm_);
      if (!client_) {
        client_.emplace(aggregators_->messages(), AggregationShape{.workers = comm_.size(),
                                                                   .aggregators = options_.aggregators,
                                                                   .radix = options_.radix,
                                                                   .trees = options_.trees});
      }
      OffloadedOperation operation(*client_, pending);
      KrylovTimes times = times_of(cell, operation, pending, region_of(record));
      client_->stop();
      keep(std::move(times), expected, record);
    } else {
      LibraryOperation operation(pending);
      keep(times_of(cell, operation, pending, region_of(record)), expected, record);
    }
    clocks_.compare();
    alignment_.set_clock(clocks_.clock());
  }

  KrylovTimes times_of(const KrylovCell& cell, OverlapOperation& operation, PendingCollective& pending,
                       std::string region) {
    Bench bench(comm_, cell, operation, pending);
    return measure_krylov(comm_, alignment_, *bench.solver, bench.share, bench.clock, thread_of(cell.mode),
                          {.iterations = options_.iterations,
                           .repetitions = options_.repetitions,
                           .budget_seconds = options_.budget_seconds,
                           .region = std::move(region)});
  }

  /// Collective; no aggregator is awake: it may throw.
  void keep(KrylovTimes times, const std::vector<double>& expected, KrylovRecord& record) const {
    for (const std::vector<double>& norms : times.norms) {
      refuse_rounding(comm_, norms);
      check_norms(norms, expected, record);
    }
    put_times(std::move(times), record);
  }

  /// Of plain conjugate gradients with blocking reductions: what every cell is held against. Warms up, too.
  const std::vector<double>& plain_norms(std::int64_t elements) {
    const auto known = plain_norms_.find(elements);
    if (known != plain_norms_.end()) return known->second;
    PendingCollective pending(Collective::allreduce, comm_, shape_of(KrylovMethod::cg).values);
    LibraryOperation operation(pending);
    Bench bench(comm_, {.elements = elements}, operation, pending);
    MeshVector right(bench.share);
    MeshVector x(bench.share);
    fill_boundary(bench.share, right);
    fill_boundary(bench.share, x);
    bench.solver->begin(right, x);
    bench.solver->iterate(options_.iterations);
    refuse_rounding(comm_, bench.solver->norms());
    return plain_norms_[elements] = bench.solver->norms();
  }

  static void check_norms(const std::vector<double>& found, const std::vector<double>& expected,
                          KrylovRecord& record) {
    for (std::size_t i = 0; i < expected.size() && !record.data_check_failure; ++i) {
      if (expected[i] < least_norm * expected[0]) return;
      if (std::abs(found[i] / expected[i] - 1) <= norm_tolerance) continue;
      record.data_check_failure = fmt::format(
          "the natural norm before iteration {} is {:.9g}, that of plain conjugate gradients {:.9g}", i,
          found[i], expected[i]);
    }
  }

  ProgressThread* thread_of(std::optional<ProgressMode> mode) {
    if (mode == ProgressMode::thread && own_thread_) return &*own_thread_;
    if (mode == ProgressMode::spare_thread && spare_thread_) return &*spare_thread_;
    return nullptr;
  }

  const Communicator& comm_;
  const KrylovOptions& options_;
  ThreadSetup threads_;
  NodeMap nodes_;
  Aggregators* aggregators_;
  std::optional<OffloadClient> client_;  // of all cells: see OffloadClient::stop()
  NodeClocks clocks_;
  StartAlignment alignment_;
  bool all_have_spare_;
  std::optional<ProgressThread> own_thread_;
  std::optional<ProgressThread> spare_thread_;
  std::map<std::int64_t, std::vector<double>> plain_norms_;
};

}  // namespace

KrylovProgram::KrylovProgram(KrylovOptions options, std::vector<std::string> argv)
    : options_(std::move(options)), argv_(std::move(argv)), started_at_(utc_now()) {
  if (options_.run_id.empty()) {
    options_.run_id = fmt::format("{:%Y%m%d-%H%M%S}-krylov-{}", fmt::gmtime(std::time(nullptr)), getpid());
  }
}

ThreadLevel KrylovProgram::thread_level() const {
  const bool is_threaded =
      has(options_.modes, ProgressMode::thread) || has(options_.modes, ProgressMode::spare_thread);
  return is_threaded ? ThreadLevel::multiple : ThreadLevel::funneled;
}

ExitCode KrylovProgram::run(Communicator& world, Vitals& vitals) {
  const int workers = world.size() - options_.aggregators;
  if (workers < 1) {
    throw UsageError(fmt::format("--aggregators {} leaves no rank of {} to compute; start more ranks",
                                 options_.aggregators, world.size()));
  }
  for (const std::int64_t elements : options_.elements) MeshShare(elements, 0, workers);
  const std::vector<int> cpus_before = allowed_cpus();
  const ThreadSetup threads = set_up_threads(world, options_.threads);
  require_placement(world, threads.threads, threads.oversubscribed);
  if (world.rank() == 0 && !options_.record_file.empty()) {
    records_.emplace(options_.record_file, options_.run_id);
  }
  const LaunchRecord launch = launch_record(
      world, threads,
      {.program = "isobath-krylov", .argv = argv_, .started = started_at_, .launch = options_.launch});
  if (records_) records_->write(launch);
  const ProgressPlaces places = progress_places(world, cpus_before, threads.threads);
  const bool is_worker = world.rank() < workers;
  const Communicator part = world.split(is_worker ? 0 : 1, world.rank());
  std::optional<Aggregators> aggregators;
  if (options_.aggregators > 0) {
    aggregators.emplace(world, AggregationShape{.workers = workers,
                                                .aggregators = options_.aggregators,
                                                .radix = options_.radix,
                                                .trees = options_.trees});
  }
  if (!is_worker) {
    if (aggregators) aggregators->attend();
    return ExitCode::done;
  }
  const auto dismiss = [&] {
    if (world.rank() == 0 && aggregators) aggregators->dismiss();
  };
  std::int64_t wrong = 0;
  std::size_t measured = 0;
  std::size_t cells = 0;
  try {
    Solvers solvers(part, options_, threads, places, aggregators ? &*aggregators : nullptr);
    cells = solvers.run(vitals, [&](const KrylovRecord& record) {
      ++measured;
      if (record.data_check_failure) ++wrong;
      if (records_) records_->write(record);
    });
  } catch (const UsageError&) {  // of all workers alike, while no aggregator is awake
    dismiss();
    throw;
  }
  dismiss();
  if (world.rank() == 0) {
    if (records_) records_->flush();
    if (wrong > 0) {
      say("isobath: {} gave wrong norms; see data_check_failure in the records",
          wrong == 1 ? "1 cell" : fmt::format("{} cells", wrong));
    }
  }
  if (wrong > 0) return ExitCode::violations;
  return measured < cells ? stopped_early(part, measured, cells) : ExitCode::done;
}

}  // namespace isobath
