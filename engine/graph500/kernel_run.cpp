// SPDX-License-Identifier: Apache-2.0
#include "graph500/kernel_run.hpp"

#include "graph500/protocol_records.hpp"

namespace isobath {
namespace {

/// Kernel 2.
class BfsRun final : public KernelRun {
 public:
  explicit BfsRun(const Benchmark& benchmark) : KernelRun(Kernel::bfs), benchmark_(benchmark) {}

  bool can_copy() const override { return true; }
  void open_validator(const Communicator& world, const RunEdges& edges, ListCopy copy) override {
    validator_ = std::make_unique<BfsValidator>(world, plan().partition(), edges.list(), copy);
  }
  bool has_validator() const override { return validator_ != nullptr; }
  bool has_copy() const override { return validator_ && validator_->has_copy(); }
  Validation validate(GlobalVertex root, const FoundTree& found, ClaimedEdges claimed) override {
    return validator_->validate(root, found.parents, claimed);
  }
  std::unique_ptr<EdgeStream> edges_by_rows() const override {
    return validator_ ? validator_->edges_by_rows() : nullptr;
  }
  std::optional<std::int64_t> distinct_edges() const override {
    return validator_ ? validator_->distinct_edges() : std::nullopt;
  }

  void write(RecordWriter& records, const LevelRecord& level) const override { records.write(level); }

 private:
  std::unique_ptr<SearchPlan> constructed(const RunEdges& edges, RetrievalClock* retrieval,
                                          PhaseObserver& observer) const override {
    if (retrieval == nullptr) return benchmark_.construct(edges.list(), observer);
    return benchmark_.construct(RetrievalTimer(edges.list(), *retrieval), observer);
  }

  const Benchmark& benchmark_;
  std::unique_ptr<BfsValidator> validator_;
};

/// Kernel 3. Its levels are rounds.
class SsspRun final : public KernelRun {
 public:
  explicit SsspRun(const Benchmark& benchmark) : KernelRun(Kernel::sssp), benchmark_(benchmark) {}

  void put_plan(ConstructionRecord& record) const override { record.path_plan = path_plan_record(plan()); }

  void open_validator(const Communicator& world, const RunEdges& edges, ListCopy /*copy*/) override {
    validator_ = std::make_unique<SsspValidator>(world, plan().partition(), edges.weighted());
  }
  bool has_validator() const override { return validator_ != nullptr; }
  Validation validate(GlobalVertex root, const FoundTree& found, ClaimedEdges claimed) override {
    return validator_->validate(root, found.parents, found.distances, claimed);
  }

  void put_levels(SearchRecord& record, const SearchTiming& timing) const override {
    record.rounds = static_cast<int>(timing.levels.size());
  }
  void write(RecordWriter& records, const LevelRecord& level) const override {
    records.write(round_record(level));
  }

 private:
  std::unique_ptr<SearchPlan> constructed(const RunEdges& edges, RetrievalClock* retrieval,
                                          PhaseObserver& observer) const override {
    if (retrieval == nullptr) return benchmark_.construct_paths(edges.weighted(), observer);
    return benchmark_.construct_paths(WeightedRetrievalTimer(edges.weighted(), *retrieval), observer);
  }

  const Benchmark& benchmark_;
  std::unique_ptr<SsspValidator> validator_;
};

}  // namespace

std::vector<std::unique_ptr<KernelRun>> kernel_runs(const Benchmark& benchmark) {
  std::vector<std::unique_ptr<KernelRun>> runs;
  if (benchmark.construct) runs.push_back(std::make_unique<BfsRun>(benchmark));
  if (benchmark.construct_paths) runs.push_back(std::make_unique<SsspRun>(benchmark));
  return runs;
}

}  // namespace isobath
