// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "bfs/constructed_graph.hpp"
#include "bfs/hybrid/direction.hpp"
#include "bfs/hybrid/emit.hpp"
#include "bfs/hybrid/expand.hpp"
#include "bfs/hybrid/frontier.hpp"
#include "bfs/hybrid/one_column.hpp"
#include "bfs/hybrid/several_columns.hpp"

namespace isobath {

/// The plan `hybrid`: direction-optimised, level-synchronous search on an R x C grid. 1 x 1 is the same code
/// with nothing to send. Expand runs along the grid column; what several columns need, along the grid row
/// (docs/explanation/bfs.md).
class GridSearch final : public SearchPlan {
 public:
  /// Collective. Kernel 1, components included.
  GridSearch(const EdgeStream& edges, const Communicator& world, const PlanOptions& options,
             PhaseObserver& observer);

  std::string_view name() const override { return "hybrid"; }
  const BlockPartition& partition() const override { return built_.graph.layout.blocks; }
  const GraphFacts& facts() const override { return built_.facts; }
  FoundTree search(GlobalVertex root, SearchObserver& observer) override;
  TraversedEdges traversed_edges(GlobalVertex root) const override { return built_.edges_of_component(root); }
  std::vector<char> has_neighbour(std::span<const GlobalVertex> candidates) const override {
    return built_.are_connected(candidates);
  }
  Traffic traffic() const override { return built_.sent(); }
  std::optional<ConstructionCheck> check_construction(const EdgeStream& edges) const override {
    return built_.check(edges);
  }

 private:
  /// Of a frontier, over all ranks.
  struct FrontierSums {
    std::int64_t vertices;
    std::int64_t arcs;  // counted where the policy asks for them and there are several ranks
    std::optional<std::int64_t> visited_hubs;  // of all that is visited; where owners keep hubs
  };
  void reset(const SearchStart& start);
  void search_levels(const SearchStart& start, SearchObserver& observer);
  FrontierSums sums_of_first() const;
  FrontierSums sums_of_found(std::int64_t found, std::int64_t unvisited_before) const;
  Direction choose_direction(const FrontierSums& frontier, std::int64_t unvisited_vertices) const;
  LevelCounts top_down(const SearchStart& start, bool is_first, SearchObserver& observer);
  LevelCounts bottom_up(std::optional<std::int64_t> visited_hubs, SearchObserver& observer);
  std::span<const GlobalVertex> emit(const SearchStart& start);

  ConstructedGraph built_;
  DirectionRule rule_;
  // How many hubs are visited is summed with what a level found: by switches and shape alone, for the sum has
  // that number whether the graph has hubs or not (docs/explanation/plans/hybrid.md).
  bool sums_hubs_;
  DirectionPolicy policy_;
  std::int64_t largest_degree_;  // of the own searched vertices
  Frontier frontier_;
  Expand expand_;
  std::optional<OneColumn> one_column_;            // either this,
  std::optional<SeveralColumns> several_columns_;  // or that
  Emit emit_;
};

}  // namespace isobath
