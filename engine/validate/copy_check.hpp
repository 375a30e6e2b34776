// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/arena.hpp"
#include "base/bitmap.hpp"
#include "partition/edge_stream.hpp"
#include "validate/edge_copy.hpp"
#include "validate/rule_outcome.hpp"

namespace isobath {

/// Says of a right answer, quickly, that it is right: all rules hold for all edges of the list
/// (docs/explanation/validation.md, "The copy of the list").
///
/// It never says what is wrong. Where anything is, or a vertex lies deeper than level 13, it says nothing,
/// and whoever asked goes through the list itself.
class CopyCheck {
 public:
  /// Reads the whole list: of the only rank. @throws as EdgeCopy does
  explicit CopyCheck(const EdgeStream& edges);

  const EdgeCopy& copy() const { return copy_; }

  /// What validation counts beside the rules.
  struct Confirmed {
    TreeEdgeCounts edges;
    std::vector<std::int64_t> vertices_per_level;
  };
  /// `parents` of all vertices.
  std::optional<Confirmed> confirm(GlobalVertex root, std::span<const GlobalVertex> parents);

 private:
  struct RowTally;
  bool take_parents(GlobalVertex root, std::span<const GlobalVertex> parents);
  bool count_levels(std::uint32_t root);
  template <class PlaceAt>
  void settle(std::int64_t count, const PlaceAt& place_at);
  void check_row(std::size_t place, RowTally& tally);
  std::int64_t meet_earlier_children(std::size_t parent);
  std::int64_t self_loops_in_tree() const;

  EdgeCopy copy_;
  LargeArray<std::uint32_t>
      parents_;                       // by place, and places; no_place: outside the tree; one more for others
  LargeArray<std::uint16_t> levels_;  // by place: the bit of the level; 0 while it is not known
  LargeArray<std::uint32_t> pending_;  // places that wait for a level
  std::int64_t num_pending_ = 0;
  LargeArray<Word> has_earlier_child_;  // by place
  std::int64_t earlier_children_ = 0;   // vertices whose parent has a later place
};

}  // namespace isobath
