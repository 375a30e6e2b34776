// SPDX-License-Identifier: Apache-2.0
#include "graph500/protocol.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/arena.hpp"
#include "base/clock.hpp"
#include "generator/search_keys.hpp"
#include "graph500/construction_timing.hpp"
#include "graph500/disclosures.hpp"
#include "graph500/protocol_records.hpp"
#include "graph500/result_file.hpp"
#include "graph500/run_edges.hpp"
#include "graph500/search_timing.hpp"
#include "graph500/timing_observer.hpp"
#include "record/process_facts.hpp"
#include "validate/bfs_rules.hpp"
#include "validate/distinct_edges.hpp"
#include "validate/sssp_rules.hpp"

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
    const Kernels kernels = benchmark_.kernels();
    if (generate() && construct() && sample_keys()) {
      const bool is_whole = !kernels.bfs || search_all(Kernel::bfs);
      if (is_whole && kernels.sssp) search_all(Kernel::sssp);
    }
    finish();
    return std::move(outcome_);
  }

 private:
  // Steps return false when the run was asked to stop.
  bool generate();
  bool construct();
  template <class Plan, class Edges>
  ConstructionRecord construct_for(
      Kernel kernel, const Edges& edges, const RetrievalClock& retrieval,
      const std::function<std::unique_ptr<Plan>(const Edges&, PhaseObserver&)>& make,
      std::unique_ptr<Plan>& plan);
  void finish_construction(ConstructionRecord& record);
  std::int64_t found_vertices() const;
  void check_construction(ConstructionRecord& record);
  std::int64_t distinct_edges();
  bool sample_keys();
  std::vector<char> have_neighbours(std::span<const GlobalVertex> asked) const;
  void open_results();
  void open_validator();
  bool copies_list() const {
    return benchmark_.validation && benchmark_.validation_copy && world_.size() == 1;
  }
  RunDone what_was_done() const;
  bool search_all(Kernel kernel);
  bool search(Kernel kernel, std::size_t key, bool warmup);
  SearchTiming timed_search(SearchRecord& record, Kernel kernel, ShortestPaths& found);
  ShortestPaths find(Kernel kernel, GlobalVertex root);
  void validate(Kernel kernel, const ShortestPaths& found, SearchRecord& record);
  template <class Validate>
  void validate_with(Kernel kernel, SearchRecord& record, const Validate& validate);
  void write_search(Kernel kernel, const ShortestPaths& found, SearchTiming& timing,
                    const SearchRecord& record);
  void put_communication_of(const TimeWindow& window, SearchRecord& record, SearchTiming& timing);
  void write_communication_of(Kernel kernel, int search);
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
  RoundTimer round_timer_{timing_};
  SearchCommunication searched_;  // of the last search
  Outcome outcome_;
  bool is_generated_ = false;
  bool is_constructed_ = false;
  RunEdges edges_;
  std::unique_ptr<SearchPlan> plan_;
  std::unique_ptr<PathPlan> path_plan_;
  std::vector<GlobalVertex> keys_;
  int warmups_ = 0;       // searches made before the timed ones, of kernel 2
  int path_warmups_ = 0;  // and of kernel 3
  std::optional<BfsValidator> validator_;
  std::optional<double> copy_seconds_;
  std::optional<SsspValidator> path_validator_;
  std::optional<ResultFile<GlobalVertex>> parents_file_;
  std::optional<ResultFile<float>> distances_file_;
};

bool Run::generate() {
  if (is_stopped()) return false;
  phase(Phase::generate);
  counted(RunPart::generate, [&] {
    world_.barrier();
    const double start = now_seconds();
    edges_ = benchmark_.kernels().sssp ? RunEdges(benchmark_.generate_weighted())
                                       : RunEdges(benchmark_.generate());
    outcome_.generation_seconds = world_.max(now_seconds() - start);
  });
  is_generated_ = true;
  session_.progress.generated(outcome_.generation_seconds);
  return true;
}

/// Kernel 1, timed whole, by the clock of the slowest rank; for each kernel that searches, and added up.
bool Run::construct() {
  if (is_stopped()) return false;
  if (benchmark_.construct) {
    RetrievalClock clock(session_.threads);
    const RetrievalTimer retrieval(edges_.list(), clock);
    const EdgeStream& edges =
        benchmark_.edges_are_retrieved ? static_cast<const EdgeStream&>(retrieval) : edges_.list();
    ConstructionRecord record = construct_for(Kernel::bfs, edges, clock, benchmark_.construct, plan_);
    edges_.take_found(found_vertices());
    if (benchmark_.construction_check) check_construction(record);
    finish_construction(record);
  }
  if (is_stopped()) return false;
  if (benchmark_.construct_paths) {
    RetrievalClock clock(session_.threads);
    const WeightedRetrievalTimer retrieval(edges_.weighted(), clock);
    const WeightedEdgeStream& edges = benchmark_.edges_are_retrieved
                                          ? static_cast<const WeightedEdgeStream&>(retrieval)
                                          : edges_.weighted();
    ConstructionRecord record =
        construct_for(Kernel::sssp, edges, clock, benchmark_.construct_paths, path_plan_);
    edges_.take_found(found_vertices());
    record.path_plan = path_plan_record(*path_plan_);
    finish_construction(record);
  }
  is_constructed_ = true;
  session_.progress.constructed(outcome_.construction_seconds);
  return true;
}

template <class Plan, class Edges>
ConstructionRecord Run::construct_for(
    Kernel kernel, const Edges& edges, const RetrievalClock& retrieval,
    const std::function<std::unique_ptr<Plan>(const Edges&, PhaseObserver&)>& make,
    std::unique_ptr<Plan>& plan) {
  ConstructionTimer timer(session_.heartbeat);
  double seconds = 0;
  counted(RunPart::construct, [&] {
    world_.barrier();
    const double start = now_seconds();
    plan = make(edges, timer);
    const double stop = now_seconds();
    timer.end();
    seconds = world_.max(stop - start);
  });
  outcome_.construction_seconds += seconds;
  ConstructionRecord record = construction_record(plan->facts(), world_.size());
  record.kernel = name_of(kernel);
  record.seconds = seconds;
  record.retrieval_seconds = world_.max(retrieval.seconds());
  record.generation_seconds = outcome_.generation_seconds;
  record.phases = timer.phases(world_);
  return record;
}

std::int64_t Run::found_vertices() const {
  return (plan_ ? plan_->partition() : path_plan_->partition()).num_vertices();
}

void Run::finish_construction(ConstructionRecord& record) {
  record.peak_bytes_per_rank = world_.allgather(peak_bytes());
  phase(Phase::write);
  write(record);
}

/// Untimed. Every edge must be found in what was constructed.
void Run::check_construction(ConstructionRecord& record) {
  if (copies_list()) open_validator();  // the copy counts distinct edges too
  phase(Phase::check_construction);
  const std::unique_ptr<EdgeStream> by_rows = validator_ ? validator_->edges_by_rows() : nullptr;
  const SearchPlan::ConstructionCheck check =
      plan_->check_construction(by_rows ? *by_rows : edges_.list(), world_);
  const GraphFacts& facts = plan_->facts();
  const std::int64_t edges = facts.keeps_duplicates ? facts.num_edges - facts.self_loops : distinct_edges();
  record.check = construction_check_record(check, 2 * edges);
  if (!record.check->passed) {
    outcome_.violations += construction_violations(*record.check);
    session_.progress.construction_is_wrong(sentence_of(*record.check, check.first_missing).c_str());
  }
}

/// From the list alone: by the validator's copy of it where there is one.
std::int64_t Run::distinct_edges() {
  const std::optional<std::int64_t> copied = validator_ ? validator_->distinct_edges() : std::nullopt;
  return copied ? *copied : count_distinct_edges(edges_.list(), world_);
}

/// Vertices that construction did not find are in no edge.
std::vector<char> Run::have_neighbours(std::span<const GlobalVertex> asked) const {
  std::vector<GlobalVertex> known;
  for (const GlobalVertex v : asked) {
    if (raw(v) < found_vertices()) known.push_back(v);
  }
  const std::vector<char> of_known = plan_ ? plan_->has_neighbour(known) : path_plan_->has_neighbour(known);
  std::vector<char> answers;
  auto next = of_known.begin();
  for (const GlobalVertex v : asked) answers.push_back(raw(v) < found_vertices() ? *next++ : char{0});
  return answers;
}

bool Run::sample_keys() {
  if (is_stopped()) return false;
  phase(Phase::sample_keys);
  const auto has_neighbour = [this](std::span<const GlobalVertex> asked) { return have_neighbours(asked); };
  if (benchmark_.roots.empty()) {
    keys_ = benchmark_.sample_keys ? benchmark_.sample_keys(benchmark_.keys, has_neighbour)
                                   : sample_search_keys(benchmark_.graph, benchmark_.keys, has_neighbour);
    if (keys_.empty()) {
      throw UsageError(
          "no vertex of this graph has a neighbour, so there is nothing to search; use a larger graph");
    }
  } else {
    keys_ = benchmark_.roots;
    const std::vector<char> usable = has_neighbour(keys_);
    const auto unusable = std::find(usable.begin(), usable.end(), 0);
    if (unusable != usable.end()) {
      const GlobalVertex root = keys_[static_cast<std::size_t>(unusable - usable.begin())];
      throw UsageError(fmt::format("--root {} has no neighbour; choose another vertex",
                                   benchmark_.id_of ? benchmark_.id_of(root) : raw(root)));
    }
  }
  open_results();
  return true;
}

/// What takes the results of searches, before the first one is timed.
void Run::open_results() {
  if (benchmark_.validation) {
    counted(RunPart::validate, [&] {
      if (plan_ && !validator_) open_validator();
      if (path_plan_) path_validator_.emplace(world_, path_plan_->partition(), edges_.weighted());
    });
  }
  const BlockPartition& partition = plan_ ? plan_->partition() : path_plan_->partition();
  if (!benchmark_.parents_file.empty()) parents_file_.emplace(benchmark_.parents_file, world_, partition);
  if (!benchmark_.distances_file.empty() && path_plan_) {
    distances_file_.emplace(benchmark_.distances_file, world_, partition);
  }
}

/// The copy of the edges is made here, in no search's validation.
void Run::open_validator() {
  const bool is_copied = copies_list();
  if (is_copied) phase(Phase::validate);
  const double start = now_seconds();
  validator_.emplace(world_, plan_->partition(), edges_.list(), is_copied ? ListCopy::yes : ListCopy::no);
  if (is_copied) copy_seconds_ = now_seconds() - start;
}

bool Run::search_all(Kernel kernel) {
  for (int i = 0; i < benchmark_.warmup_searches; ++i) {
    if (!search(kernel, 0, true)) return false;
    ++(kernel == Kernel::bfs ? warmups_ : path_warmups_);
  }
  for (std::size_t key = 0; key < keys_.size(); ++key) {
    if (!search(kernel, key, false)) return false;
  }
  return true;
}

/// Kernel 2 or 3 from one key, and its validation, timed apart.
bool Run::search(Kernel kernel, std::size_t key, bool warmup) {
  if (is_stopped()) return false;
  const int index = static_cast<int>(key);
  if (!warmup) session_.progress.search_begins(kernel, index);
  SearchRecord record;
  record.kernel = name_of(kernel);
  record.index = index;
  record.warmup = warmup;
  record.root = raw(keys_[key]);
  ShortestPaths found;
  SearchTiming timing = timed_search(record, kernel, found);
  if (!warmup) session_.progress.search_ended(kernel, index, record.seconds, record.teps);
  if (is_stopped()) return false;  // dropped: nothing of it is recorded
  if (communication_ != nullptr && !warmup) communication_->ledger().commit();

  if (benchmark_.validation) validate(kernel, found, record);
  phase(Phase::write);
  if (!warmup) write_search(kernel, found, timing, record);
  write(record);
  session_.heartbeat.search(-1);
  return true;
}

/// The search itself, by the clock of the slowest rank.
SearchTiming Run::timed_search(SearchRecord& record, Kernel kernel, ShortestPaths& found) {
  const GlobalVertex root{record.root};
  if (communication_ != nullptr) communication_->align_clocks();
  const std::int64_t faults_before = page_faults();
  record.started_seconds = now_seconds() - session_.started;
  if (kernel == Kernel::bfs) {
    timing_.begin_search(record.index, *plan_);
  } else {
    timing_.begin_search(record.index, *path_plan_);
  }

  world_.barrier();
  TimeWindow window;
  window.start = now_seconds();
  found = find(kernel, root);
  timing_.end_search();
  window.stop = now_seconds();

  record.page_faults = world_.sum(page_faults() - faults_before);
  SearchTiming timing = reduce_search(world_, window, timing_.timeline());
  const TraversedEdges traversed =
      kernel == Kernel::bfs ? plan_->traversed_edges(root) : path_plan_->traversed_edges(root);
  put_timing(record, timing, traversed);
  if (kernel == Kernel::sssp) record.rounds = static_cast<int>(timing.levels.size());
  put_communication_of(window, record, timing);
  return timing;
}

/// A breadth-first search has no distances.
ShortestPaths Run::find(Kernel kernel, GlobalVertex root) {
  if (kernel == Kernel::sssp) return path_plan_->search(root, round_timer_);
  return {.parents = plan_->search(root, timing_), .distances = {}};
}

/// What is kept of a timed search besides its own record.
void Run::write_search(Kernel kernel, const ShortestPaths& found, SearchTiming& timing,
                       const SearchRecord& record) {
  const bool is_bfs = kernel == Kernel::bfs;
  const int searches_before = is_bfs || !plan_ ? 0 : static_cast<int>(keys_.size());
  if (parents_file_) parents_file_->write(searches_before + record.index, found.parents);
  if (distances_file_ && !is_bfs) distances_file_->write(record.index, found.distances);
  for (LevelRecord& level : timing.levels) {
    level.search = record.index;
    if (is_bfs) {
      write(level);
    } else {
      write(round_record(level));
    }
  }
  write_communication_of(kernel, record.index);
  OfficialSearch official{record.seconds, record.traversed_edges, record.traversed_edges_with_self_loops, {}};
  if (record.validation) official.validation_seconds = record.validation->seconds;
  (is_bfs ? outcome_.searches : outcome_.path_searches).push_back(official);
}

/// What the ledger's entry says of the search that just ended.
void Run::put_communication_of(const TimeWindow& window, SearchRecord& record, SearchTiming& timing) {
  if (communication_ == nullptr) return;
  searched_ = communication_->of_search(timing_.timeline(), window.seconds());
  put_communication(record, searched_);
  for (LevelRecord& level : timing.levels) put_communication(level, searched_);
}

void Run::write_communication_of(Kernel kernel, int search) {
  if (communication_ == nullptr) return;
  const std::string_view name = name_of(kernel);
  write(CallsRecord{.kernel = name, .search = search, .cells = searched_.cells});
  for (TrafficMatrixRecord& matrix : searched_.peer_matrices) {
    matrix.kernel = name;
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

void Run::validate(Kernel kernel, const ShortestPaths& found, SearchRecord& record) {
  const GlobalVertex root{record.root};
  const ClaimedEdges claimed{record.traversed_edges,
                             record.traversed_edges_with_self_loops - record.traversed_edges};
  if (kernel == Kernel::bfs) {
    validate_with(kernel, record, [&] { return validator_->validate(root, found.parents, claimed); });
  } else {
    validate_with(kernel, record,
                  [&] { return path_validator_->validate(root, found.parents, found.distances, claimed); });
  }
}

template <class Validate>
void Run::validate_with(Kernel kernel, SearchRecord& record, const Validate& validate) {
  phase(Phase::validate);
  session_.progress.validation_begins(kernel, record.index);
  decltype(validate()) outcome;
  double seconds = 0;
  counted(RunPart::validate, [&] {
    world_.barrier();
    const double start = now_seconds();
    outcome = validate();
    seconds = world_.max(now_seconds() - start);
  });

  for (const RuleOutcome& rule : outcome.rules) outcome_.violations += rule.violations;
  put_counts(record, outcome);
  record.validation = validation_record(outcome, seconds);
  session_.progress.validated(kernel, record.index, seconds, outcome.first_violation());
}

RunDone Run::what_was_done() const {
  RunDone done;
  if (plan_) {
    done.bfs = KernelDone{std::string(plan_->name()), plan_->facts(), warmups_, false};
  }
  if (path_plan_) {
    done.sssp = KernelDone{std::string(path_plan_->name()), path_plan_->facts(), path_warmups_,
                           path_plan_->is_pruned()};
  }
  return done;
}

void Run::finish() {
  phase(Phase::finish);
  if (is_constructed_) outcome_.disclosures = disclosures(what_was_done());
  write_communication_of_run();
  const arena::HugePages pages = arena::huge_pages();
  FinishRecord record;
  record.state = outcome_.stopped ? "unfinished" : "complete";
  record.searches_completed = static_cast<int>(outcome_.num_searches());
  record.violations = outcome_.violations;
  record.peak_bytes_per_rank = world_.allgather(peak_bytes());
  record.huge_pages_requested_bytes = world_.sum(pages.requested_bytes);
  record.huge_pages_obtained_bytes = world_.sum(pages.obtained_bytes);
  record.seconds = now_seconds() - session_.started;
  if (is_generated_) record.graph_generation_seconds = outcome_.generation_seconds;
  if (is_constructed_) record.construction_seconds = outcome_.construction_seconds;
  record.validation_copy_seconds = copy_seconds_;
  record.disclosures = outcome_.disclosures;
  write(record);
  if (session_.records != nullptr) session_.records->flush();
}

}  // namespace

Outcome run_benchmark(const Benchmark& benchmark, const Session& session) {
  return Run(benchmark, session).run();
}

}  // namespace isobath
