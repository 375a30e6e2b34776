// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/phase.hpp"
#include "base/vertex.hpp"
#include "bfs/switches.hpp"
#include "comm/communicator.hpp"
#include "comm/ledger/traffic.hpp"
#include "graph/hypersparse.hpp"
#include "partition/block_partition.hpp"
#include "partition/edge_stream.hpp"
#include "partition/grid_shape.hpp"

namespace isobath {

enum class Direction { top_down, bottom_up };

constexpr std::string_view name_of(Direction direction) {
  return direction == Direction::top_down ? "top_down" : "bottom_up";
}

/// Told about levels and phases of a search; reads clocks and traffic, which the kernels do not. A level of a
/// search for shortest paths is called a round, and goes top-down: a bucket, a sweep over the vertices, or
/// whatever the plan repeats until nothing changes.
class SearchObserver : public PhaseObserver {
 public:
  /// A level begins: its direction, and the frontier it starts from, over all ranks (searched vertices:
  /// isolated vertices and leaves are not in the searched graph).
  virtual void level_started(Level /*level*/, Direction /*direction*/, std::int64_t /*frontier_vertices*/) {}
  /// This rank has done its part of the level but for the counts over all; arcs it scanned in it.
  virtual void level_finished(Level /*level*/, std::int64_t /*arcs_scanned*/) {}
};

/// What a plan is constructed with.
struct PlanOptions {
  GridShape shape;
  double alpha = 14;  // direction policy, bfs/hybrid/direction.hpp
  double beta = 24;
  Switches switches = {};                           // of the plan: switches_for() or default_switches()
  std::vector<int> node_of_rank = {};               // for exchanges that mind nodes; empty: one node
  Hypersparse hypersparse = Hypersparse::by_count;  // of hybrid, on several grid columns
  int position_bits = 32;                           // likewise: low bits of wide positions (PositionForm)
};

/// What construction set up beside the rows of the graph, as it was done: what readers of a result must know.
struct Prepared {
  bool by_degree = false;                  // numbered by degree; rows begin with neighbours of high degree
  std::int64_t families = 0;               // ranges of rows of the same first heavy neighbour, or hub
  std::int64_t likely_parents = 0;         // vertices whose likely parent emit copies
  std::int64_t told_hubs = 0;              // told to all ranks; owners keep the first of every vertex
  bool first_neighbours = false;           // of every row, apart; on some ranks at least
  int ranks_without_first_neighbours = 0;  // since most of their rows have no arc, where others have them
  bool by_weight = false;                  // rows sorted by weight
  int light_streams = 0;                // so many lightest arcs of every row, apart; on some ranks at least
  int ranks_without_light_streams = 0;  // likewise
  double core_radius = 0;               // chosen by a search; 0: none was
};

/// Facts of a constructed graph, over all ranks. Counts of the original graph unless said otherwise.
struct GraphFacts {
  std::int64_t num_vertices = 0;
  std::int64_t num_edges = 0;
  std::int64_t self_loops = 0;
  bool keeps_duplicates = false;    // stored arcs are not distinct
  std::int64_t distinct_edges = 0;  // unordered pairs, self-loops left out; unknown where duplicates are kept
  std::int64_t isolated_vertices = 0;   // no edge other than self-loops
  std::int64_t leaves = 0;              // vertices of one distinct neighbour, taken out of the searched graph
  std::int64_t searched_vertices = 0;   // with a place in the searched graph
  std::int64_t searched_endpoints = 0;  // of the searched vertices: duplicates and arcs to leaves counted
  std::int64_t stored_arcs = 0;         // arcs between searched vertices
  std::int64_t num_heavy = 0;           // heavy vertices: of the first degree class
  std::int64_t max_degree_with_duplicates = 0;
  std::int64_t components = 0;  // isolated vertices not counted
  std::int64_t largest_component_vertices = 0;
  std::int64_t largest_component_edges = 0;  // without self-loops, duplicates counted
  std::int64_t max_stored_arcs_per_rank = 0;
  Prepared prepared;
};

/// Edges of a component, as the specification and as reference 3.0 count them (ADR 0006). Duplicates counted.
struct TraversedEdges {
  std::int64_t without_self_loops = 0;
  std::int64_t self_loops = 0;
};

/// The tree of one search, of the own vertices in original numbering: views of buffers that the plan owns,
/// valid until its next search.
struct FoundTree {
  /// One for each own vertex; no_vertex where it is not reached.
  std::span<const GlobalVertex> parents;
  /// Of shortest paths; of a breadth-first search none. distances[v] is the least, over all paths from the
  /// root, of the weights added up in float32 in the order of the path; infinity where v is not reached.
  /// distances[v] == distances[parents[v]] + weight holds exactly in float32 for some edge between the two;
  /// following the parents leads to the root.
  std::span<const float> distances = {};
};

/// One way of storing the graph and searching in it, for both kernels: breadth-first (kernel 2) or for
/// shortest paths (kernel 3). Constructed once (kernel 1), searched many times.
class SearchPlan {
 public:
  SearchPlan() = default;
  SearchPlan(const SearchPlan&) = delete;
  SearchPlan& operator=(const SearchPlan&) = delete;
  virtual ~SearchPlan() = default;

  virtual std::string_view name() const = 0;
  /// Who owns which vertex: block b belongs to rank b of the communicator given to construction.
  virtual const BlockPartition& partition() const = 0;
  virtual const GraphFacts& facts() const = 0;

  /// Collective. The tree from `root`, which has a neighbour other than itself.
  virtual FoundTree search(GlobalVertex root, SearchObserver& observer) = 0;

  /// Collective. Edges of the component of `root`, known from construction.
  virtual TraversedEdges traversed_edges(GlobalVertex root) const = 0;
  /// Collective. For every candidate: has it a neighbour other than itself?
  virtual std::vector<char> has_neighbour(std::span<const GlobalVertex> candidates) const = 0;

  /// All that this rank sent in its searches so far, over every communicator it uses.
  virtual Traffic traffic() const = 0;

  /// Collective. The plan's part of the construction check: goes through the edge list again and looks up
  /// both arcs of every edge that is no self-loop in what was constructed, leaves included. Right is: none is
  /// missing, every stored arc is met, and there are twice as many as the list has distinct edges
  /// (count_distinct_edges, which knows no plan) or, where duplicates are kept, edges that are no self-loops.
  struct ConstructionCheck {
    std::int64_t missing_arcs = 0;  // of the list, not stored
    std::int64_t arcs = 0;          // stored, leaves' arcs included
    std::int64_t met_arcs = 0;      // stored, and an edge was found for it
    Edge first_missing{no_vertex, no_vertex};
  };
  /// Absent: the plan has no check, as those for shortest paths have none.
  virtual std::optional<ConstructionCheck> check_construction(const EdgeStream& /*edges*/) const {
    return std::nullopt;
  }

  /// Has construction left out edges that lie on no shortest path?
  virtual bool is_pruned() const { return false; }
  /// Why construction took this plan; empty where it was asked for.
  const std::string& reason() const { return reason_; }
  void because(std::string reason) { reason_ = std::move(reason); }

 private:
  std::string reason_;
};

/// The search plans by name (docs/explanation/plans.md), as registered_plan.hpp lists them.
std::vector<std::string> plan_names();
/// The grid of a plan where none is asked for: one grid column for the replicated plans and for hybrid on few
/// ranks, one grid row for simple and one-sided, the squarest rectangle else (of hybrid with rows >=
/// columns).
GridShape default_shape(std::string_view plan, int ranks);
/// @throws UsageError where the plan cannot have this grid
void require_shape(std::string_view plan, GridShape shape);
/// How the sender and receiver tasks of two-dim run, "side_by_side" or "in_turn"; empty where there are none.
std::string_view tasks_of(std::string_view plan, const Switches& switches, GridShape shape, int threads);

/// Whether the plan can number so many vertices on this grid; asked before edges are generated.
/// @throws RefusedError when it cannot, UsageError for an unknown name
void require_fitting_numbers(std::string_view name, std::int64_t num_vertices, GridShape shape);

/// Collective. Kernel 1 of the plan `name`. @throws UsageError for an unknown name.
/// @param options  the grid and the switches are the plan's own (require_shape, switches_for)
std::unique_ptr<SearchPlan> construct_plan(std::string_view name, const EdgeStream& edges,
                                           const Communicator& world, const PlanOptions& options,
                                           PhaseObserver& observer);

}  // namespace isobath
