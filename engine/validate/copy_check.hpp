// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/arena.hpp"
#include "base/bitmap.hpp"
#include "comm/communicator.hpp"
#include "partition/edge_stream.hpp"
#include "validate/edge_copy.hpp"
#include "validate/gathered_vertices.hpp"
#include "validate/rule_outcome.hpp"

namespace isobath {

/// Says of a right answer, quickly, that it is right: all rules hold for all edges of the list
/// (docs/explanation/validation.md, "The copy of the list").
///
/// Several ranks tell each other the places of parents, count the levels of all vertices each for itself, and
/// look at the rows that they hold.
///
/// It never says what is wrong. Where anything is, or a vertex lies deeper than level 13, it says nothing,
/// and whoever asked goes through the list itself.
class CopyCheck {
 public:
  /// Collective. Both outlive this. Several ranks gather vertices. @throws as EdgeCopy does
  /// @param edges  this rank's share of the list
  CopyCheck(const Communicator& world, const GatheredVertices& gathered, const EdgeStream& edges);

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
  std::int64_t take_parents(std::span<const GlobalVertex> parents);
  template <class Visit>
  std::pair<std::int64_t, std::int64_t> place_parents(std::span<const GlobalVertex> parents,
                                                      std::span<const std::uint32_t> own_places,
                                                      const Visit& visit) const;
  std::int64_t put(std::uint32_t place, std::uint32_t of_parent);
  bool count_levels(std::uint32_t root);
  template <class PlaceAt>
  void settle(std::int64_t count, const PlaceAt& place_at);
  void check_row(std::size_t at, Tally& tally);
  std::int64_t meet_earlier_children(std::size_t row);
  std::int64_t self_loops_in_tree() const;

  const Communicator& world_;
  const GatheredVertices& gathered_;
  EdgeCopy copy_;
  LargeArray<std::uint32_t>
      parents_;                       // by place, and places; no_place: outside the tree; one more for others
  LargeArray<std::uint16_t> levels_;  // by place: the bit of the level; 0 while it is not known
  LargeArray<std::uint32_t> pending_;  // places that wait for a level; before, of several ranks, the places
                                       // of parents by vertex
  std::int64_t num_pending_ = 0;
  LargeArray<Word> has_earlier_child_;  // by row
  std::int64_t earlier_children_ = 0;   // vertices whose parent has a later place, and its row here
};

}  // namespace isobath
