// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "reference/traffic_walk_graph.hpp"

namespace isobath::reference {

/// Levels of one search by a queue: frontier[l] holds the searched vertices that many steps from where it
/// starts, in no order that matters.
struct WalkedLevels {
  static constexpr std::int32_t not_reached = -1;
  std::vector<std::vector<std::uint32_t>> frontier;
  std::vector<std::int32_t> level_of;

  std::int64_t count() const { return static_cast<std::int64_t>(frontier.size()); }
};
class WalkedHubs;

WalkedLevels walk_levels(const WalkedGraph& graph, std::uint32_t first);

/// What every rank has for every rank of its grid row in one level: pairs of a target and its parent, by
/// sender and grid column of the owner of the target, the sender's own included.
class FoldMessages {
 public:
  FoldMessages(int ranks, int cols, bool keeps_targets);

  void add(int sender, int col, std::uint32_t target) {
    const std::size_t at = index(sender, col);
    ++pairs_[at];
    if (!targets_.empty()) targets_[at].push_back(target);
  }
  std::int64_t pairs(int sender, int col) const { return pairs_[index(sender, col)]; }
  /// Numbers of the targets in their block, as they were added. Kept only on demand.
  std::span<const std::uint32_t> targets(int sender, int col) const { return targets_[index(sender, col)]; }

 private:
  std::size_t index(int sender, int col) const {
    return static_cast<std::size_t>(sender) * cols_ + static_cast<std::size_t>(col);
  }
  std::size_t cols_;
  std::vector<std::int64_t> pairs_;
  std::vector<std::vector<std::uint32_t>> targets_;
};

/// Which targets a rank has proposed already in this search: a bit for each target and grid column (the grid
/// row follows from the target).
class Proposed {
 public:
  explicit Proposed(const WalkedGraph& graph, int cols)
      : words_((static_cast<std::size_t>(cols) + 63) / 64),
        bits_(static_cast<std::size_t>(graph.num_vertices()) * words_) {}
  /// True the first time.
  bool claim(std::uint32_t target, int col) {
    const auto c = static_cast<std::size_t>(col);
    std::uint64_t& word = bits_[target * words_ + c / 64];
    const std::uint64_t bit = std::uint64_t{1} << (c % 64);
    const bool first = (word & bit) == 0;
    word |= bit;
    return first;
  }
  void mark_everywhere(std::uint32_t target) {
    for (std::size_t w = 0; w < words_; ++w) bits_[target * words_ + w] = ~std::uint64_t{0};
  }

 private:
  std::size_t words_;
  std::vector<std::uint64_t> bits_;
};

/// Top-down: arc s to t lies in the grid column of s and the grid row of t; its rank proposes s as parent.
/// @param proposed  nullptr where every arc is a proposal
void propose_top_down(const WalkedGraph& graph, const TrafficRules& rules, const WalkedLevels& levels,
                      std::int64_t level, Proposed* proposed, FoldMessages& messages);

/// Who asks in a bottom-up level, after the owners' hubs were asked: numbers of the vertices of each rank,
/// ascending, that are not reached and have neighbours that are none of their first hubs.
/// @param asked_now  whether the hubs are asked in this level; otherwise they found nothing new
std::vector<std::vector<std::uint32_t>> who_asks(const WalkedGraph& graph, const WalkedLevels& levels,
                                                 std::int64_t level, const WalkedHubs& hubs, bool asked_now);

/// Bottom-up, where the grid row of a target was sent a list of who asks: every rank of it that stores an arc
/// from a visited vertex proposes one.
/// @param by_list  of each grid row, whether it was
void answer_lists(const WalkedGraph& graph, const TrafficRules& rules, const WalkedLevels& levels,
                  std::int64_t level, const WalkedHubs* hubs, std::span<const char> by_list,
                  Proposed* proposed, FoldMessages& messages);

/// Bottom-up: the piece of each owner goes round the grid row, and the first rank on its way, the owner to
/// begin with, that stores an arc from a visited vertex finds the target. Ranks that see a target visited
/// need not propose it later; those before its finder do not see it in this level.
/// @param hubs      what the owners find by them needs nobody else, and its piece shows it from the start;
///                  nullptr where there is no such pass in the level
/// @param by_list   grid rows that were sent lists are left out
/// @param proposed  nullptr where nothing is remembered
void find_bottom_up(const WalkedGraph& graph, const TrafficRules& rules, const WalkedLevels& levels,
                    std::int64_t level, const WalkedHubs* hubs, std::span<const char> by_list,
                    Proposed* proposed, FoldMessages& messages);

}  // namespace isobath::reference
