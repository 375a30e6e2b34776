// SPDX-License-Identifier: Apache-2.0
// isobath-krylov: conjugate gradients, plain and pipelined.
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "apps/krylov_options.hpp"
#include "apps/worker_program.hpp"
#include "comm/nodes/node_map.hpp"
#include "krylov/measure.hpp"
#include "machine/available_memory.hpp"
#include "machine/process_facts.hpp"
#include "record/krylov.hpp"

namespace isobath {
namespace {

/// isobath-krylov between the start and the end of MPI.
class KrylovProgram final : public WorkerProgram<KrylovOptions> {
 public:
  using WorkerProgram::WorkerProgram;

 private:
  WorkerBenchmark benchmark() const override { return {.name = "krylov", .wrong = "norms"}; }
  void check_workers(int workers) const override;
  Cells measure(WorkerTeam& team, Vitals& vitals) override;
};

/// Norms of a method and of plain conjugate gradients may differ by so much, relatively, as long as ...
constexpr double norm_tolerance = 1e-6;
/// ... they are this share of the first; below, rounding has parted them.
constexpr double least_norm = 1e-7;

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

/// The cells, and what they share.
class KrylovCells {
 public:
  KrylovCells(WorkerTeam& team, const KrylovOptions& options)
      : team_(team), options_(options), nodes_(make_node_map(team.comm(), host_key()).nodes()) {}

  /// Collective over workers. Measures all cells, or those before an end was asked for, and hands over each
  /// record. Returns what came of them.
  template <class Write>
  Cells run(Vitals& vitals, Write&& write) {
    Cells came;
    int order = 0;
    const std::vector<KrylovCell> cells = krylov_cells(options_);
    for (const KrylovCell& cell : cells) {
      if (team_.comm().any(vitals.stop_requested())) break;
      vitals.heartbeat().cell(fmt::format("cell {} of {}, {} of {} elements, {}", order + 1,
                                          std::ssize(cells), name_of(cell.method), cell.elements,
                                          cell.mode ? name_of(*cell.mode) : "blocking"));
      KrylovRecord record = describe(cell);
      record.order = order++;
      record.not_runnable = why_not(cell);
      if (!record.not_runnable) measure(cell, record);
      ++came.measured;
      if (record.data_check_failure) ++came.wrong;
      write(record);
    }
    came.all = cells.size();
    return came;
  }

 private:
  KrylovRecord describe(const KrylovCell& cell) const {
    KrylovRecord record;
    record.method = name_of(cell.method);
    record.elements = cell.elements;
    record.iterations = options_.iterations;
    record.ranks = team_.comm().size();
    record.aggregators = options_.aggregators;
    record.threads_per_rank = team_.threads().max_threads;
    record.progress = cell.mode ? name_of(*cell.mode) : "blocking";
    record.tests = cell.tests;
    record.alignment = name_of(options_.alignment);
    // A thread of the library runs in all cells of its launch, of ours in those of its mode.
    const bool is_threaded = options_.has(ProgressMode::library_thread) || cell.mode == ProgressMode::thread;
    record.oversubscribed = team_.is_oversubscribed(is_threaded);
    record.launch = options_.launch;
    return record;
  }

  std::optional<std::string> why_not(const KrylovCell& cell) const {
    if (std::optional<std::string> reason = team_.why_not(cell.mode)) return reason;
    constexpr int beside = 3;  // x, the right-hand side, the inverse diagonal
    const double vectors = shape_of(cell.method).vectors + beside;
    const auto nodes = static_cast<double>((cell.elements + 1) * (cell.elements + 1));
    const double needed = vectors * nodes * sizeof(double) / nodes_;
    const auto available = static_cast<double>(
        team_.comm().min(available_bytes().value_or(std::numeric_limits<std::int64_t>::max())));
    if (needed <= 0.9 * available) return std::nullopt;
    return fmt::format("needs {:.1f} GB on a node, has {:.1f} GB", needed / 1e9, available / 1e9);
  }

  void measure(const KrylovCell& cell, KrylovRecord& record) {
    const std::vector<double>& expected = plain_norms(cell.elements);
    PendingCollective pending(Collective::allreduce, team_.comm(), shape_of(cell.method).values);
    KrylovTimes times;
    team_.carry_out(cell.mode, pending, [&](OverlapOperation& operation) {
      times = times_of(cell, operation, pending, region_of(record));
    });
    keep(std::move(times), expected, record);
    team_.compare_clocks();
  }

  KrylovTimes times_of(const KrylovCell& cell, OverlapOperation& operation, PendingCollective& pending,
                       std::string region) {
    Bench bench(team_.comm(), cell, operation, pending);
    return measure_krylov(team_.comm(), team_.alignment(), *bench.solver, bench.share, bench.clock,
                          team_.thread_of(cell.mode),
                          {.iterations = options_.iterations,
                           .repetitions = options_.repetitions,
                           .budget_seconds = options_.budget_seconds,
                           .region = std::move(region)});
  }

  /// Collective; no aggregator is awake: it may throw.
  void keep(KrylovTimes times, const std::vector<double>& expected, KrylovRecord& record) const {
    for (const std::vector<double>& norms : times.norms) {
      refuse_rounding(team_.comm(), norms);
      check_norms(norms, expected, record);
    }
    put_times(std::move(times), record);
  }

  /// Of plain conjugate gradients with blocking reductions: what every cell is held against. Warms up, too.
  const std::vector<double>& plain_norms(std::int64_t elements) {
    const auto known = plain_norms_.find(elements);
    if (known != plain_norms_.end()) return known->second;
    PendingCollective pending(Collective::allreduce, team_.comm(), shape_of(KrylovMethod::cg).values);
    LibraryOperation operation(pending);
    Bench bench(team_.comm(), {.elements = elements}, operation, pending);
    MeshVector right(bench.share);
    MeshVector x(bench.share);
    fill_boundary(bench.share, right);
    fill_boundary(bench.share, x);
    bench.solver->begin(right, x);
    bench.solver->iterate(options_.iterations);
    refuse_rounding(team_.comm(), bench.solver->norms());
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

  WorkerTeam& team_;
  const KrylovOptions& options_;
  int nodes_;
  std::map<std::int64_t, std::vector<double>> plain_norms_;
};

void KrylovProgram::check_workers(int workers) const {
  for (const std::int64_t elements : options_.elements) MeshShare(elements, 0, workers);
}

Cells KrylovProgram::measure(WorkerTeam& team, Vitals& vitals) {
  KrylovCells cells(team, options_);
  return cells.run(vitals, [this](const KrylovRecord& record) { write(record); });
}

}  // namespace
}  // namespace isobath

int main(int argc, char** argv) {
  return isobath::run_program<isobath::KrylovProgram>(argc, argv, isobath::read_krylov_command_line);
}
