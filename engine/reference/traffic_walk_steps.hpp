// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "reference/traffic_walk.hpp"
#include "reference/traffic_walk_messages.hpp"

namespace isobath::reference {

/// Bytes of one search by level, phase and rank, in whatever order they are found.
class TrafficTally {
 public:
  explicit TrafficTally(int ranks) : ranks_(static_cast<std::size_t>(ranks)) {}
  void add(Level level, Phase phase, AuditClass audit_class, int rank, std::int64_t bytes);
  /// Lines by level, then phase.
  std::vector<TrafficLine> lines() &&;

 private:
  std::size_t ranks_;
  std::map<std::pair<Level, Phase>, TrafficLine> lines_;
};

/// The steps that levels are made of, each counted over all ranks.
class TrafficSteps {
 public:
  TrafficSteps(const WalkedGraph& graph, const TrafficRules& rules);

  /// A reduction of one number over all ranks.
  void reduce(Level level, Phase phase);
  /// A reduction of some numbers along every grid row, then along every grid column.
  void reduce_by_grid(Level level, Phase phase, int numbers);
  /// What the owner of a vertex tells all others before the first level.
  void tell_all(std::uint32_t owned, std::int64_t bytes);
  /// Every rank's bitmap, or the summary of it, to the other ranks of its grid column.
  void gather_bitmaps(Level level, Phase phase);
  /// Which vertices are reached up to a level, to the other ranks of the grid column: of every rank the
  /// bitmap, or a packed list of those that are, or of those that are not, where that is at most half of it;
  /// and its length.
  void gather_reached(Level level, Phase phase, const WalkedLevels& levels, std::int64_t until);
  void gather_summaries(Level level);
  /// A frontier to the other ranks of the grid column, as the rules have it, in a top-down level.
  void expand(Level level, std::span<const std::uint32_t> frontier);
  /// Every piece of the grid row once round it, home again at the end: each rank sends each piece on once.
  /// @param by_list  grid rows that do otherwise
  void rotate(Level level, std::span<const char> by_list);
  /// The lengths of the lists of who asks, told to the grid row; and the lists, where they are smaller than
  /// its bitmap. A rank with more asking vertices than its bitmap has bytes says that they are not. Short
  /// lists travel with their lengths (goes_with_length), wanted or not.
  /// @param asking  by rank; ranks at the end may be missing
  /// @return of each grid row, whether the lists were sent
  std::vector<char> gather_lists(Level level, std::span<const std::vector<std::uint32_t>> asking);
  /// Which hubs of its grid column are reached, by every rank to the others of its grid row; and how
  /// long that is.
  /// @param told  the level of the last telling, -1 before the first
  void tell_hubs(Level level, const WalkedHubs& hubs, const WalkedLevels& levels, std::int64_t until,
                 std::int64_t told);
  /// Proposals to the owners of their targets, along the grid row.
  void fold(Level level, const FoldMessages& messages);
  /// The same one-sided: two accumulates of 8 bytes for each, into the owner's parents and its frontier.
  void fold_one_sided(Level level, const FoldMessages& messages);

  FoldMessages no_messages() const { return {rules_.ranks(), rules_.cols, rules_.packed_fold}; }
  Proposed* proposed() { return proposed_ ? &*proposed_ : nullptr; }
  const WalkedGraph& graph() const { return graph_; }
  const TrafficRules& rules() const { return rules_; }
  std::vector<TrafficLine> lines() && { return std::move(tally_).lines(); }

 private:
  std::vector<std::vector<std::uint32_t>> numbers_by_rank(std::span<const std::uint32_t> frontier) const;
  bool bitmaps_are_smaller(int col, std::span<const std::int64_t> list_bytes) const;
  std::int64_t message_bytes(const FoldMessages& messages, int sender, int col) const;
  int rank_at(int row, int col) const { return col * rules_.rows + row; }

  const WalkedGraph& graph_;
  const TrafficRules& rules_;
  TrafficTally tally_;
  std::optional<Proposed> proposed_;
};

/// The search of the plan `hybrid`; all others are in traffic_walk.cpp.
std::vector<TrafficLine> walk_hybrid(const WalkedGraph& graph, const TrafficRules& rules, std::uint32_t root,
                                     std::span<const char> bottom_up);

}  // namespace isobath::reference
