// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <variant>
#include <vector>

#include "bfs/plan.hpp"
#include "graph500/construction_timing.hpp"
#include "graph500/kernel.hpp"
#include "graph500/protocol.hpp"
#include "graph500/run_edges.hpp"
#include "graph500/search_timing.hpp"
#include "record/record_writer.hpp"
#include "validate/bfs_rules.hpp"
#include "validate/sssp_rules.hpp"

namespace isobath {

/// What the validator of a kernel says of one search.
using Validation = std::variant<BfsValidation, SsspValidation>;

/// One kernel of a run: its plan and its validator. What differs between the kernels stands here and nowhere
/// else; the protocol treats all alike.
class KernelRun {
 public:
  explicit KernelRun(Kernel kernel) : kernel_(kernel) {}
  KernelRun(const KernelRun&) = delete;
  KernelRun& operator=(const KernelRun&) = delete;
  virtual ~KernelRun() = default;

  Kernel kernel() const { return kernel_; }
  /// Constructed.
  SearchPlan& plan() const { return *plan_; }

  /// Collective. Kernel 1. @param retrieval  told how long getting edges took; null: nobody asks
  void construct(const RunEdges& edges, RetrievalClock* retrieval, PhaseObserver& observer) {
    plan_ = constructed(edges, retrieval, observer);
  }
  /// What its construction record says besides.
  virtual void put_plan(ConstructionRecord& /*record*/) const {}

  /// Does its validator know how to keep a copy of the edges?
  virtual bool can_copy() const { return false; }
  /// Collective. @param edges  outlive the validator
  virtual void open_validator(const Communicator& world, const RunEdges& edges, ListCopy copy) = 0;
  virtual bool has_validator() const = 0;
  /// Did it make one?
  virtual bool has_copy() const { return false; }
  /// Collective.
  virtual Validation validate(GlobalVertex root, const FoundTree& found, ClaimedEdges claimed) = 0;
  /// Collective. Of the validator's copy, where there is one.
  virtual std::unique_ptr<EdgeStream> edges_by_rows() const { return nullptr; }
  virtual std::optional<std::int64_t> distinct_edges() const { return std::nullopt; }

  /// What its search record says of the levels.
  virtual void put_levels(SearchRecord& /*record*/, const SearchTiming& /*timing*/) const {}
  virtual void write(RecordWriter& records, const LevelRecord& level) const = 0;

  int warmups = 0;  // searches made before the timed ones

 private:
  virtual std::unique_ptr<SearchPlan> constructed(const RunEdges& edges, RetrievalClock* retrieval,
                                                  PhaseObserver& observer) const = 0;

  Kernel kernel_;
  std::unique_ptr<SearchPlan> plan_;
};

/// Those that the benchmark asks for, in the order in which they run.
std::vector<std::unique_ptr<KernelRun>> kernel_runs(const Benchmark& benchmark);

}  // namespace isobath
