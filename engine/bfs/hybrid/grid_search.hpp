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
///
/// Words of all files of this folder (docs/reference/search-vocabulary.md has the others):
///
///   searched    vertices of two or more distinct neighbours. A leaf has one, and gets its parent in emit
///               (switches may keep others). Known by working number: heavy ones, of many end points, first
///   column      a source of arcs stored here, a vertex of the grid column; a row is a target, of the grid
///               row. OneColumn and SeveralColumns are about grid columns
///   piece       the columns, or the rows, that one rank owns. Own vertices are a piece of both
///   end points  of a vertex: how often the edge list names it. Degrees are counted so
///   hub         only where C > 1: one of the vertices of highest degree. All ranks have a bitmap of the
///               visited hubs (ToldHubs), brought up to date in the levels that read it: bottom-up ones, and
///               top-down ones where there are families. The owner of a vertex keeps the four hubs of highest
///               degree among its neighbours, highest first: its kept hubs
///   family      own vertices with the same head; they are its followers. Their working numbers are
///               consecutive, so that one test of the head's bit decides for a range of bits.
///               C = 1 (Graph::families): the head is their first neighbour, if heavy; tested in bottom-up
///               steps and large top-down levels. C > 1 (Hubs::families, Graph::families is empty): the head
///               is their first kept hub; tested in the hub pass and in follow_hubs. Switches can leave
///               families out
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
  // In the order of grid_search.cpp.
  void reset();
  void search_levels(const SearchStart& start, SearchObserver& observer);
  LevelCounts top_down(const Location* start, std::optional<std::int64_t> visited_hubs,
                       SearchObserver& observer);
  LevelCounts bottom_up(std::optional<std::int64_t> visited_hubs, SearchObserver& observer);
  std::optional<std::int64_t> own_visited_hubs() const;
  std::span<const GlobalVertex> emit(const SearchStart& start);

  ConstructedGraph built_;
  LevelDirection direction_;
  Frontier frontier_;
  Expand expand_;
  std::optional<OneColumn> one_column_;            // the levels where C = 1
  std::optional<SeveralColumns> several_columns_;  // the levels where C > 1
  Emit emit_;
};

}  // namespace isobath
