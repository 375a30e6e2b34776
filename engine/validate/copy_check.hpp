// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/arena.hpp"
#include "comm/communicator.hpp"
#include "partition/edge_stream.hpp"
#include "validate/edge_copy.hpp"
#include "validate/gathered_vertices.hpp"
#include "validate/level_rounds.hpp"
#include "validate/row_delivery.hpp"
#include "validate/rule_outcome.hpp"

namespace isobath {

/// Says of a right answer, quickly, that it is right: all rules hold for all edges of the list
/// (docs/explanation/validation.md, "The copy of the list").
///
/// Several ranks each look at the rows that they hold: owners tell the places of parents to the rank of the
/// row alone, and levels are found by the same rank and told to all others.
///
/// It never says what is wrong. Where anything is, or a vertex lies deeper than level 13, it says nothing,
/// and whoever asked goes through the list itself.
class CopyCheck {
 public:
  /// Collective. Both outlive this. Several ranks gather vertices. @throws as EdgeCopy does
  /// @param edges  this rank's share of the list
  CopyCheck(const Communicator& world, const GatheredVertices& gathered, const EdgeStream& edges);

  ~CopyCheck();

  const EdgeCopy& copy() const { return copy_; }

  /// What validation counts beside the rules.
  struct Confirmed {
    TreeEdgeCounts edges;
    std::vector<std::int64_t> vertices_per_level;
  };
  /// Collective; says the same on every rank. `parents` of this rank's vertices.
  std::optional<Confirmed> confirm(GlobalVertex root, std::span<const GlobalVertex> parents);

 private:
  struct Tally;
  struct Ranks;
  /// Places. It stands in the row of the later of the two.
  struct TreeEdge {
    std::uint32_t parent;
    std::uint32_t child;
  };
  std::int64_t take_parents(std::span<const GlobalVertex> parents);
  template <class Visit>
  std::int64_t place_parents(std::span<const GlobalVertex> parents, const Visit& visit) const;
  bool find_levels(std::uint32_t root, bool is_wrong);
  bool count_levels(std::uint32_t root);
  template <class PlaceAt>
  void settle(std::int64_t count, const PlaceAt& place_at);
  void check_row(std::size_t at, Tally& tally) const;
  bool has_row_with(const TreeEdge& edge) const;
  std::int64_t missing_of_all(std::span<const TreeEdge> edges) const;
  std::int64_t self_loops_in_tree() const;

  const Communicator& world_;
  const GatheredVertices& gathered_;
  EdgeCopy copy_;
  LargeArray<std::uint32_t> parents_;  // by row, and places; no_place: outside the tree; one more for others
  LargeArray<std::uint16_t> levels_;   // by place: the bit of the level; 0 while one rank does not know it
  LargeArray<std::uint32_t> pending_;  // on one rank: places that wait for a level
  std::int64_t num_pending_ = 0;
  std::unique_ptr<Ranks> ranks_;  // of several ranks
};

}  // namespace isobath
