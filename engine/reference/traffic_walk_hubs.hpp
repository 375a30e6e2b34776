// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "reference/traffic_walk_messages.hpp"

namespace isobath::reference {

/// What is known of the hubs of the plan `hybrid` on several grid columns, and when
/// (docs/explanation/plans/hybrid.md): which are reached, and what owners find by the first four of each
/// vertex, by falling degree, then by number.
class WalkedHubs {
 public:
  WalkedHubs(const WalkedGraph& graph, const TrafficRules& rules);

  bool empty() const { return hubs_.empty(); }
  /// How many there are.
  std::int64_t count() const { return std::ssize(hubs_); }
  /// How many were reached up to a level.
  std::int64_t reached(const WalkedLevels& levels, std::int64_t level) const;
  /// Bytes that tell which hubs of a grid column were reached up to a level: a packed list of those that were
  /// not when they were last told, or of those that are not yet, whichever are fewer, where it is shorter
  /// than a bit for each in whole words of 64; else these.
  /// @param told  the level of the last telling, -1 before the first
  std::int64_t told_bytes(int col, const WalkedLevels& levels, std::int64_t level, std::int64_t told) const;
  /// Whether one of the vertex's first hubs was reached up to a level.
  bool finds(const WalkedLevels& levels, std::int64_t level, std::uint32_t vertex) const;
  /// Whether the first hubs of the vertex are all the searched neighbours that it has, so that nobody else
  /// can find it. Duplicates are dropped in hybrid, so each neighbour counts once.
  bool are_all_there_is(std::uint32_t vertex) const { return are_all_[vertex] != 0; }

 private:
  bool is_hub(std::uint32_t v) const { return graph_.endpoints(v) >= least_endpoints_; }
  bool is_reached(const WalkedLevels& levels, std::int64_t level, std::uint32_t v) const {
    const std::int32_t reached = levels.level_of[v];
    return reached != WalkedLevels::not_reached && reached <= level;
  }

  std::vector<std::uint32_t> first_hubs(std::uint32_t vertex) const;

  const WalkedGraph& graph_;
  std::span<const std::uint32_t> hubs_;
  std::int64_t least_endpoints_ = 0;
  std::vector<std::vector<std::uint32_t>> of_col_;  // by rank, then by number
  std::vector<char> are_all_;                       // by vertex
};

}  // namespace isobath::reference
