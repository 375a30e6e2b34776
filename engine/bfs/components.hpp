// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "base/bitmap.hpp"
#include "bfs/component_labels.hpp"
#include "bfs/plan.hpp"
#include "comm/grid.hpp"
#include "graph/graph.hpp"

namespace isobath {

/// Components of the graph by label, known from construction: their edges for TEPS, and whose leaves are
/// reached.
///
/// The largest is found by one search from the vertex of highest degree and has the label `main`; the few
/// vertices outside get the smallest original number of a searched vertex of their component (of a pair of
/// leaves: the smaller of the two) as label, by label propagation.
class Components {
 public:
  static constexpr std::int64_t main = -2;
  static constexpr std::int64_t none = -1;

  Components() = default;
  /// Collective.
  /// @param in_main  own searched vertices of the main component
  Components(const Graph& graph, const Communicator& world, const Grid& grid, std::span<const Word> in_main);

  /// Label of a vertex; meaningful at its owner only.
  std::int64_t label_at_owner(const Location& location) const;
  /// Collective. The same on every rank.
  std::int64_t label_of(const Communicator& world, const Location& location) const;
  /// Collective. Edges of the component.
  TraversedEdges edges_of(const Communicator& world, std::int64_t label) const;

  std::int64_t count() const { return count_; }
  /// Own leaves that are each other's only neighbour.
  std::int64_t leaves_in_pairs() const { return leaves_in_pairs_; }
  /// Searched vertices of the main component, of all ranks.
  std::int64_t searched_in_main() const { return searched_in_main_; }
  std::int64_t largest_vertices() const { return largest_.vertices(); }
  std::int64_t largest_edges() const { return largest_.edges(); }
  /// Own leaves of the main component.
  std::span<const Word> leaves_in_main() const { return leaves_in_main_; }

  /// Own leaves outside the main component, by label.
  struct OuterLeaf {
    std::int64_t label;
    std::uint32_t leaf;
  };
  std::span<const OuterLeaf> outer_leaves(std::int64_t label) const;

 private:
  void label_outer_vertices(const Graph& graph, const Communicator& world, const Grid& grid,
                            std::span<const Word> in_main);
  void label_leaves(const Graph& graph, const Communicator& world, std::span<const Word> in_main);
  void add_up(const Graph& graph, const Communicator& world, std::span<const Word> in_main);

  std::unordered_map<std::uint32_t, std::int64_t> outer_;  // own searched vertices outside: working -> label
  std::vector<OuterLeaf> outer_leaves_;                    // sorted by label, then leaf
  std::vector<Word> leaves_in_main_;
  std::unordered_map<std::int64_t, ComponentSums> totals_;  // of the labels whose vertex this rank owns
  ComponentSums main_;
  std::int64_t searched_in_main_ = 0;
  std::int64_t count_ = 0;
  std::int64_t leaves_in_pairs_ = 0;
  LargestComponent largest_;
};

}  // namespace isobath
