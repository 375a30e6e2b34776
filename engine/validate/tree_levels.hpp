// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "base/arena.hpp"
#include "base/placed_bits.hpp"
#include "comm/communicator.hpp"
#include "partition/block_partition.hpp"
#include "validate/gathered_vertices.hpp"
#include "validate/level_code.hpp"
#include "validate/owner_exchange.hpp"
#include "validate/rule_tally.hpp"

namespace isobath {

/// What is wrong with parents by themselves, before any edge is looked at. Each rule counts vertices; the
/// other vertex is the parent.
enum class TreeRule {
  parent_range,   // a parent is -1 or a vertex; the root's parent is the root
  tree,           // following the parents never runs in a circle
  leads_to_root,  // following the parents from a vertex that has one ends at the root
};
template <>
inline constexpr std::size_t num_rules<TreeRule> = 3;
using TreeTally = RuleTally<TreeRule>;

/// Levels of the vertices of one rank, counted along the parents alone; breaches of TreeRule are
/// found on the way (docs/explanation/validation.md).
///
/// Round after round, vertices whose parent has a level get theirs; codes of parents that live elsewhere are
/// asked for, or where they are gathered, every rank tells all others which of its codes are new. What is
/// left after 28 rounds, or when a round changes nothing, is deep, cut off or circular, and is settled by
/// pointer doubling, whose rounds are bounded by the logarithm of what is left, so that neither a path of all
/// vertices nor a cycle takes long.
class TreeLevels {
 public:
  TreeLevels(const Communicator& world, const BlockPartition& partition, OwnerExchange& exchange,
             const GatheredVertices& gathered);

  /// Collective. `parents` has partition.size(rank) entries; only those that are vertices are ever followed.
  void count(GlobalVertex root, std::span<const GlobalVertex> parents, TreeTally& tally);

  /// One code per own vertex, after count().
  std::span<const LevelCode> codes() const { return codes_; }
  /// One code per vertex whose facts are held: all of one rank, or gathered ones.
  std::span<const LevelCode> held_codes() const { return held_codes_.span(); }
  /// Has any rank a vertex below level 28?
  bool any_deep() const { return any_deep_; }
  /// Exact level of an own vertex; -1 outside the tree.
  std::int64_t level_of(std::size_t local) const {
    return codes_[local] == level_code::deep ? jump_of(local).hops : level_code::level_of(codes_[local]);
  }
  /// Collective. Vertices on each level, over all ranks. One entry per level.
  std::vector<std::int64_t> vertices_per_level() const;

 private:
  struct News {
    std::int64_t changed;  // codes of own vertices
    std::int64_t pending;
  };
  struct NewCode {
    std::uint32_t vertex;
    LevelCode code;
  };
  struct Jump {
    std::int64_t ancestor;  // -1: `hops` is the level of the vertex asked for, or -1 outside the tree
    std::int64_t hops;
  };
  bool is_mine(GlobalVertex v) const { return raw(v) >= first_ && raw(v) < first_ + size_; }
  std::size_t local(GlobalVertex v) const { return static_cast<std::size_t>(raw(v) - first_); }

  void begin(GlobalVertex root, std::span<const GlobalVertex> parents, TreeTally& tally);
  template <class VertexAt>
  void settle_from_held(std::span<const GlobalVertex> parents, std::int64_t count, const VertexAt& vertex_at);
  void settle_pending_from_held(std::span<const GlobalVertex> parents);
  std::int64_t settle_by_questions(std::span<const GlobalVertex> parents);
  std::int64_t settle_by_news(std::span<const GlobalVertex> parents);
  void tell_all_codes();
  News tell_codes();
  void settle_from_others(std::span<const GlobalVertex> parents);
  void place_jumps(std::span<const GlobalVertex> parents);
  void double_jumps(std::span<const GlobalVertex> parents, std::int64_t unresolved);
  void jump_once(std::span<const std::uint32_t> asking, std::span<const GlobalVertex> parents);
  void settle(std::size_t v, Jump answer, std::span<const GlobalVertex> parents);

  std::span<const std::uint32_t> pending() const {
    return pending_.span().first(static_cast<std::size_t>(num_pending_));
  }
  template <class VertexAt, class StillWaits>
  void keep_pending(std::int64_t count, const VertexAt& vertex_at, const StillWaits& still_waits);
  template <class Ask>
  void for_each_pending_chunk(const Ask& ask);
  /// Of a vertex that was pending when doubling began.
  Jump& jump_of(std::size_t v) { return jumps_[place_of(v)]; }
  const Jump& jump_of(std::size_t v) const { return jumps_[place_of(v)]; }
  std::size_t place_of(std::size_t v) const { return most_doubled_ ? v : doubled_.members_below(v); }
  void count_codes();
  void report_outcasts(std::span<const GlobalVertex> parents, TreeTally& tally) const;

  const Communicator& world_;
  OwnerExchange& exchange_;
  const GatheredVertices& gathered_;
  std::int64_t num_vertices_;
  std::int64_t first_;
  std::int64_t size_;
  bool any_deep_ = false;
  std::array<std::int64_t, 256> with_code_{};  // own vertices per code
  LargeArray<LevelCode> held_codes_;
  std::span<LevelCode> codes_;         // those of own vertices
  LargeArray<LevelCode> told_;         // own codes as all ranks know them, where they are gathered
  LargeArray<std::uint32_t> pending_;  // own vertices that still wait for a code, ascending
  std::int64_t num_pending_ = 0;
  // There only where levels are deep or parents run in a circle:
  bool most_doubled_ = false;  // half of the own vertices or more were pending when doubling began
  PlacedBits doubled_;         // those that were, where fewer: else look-ups take longer than they save
  // Of each of them, or of all, an ancestor and how many hops above it is. Where the code is deep the hops
  // are the level.
  LargeArray<Jump> jumps_;
  std::vector<LevelCode> code_answers_;
  std::vector<Jump> jump_answers_;
};

}  // namespace isobath
