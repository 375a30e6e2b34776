// SPDX-License-Identifier: Apache-2.0
#include "graph500/protocol.hpp"

#include <algorithm>
#include <utility>

#include "base/arena.hpp"
#include "base/clock.hpp"
#include "graph500/construction_timing.hpp"
#include "graph500/disclosures.hpp"
#include "graph500/kernel_run.hpp"
#include "graph500/protocol_records.hpp"
#include "graph500/result_files.hpp"
#include "graph500/run_edges.hpp"
#include "graph500/run_keys.hpp"
#include "graph500/search_timing.hpp"
#include "graph500/timing_observer.hpp"
#include "machine/process_facts.hpp"
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
        timing_(session.heartbeat, communication_ == nullptr ? nullptr : &communication_->ledger()),
        kernels_(kernel_runs(benchmark)) {}

  Outcome run() {
    if (generate() && construct() && sample_keys()) {
      std::ranges::all_of(kernels_, [this](const auto& kernel) { return search_all(*kernel); });
    }
    finish();
    return std::move(outcome_);
  }

 private:
  // Steps return false when the run was asked to stop.
  bool generate();
  bool construct();
  void construct(KernelRun& kernel);
  ConstructionRecord timed_construction(KernelRun& kernel);
  void finish_construction(ConstructionRecord& record);
  std::int64_t found_vertices() const { return some_plan().partition().num_vertices(); }
  /// That of the first kernel; for what all plans of one edge list say alike.
  const SearchPlan& some_plan() const { return kernels_.front()->plan(); }
  void check_construction(KernelRun& kernel, ConstructionRecord& record);
  std::int64_t distinct_edges(const KernelRun& kernel);
  bool sample_keys();
  void open_results();
  void open_validator(KernelRun& kernel);
  bool asks_for_copy(const KernelRun& kernel) const {
    return kernel.can_copy() && benchmark_.validation && benchmark_.validation_copy;
  }
  RunDone what_was_done() const;
  bool search_all(KernelRun& kernel);
  bool search(KernelRun& kernel, std::size_t key, bool warmup);
  SearchTiming timed_search(KernelRun& kernel, SearchRecord& record, FoundTree& found);
  void validate(KernelRun& kernel, const FoundTree& found, SearchRecord& record);
  void write_search(const KernelRun& kernel, const FoundTree& found, SearchTiming& timing,
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
  SearchCommunication searched_;  // of the last search
  Outcome outcome_;
  bool is_generated_ = false;
  bool is_constructed_ = false;
  RunEdges edges_;
  std::vector<std::unique_ptr<KernelRun>> kernels_;
  std::vector<GlobalVertex> keys_;
  std::optional<double> copy_seconds_;
  std::optional<ResultFiles> results_;
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

/// Kernel 1 for each kernel that searches.
bool Run::construct() {
  for (const auto& kernel : kernels_) {
    if (is_stopped()) return false;
    construct(*kernel);
  }
  if (is_stopped()) return false;
  is_constructed_ = true;
  session_.progress.constructed(outcome_.construction_seconds);
  return true;
}

void Run::construct(KernelRun& kernel) {
  ConstructionRecord record = timed_construction(kernel);
  edges_.take_found(found_vertices());
  kernel.put_plan(record);
  if (benchmark_.construction_check) check_construction(kernel, record);
  finish_construction(record);
}

/// Timed whole, by the clock of the slowest rank; added up over the kernels.
ConstructionRecord Run::timed_construction(KernelRun& kernel) {
  RetrievalClock retrieval(session_.threads);
  ConstructionTimer timer(session_.heartbeat);
  double seconds = 0;
  counted(RunPart::construct, [&] {
    world_.barrier();
    const double start = now_seconds();
    kernel.construct(edges_, benchmark_.edges_are_retrieved ? &retrieval : nullptr, timer);
    const double stop = now_seconds();
    timer.end();
    seconds = world_.max(stop - start);
  });
  outcome_.construction_seconds += seconds;
  ConstructionRecord record = construction_record(kernel.plan().facts(), world_.size());
  record.kernel = name_of(kernel.kernel());
  record.seconds = seconds;
  record.retrieval_seconds = world_.max(retrieval.seconds());
  record.generation_seconds = outcome_.generation_seconds;
  record.phases = timer.phases(world_);
  return record;
}

void Run::finish_construction(ConstructionRecord& record) {
  record.peak_bytes_per_rank = world_.allgather(peak_bytes());
  phase(Phase::write);
  write(record);
}

/// Untimed. Every edge must be found in what was constructed.
void Run::check_construction(KernelRun& kernel, ConstructionRecord& record) {
  if (asks_for_copy(kernel)) open_validator(kernel);  // the copy counts distinct edges too
  phase(Phase::check_construction);
  const std::unique_ptr<EdgeStream> by_rows = kernel.edges_by_rows();
  const auto check = kernel.plan().check_construction(by_rows ? *by_rows : edges_.list());
  if (!check) return;
  const GraphFacts& facts = kernel.plan().facts();
  const std::int64_t edges =
      facts.keeps_duplicates ? facts.num_edges - facts.self_loops : distinct_edges(kernel);
  record.check = construction_check_record(*check, 2 * edges);
  if (!record.check->passed) {
    outcome_.violations += construction_violations(*record.check);
    session_.progress.construction_is_wrong(sentence_of(*record.check, check->first_missing).c_str());
  }
}

/// From the list alone: by the validator's copy of it where there is one.
std::int64_t Run::distinct_edges(const KernelRun& kernel) {
  const std::optional<std::int64_t> copied = kernel.distinct_edges();
  return copied ? *copied : count_distinct_edges(edges_.list(), world_);
}

bool Run::sample_keys() {
  if (is_stopped()) return false;
  phase(Phase::sample_keys);
  keys_ = keys_of_run(benchmark_, some_plan());
  open_results();
  return true;
}

/// What takes the results of searches, before the first one is timed.
void Run::open_results() {
  if (benchmark_.validation) {
    for (const auto& kernel : kernels_) {
      if (!kernel->has_validator()) open_validator(*kernel);
    }
  }
  results_.emplace(benchmark_, world_, some_plan().partition(), static_cast<int>(keys_.size()));
}

/// The copy of the edges is made here, in no search's validation.
void Run::open_validator(KernelRun& kernel) {
  const bool asks = asks_for_copy(kernel);
  if (asks) phase(Phase::validate);
  counted(RunPart::validate, [&] {
    const double start = now_seconds();
    kernel.open_validator(world_, edges_, asks ? ListCopy::yes : ListCopy::no);
    if (kernel.has_copy()) copy_seconds_ = world_.max(now_seconds() - start);
  });
}

bool Run::search_all(KernelRun& kernel) {
  for (int i = 0; i < benchmark_.warmup_searches; ++i) {
    if (!search(kernel, 0, true)) return false;
    ++kernel.warmups;
  }
  for (std::size_t key = 0; key < keys_.size(); ++key) {
    if (!search(kernel, key, false)) return false;
  }
  return true;
}

/// Kernel 2 or 3 from one key, and its validation, timed apart.
bool Run::search(KernelRun& kernel, std::size_t key, bool warmup) {
  if (is_stopped()) return false;
  const int index = static_cast<int>(key);
  if (!warmup) session_.progress.search_begins(kernel.kernel(), index);
  SearchRecord record;
  record.kernel = name_of(kernel.kernel());
  record.index = index;
  record.warmup = warmup;
  record.root = raw(keys_[key]);
  FoundTree found;
  SearchTiming timing = timed_search(kernel, record, found);
  if (!warmup) session_.progress.search_ended(kernel.kernel(), index, record.seconds, record.teps);
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
SearchTiming Run::timed_search(KernelRun& kernel, SearchRecord& record, FoundTree& found) {
  const GlobalVertex root{record.root};
  if (communication_ != nullptr) communication_->align_clocks();
  const std::int64_t faults_before = page_faults();
  record.started_seconds = now_seconds() - session_.started;
  SearchPlan& plan = kernel.plan();
  timing_.begin_search(record.index, plan);

  world_.barrier();
  TimeWindow window;
  window.start = now_seconds();
  found = plan.search(root, timing_);
  timing_.end_search();
  window.stop = now_seconds();

  record.page_faults = world_.sum(page_faults() - faults_before);
  SearchTiming timing = reduce_search(world_, window, timing_.timeline());
  put_timing(record, timing, plan.traversed_edges(root));
  kernel.put_levels(record, timing);
  put_communication_of(window, record, timing);
  return timing;
}

/// What is kept of a timed search besides its own record.
void Run::write_search(const KernelRun& kernel, const FoundTree& found, SearchTiming& timing,
                       const SearchRecord& record) {
  results_->write(kernel.kernel(), record.index, found);
  for (LevelRecord& level : timing.levels) {
    level.search = record.index;
    if (session_.records != nullptr) kernel.write(*session_.records, level);
  }
  write_communication_of(kernel.kernel(), record.index);
  OfficialSearch official{record.seconds, record.traversed_edges, record.traversed_edges_with_self_loops, {}};
  if (record.validation) official.validation_seconds = record.validation->seconds;
  outcome_.of(kernel.kernel()).push_back(official);
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

void Run::validate(KernelRun& kernel, const FoundTree& found, SearchRecord& record) {
  const ClaimedEdges claimed{record.traversed_edges,
                             record.traversed_edges_with_self_loops - record.traversed_edges};
  phase(Phase::validate);
  session_.progress.validation_begins(kernel.kernel(), record.index);
  Validation outcome;
  double seconds = 0;
  counted(RunPart::validate, [&] {
    world_.barrier();
    const double start = now_seconds();
    outcome = kernel.validate(GlobalVertex{record.root}, found, claimed);
    seconds = world_.max(now_seconds() - start);
  });

  std::visit(
      [&](const auto& said) {
        for (const RuleOutcome& rule : said.rules) outcome_.violations += rule.violations;
        put_counts(record, said);
        record.validation = validation_record(said, seconds);
        session_.progress.validated(kernel.kernel(), record.index, seconds, said.first_violation());
      },
      outcome);
}

RunDone Run::what_was_done() const {
  RunDone done;
  for (const auto& kernel : kernels_) {
    const SearchPlan& plan = kernel->plan();
    done.of(kernel->kernel()) =
        KernelDone{std::string(plan.name()), plan.facts(), kernel->warmups, plan.is_pruned()};
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
