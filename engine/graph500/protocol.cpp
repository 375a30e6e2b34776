// SPDX-License-Identifier: Apache-2.0
#include "graph500/protocol.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/arena.hpp"
#include "base/clock.hpp"
#include "generator/search_keys.hpp"
#include "graph500/construction_timing.hpp"
#include "graph500/parents_file.hpp"
#include "graph500/protocol_records.hpp"
#include "graph500/search_timing.hpp"
#include "graph500/timing_observer.hpp"
#include "record/process_facts.hpp"
#include "validate/bfs_rules.hpp"
#include "validate/distinct_edges.hpp"

namespace isobath {
namespace {

/// One run of the benchmark, step by step.
class Run {
 public:
  Run(const Benchmark& benchmark, const Session& session)
      : benchmark_(benchmark),
        session_(session),
        world_(session.world),
        communication_(session.communication),
        timing_(session.heartbeat, communication_ == nullptr ? nullptr : &communication_->ledger()) {}

  Outcome run() {
    if (generate() && construct() && sample_keys()) search_all();
    finish();
    return std::move(outcome_);
  }

 private:
  // Steps return false when the run was asked to stop.
  bool generate();
  bool construct();
  void check_construction(ConstructionRecord& record);
  bool sample_keys();
  void search_all();
  bool search(std::size_t key, bool warmup);
  ValidationRecord validate(BfsValidator& validator, int index, std::span<const GlobalVertex> parents,
                            SearchRecord& record);
  void put_communication_of(const TimeWindow& window, SearchRecord& record, SearchTiming& timing);
  void write_communication_of(int search);
  void write_communication_of_run();
  void finish();

  /// Counts the calls of `body` as those of a part of the run.
  template <class Body>
  void counted(RunPart part, Body&& body) {
    if (communication_ == nullptr) {
      body();
      return;
    }
    Ledger& ledger = communication_->ledger();
    ledger.clear();
    ledger.begin(part);
    body();
    ledger.end();
    ledger.commit();
  }

  bool is_stopped() {
    outcome_.stopped = outcome_.stopped || world_.any(session_.stop_requested());
    return outcome_.stopped;
  }
  template <class Record>
  void write(const Record& record) {
    if (session_.records != nullptr) session_.records->write(record);
  }
  void phase(Phase begun) { session_.heartbeat.phase(begun); }

  const Benchmark& benchmark_;
  const Session& session_;
  const Communicator& world_;
  CommunicationRecords* communication_;
  TimingObserver timing_;
  SearchCommunication searched_;  // of the last search
  Outcome outcome_;
  bool is_generated_ = false;
  std::unique_ptr<EdgeStream> edges_;
  std::unique_ptr<SearchPlan> plan_;
  std::vector<GlobalVertex> keys_;
  std::optional<BfsValidator> validator_;
  std::optional<ParentsFile> parents_file_;
};

bool Run::generate() {
  if (is_stopped()) return false;
  phase(Phase::generate);
  counted(RunPart::generate, [&] {
    world_.barrier();
    const double start = now_seconds();
    edges_ = benchmark_.generate();
    outcome_.generation_seconds = world_.max(now_seconds() - start);
  });
  is_generated_ = true;
  session_.progress.generated(outcome_.generation_seconds);
  return true;
}

/// Kernel 1, timed whole, by the clock of the slowest rank.
bool Run::construct() {
  if (is_stopped()) return false;
  ConstructionTimer timer(session_.heartbeat);
  const RetrievalTimer retrieval(*edges_, session_.threads);
  const EdgeStream& edges =
      benchmark_.edges_are_retrieved ? static_cast<const EdgeStream&>(retrieval) : *edges_;

  counted(RunPart::construct, [&] {
    world_.barrier();
    const double start = now_seconds();
    plan_ = benchmark_.construct(edges, timer);
    const double stop = now_seconds();
    timer.end();
    outcome_.construction_seconds = world_.max(stop - start);
  });
  session_.progress.constructed(outcome_.construction_seconds);
  ConstructionRecord record = construction_record(plan_->facts(), world_.size());
  record.seconds = outcome_.construction_seconds;
  record.retrieval_seconds = world_.max(retrieval.seconds());
  record.generation_seconds = outcome_.generation_seconds;
  record.phases = timer.phases(world_);
  if (benchmark_.construction_check) check_construction(record);
  record.peak_bytes_per_rank = world_.allgather(peak_bytes());
  phase(Phase::write);
  write(record);
  return true;
}

/// Untimed. Every edge must be found in what was constructed.
void Run::check_construction(ConstructionRecord& record) {
  phase(Phase::check_construction);
  const SearchPlan::ConstructionCheck check = plan_->check_construction(*edges_, world_);
  const GraphFacts& facts = plan_->facts();
  const std::int64_t edges =
      facts.keeps_duplicates ? facts.num_edges - facts.self_loops : count_distinct_edges(*edges_, world_);
  record.check = construction_check_record(check, 2 * edges);
  if (!record.check->passed) {
    outcome_.violations += construction_violations(*record.check);
    session_.progress.construction_is_wrong(sentence_of(*record.check, check.first_missing).c_str());
  }
}

bool Run::sample_keys() {
  if (is_stopped()) return false;
  phase(Phase::sample_keys);
  const auto has_neighbour = [&](std::span<const GlobalVertex> candidates) {
    return plan_->has_neighbour(candidates);
  };
  if (benchmark_.roots.empty()) {
    keys_ = sample_search_keys(benchmark_.graph, benchmark_.keys, has_neighbour);
    if (keys_.empty()) {
      throw UsageError(
          "no vertex of this graph has a neighbour, so there is nothing to search; use a larger scale");
    }
  } else {
    keys_ = benchmark_.roots;
    const std::vector<char> usable = has_neighbour(keys_);
    const auto unusable = std::find(usable.begin(), usable.end(), 0);
    if (unusable != usable.end()) {
      throw UsageError(fmt::format("--root {} has no neighbour; choose another vertex",
                                   raw(keys_[static_cast<std::size_t>(unusable - usable.begin())])));
    }
  }
  if (benchmark_.validation) {
    counted(RunPart::validate, [&] { validator_.emplace(world_, plan_->partition(), *edges_); });
  }
  if (!benchmark_.parents_file.empty()) {
    parents_file_.emplace(benchmark_.parents_file, world_, plan_->partition());
  }
  return true;
}

void Run::search_all() {
  for (int i = 0; i < benchmark_.warmup_searches; ++i) {
    if (!search(0, true)) return;
  }
  for (std::size_t key = 0; key < keys_.size(); ++key) {
    if (!search(key, false)) return;
  }
}

/// Kernel 2 from one key, timed by the clock of the slowest rank, and its validation, timed apart.
bool Run::search(std::size_t key, bool warmup) {
  if (is_stopped()) return false;
  const int index = static_cast<int>(key);
  const GlobalVertex root = keys_[key];
  if (!warmup) session_.progress.search_begins(index);
  SearchRecord record;
  record.index = index;
  record.warmup = warmup;
  record.root = raw(root);
  if (communication_ != nullptr) communication_->align_clocks();
  const std::int64_t faults_before = page_faults();
  record.started_seconds = now_seconds() - session_.started;
  timing_.begin_search(index, *plan_);

  world_.barrier();
  TimeWindow window;
  window.start = now_seconds();
  const std::span<const GlobalVertex> parents = plan_->search(root, timing_);
  timing_.end_search();
  window.stop = now_seconds();

  record.page_faults = world_.sum(page_faults() - faults_before);
  SearchTiming timing = reduce_search(world_, window, timing_.timeline());
  const TraversedEdges traversed = plan_->traversed_edges(root);
  put_timing(record, timing, traversed);
  put_communication_of(window, record, timing);
  if (!warmup) session_.progress.search_ended(index, record.seconds, record.teps);
  if (is_stopped()) return false;  // dropped: nothing of it is recorded
  if (communication_ != nullptr && !warmup) communication_->ledger().commit();

  OfficialSearch official{record.seconds, record.traversed_edges, record.traversed_edges_with_self_loops, {}};
  if (validator_) {
    record.validation = validate(*validator_, index, parents, record);
    official.validation_seconds = record.validation->seconds;
  }
  phase(Phase::write);
  if (!warmup) {
    if (parents_file_) parents_file_->write(index, parents);
    for (LevelRecord& level : timing.levels) {
      level.search = index;
      write(level);
    }
    write_communication_of(index);
    outcome_.searches.push_back(official);
  }
  write(record);
  session_.heartbeat.search(-1);
  return true;
}

/// What the ledger's entry says of the search that just ended.
void Run::put_communication_of(const TimeWindow& window, SearchRecord& record, SearchTiming& timing) {
  if (communication_ == nullptr) return;
  searched_ = communication_->of_search(timing_.timeline(), window.seconds());
  put_communication(record, searched_);
  for (LevelRecord& level : timing.levels) put_communication(level, searched_);
}

void Run::write_communication_of(int search) {
  if (communication_ == nullptr) return;
  write(CallsRecord{.search = search, .cells = searched_.cells});
  for (TrafficMatrixRecord& matrix : searched_.peer_matrices) {
    matrix.search = search;
    write(matrix);
  }
}

/// What the whole run communicated, part by part.
void Run::write_communication_of_run() {
  if (communication_ == nullptr) return;
  for (const MpiTimeRecord& record : communication_->mpi_times()) write(record);
  for (const MessageSizesRecord& record : communication_->message_sizes()) write(record);
  for (const TrafficMatrixRecord& record : communication_->traffic_matrices()) write(record);
}

ValidationRecord Run::validate(BfsValidator& validator, int index, std::span<const GlobalVertex> parents,
                               SearchRecord& record) {
  phase(Phase::validate);
  session_.progress.validation_begins(index);
  const ClaimedEdges claimed{record.traversed_edges,
                             record.traversed_edges_with_self_loops - record.traversed_edges};
  BfsValidation outcome;
  double seconds = 0;
  counted(RunPart::validate, [&] {
    world_.barrier();
    const double start = now_seconds();
    outcome = validator.validate(GlobalVertex{record.root}, parents, claimed);
    seconds = world_.max(now_seconds() - start);
  });

  for (const RuleOutcome& rule : outcome.rules) outcome_.violations += rule.violations;
  record.vertices_reached = outcome.vertices_reached;
  record.levels = static_cast<int>(outcome.vertices_per_level.size());
  record.vertices_per_level = outcome.vertices_per_level;
  session_.progress.validated(index, seconds, outcome);
  return validation_record(outcome, seconds);
}

void Run::finish() {
  phase(Phase::finish);
  write_communication_of_run();
  const arena::HugePages pages = arena::huge_pages();
  FinishRecord record;
  record.state = outcome_.stopped ? "unfinished" : "complete";
  record.searches_completed = static_cast<int>(outcome_.searches.size());
  record.violations = outcome_.violations;
  record.peak_bytes_per_rank = world_.allgather(peak_bytes());
  record.huge_pages_requested_bytes = world_.sum(pages.requested_bytes);
  record.huge_pages_obtained_bytes = world_.sum(pages.obtained_bytes);
  record.seconds = now_seconds() - session_.started;
  if (is_generated_) record.graph_generation_seconds = outcome_.generation_seconds;
  if (plan_ != nullptr) record.construction_seconds = outcome_.construction_seconds;
  write(record);
  if (session_.records != nullptr) session_.records->flush();
}

}  // namespace

Outcome run_benchmark(const Benchmark& benchmark, const Session& session) {
  return Run(benchmark, session).run();
}

}  // namespace isobath
