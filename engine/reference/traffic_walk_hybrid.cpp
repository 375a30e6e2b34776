// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "reference/traffic_walk_encoding.hpp"
#include "reference/traffic_walk_hubs.hpp"
#include "reference/traffic_walk_steps.hpp"

namespace isobath::reference {
namespace {

using DirectionRule = TrafficRules::DirectionRule;

/// A search of the plan `hybrid`.
class HybridWalk {
 public:
  HybridWalk(const WalkedGraph& graph, const TrafficRules& rules, std::uint32_t root,
             std::span<const char> bottom_up)
      : steps_(graph, rules),
        graph_(graph),
        rules_(rules),
        hubs_(graph, rules),
        asks_hubs_(!hubs_.empty()),
        root_(root),
        bottom_up_(bottom_up) {}

  std::vector<TrafficLine> lines() && {
    locate_start();
    // The last level finds nothing. In the main component all ranks know that, and do not search it.
    const std::int64_t searched = levels_.count() - (graph_.is_in_main_component(root_) ? 1 : 0);
    for (std::int64_t step = 0; step < searched; ++step) search_level(step);
    emit();
    return std::move(steps_).lines();
  }

 private:
  bool goes_bottom_up(std::int64_t step) const {
    if (rules_.direction != DirectionRule::policy) return rules_.direction == DirectionRule::bottom_up;
    return step < std::ssize(bottom_up_) && bottom_up_[static_cast<std::size_t>(step)] != 0;
  }
  const std::vector<std::uint32_t>& frontier(std::int64_t step) const {
    return levels_.frontier[static_cast<std::size_t>(step)];
  }
  Level level_of(std::int64_t step) const { return first_level_ + static_cast<Level>(step); }

  void locate_start();
  void search_level(std::int64_t step);
  bool tell_hubs(std::int64_t step);
  void follow_hubs(std::int64_t step);
  void emit();
  bool all_is_remembered() const;
  std::vector<std::int64_t> arcs_by_target_rank(std::span<const std::uint32_t> sources) const;

  TrafficSteps steps_;
  const WalkedGraph& graph_;
  const TrafficRules& rules_;
  WalkedHubs hubs_;
  bool asks_hubs_;          // bottom-up, until all of them were reached when they were told
  std::int64_t told_ = -1;  // the level in which hubs were told last
  std::uint32_t root_;
  std::span<const char> bottom_up_;
  Level first_level_ = 0;
  WalkedLevels levels_;  // of the searched graph, none where root and neighbour are both leaves
};

/// Its owner tells where the root is and of which component; a leaf that was left out starts at its
/// neighbour, one level down.
void HybridWalk::locate_start() {
  constexpr std::int64_t location = 40;  // kind, owner, number, neighbour, degree
  constexpr std::int64_t label = 8;
  steps_.tell_all(root_, location + label);
  std::uint32_t first = root_;
  if (graph_.is_left_out(root_)) {
    first = graph_.only_neighbour(root_);
    first_level_ = 1;
    steps_.tell_all(first, location);
  }
  if (!graph_.is_left_out(first)) levels_ = walk_levels(graph_, first);
}

void HybridWalk::search_level(std::int64_t step) {
  const Level level = level_of(step);
  FoldMessages messages = steps_.no_messages();
  if (goes_bottom_up(step)) {
    steps_.gather_reached(level, Phase::expand, levels_, step);
    const bool asks_now = asks_hubs_ && tell_hubs(step);
    std::vector<char> by_list(static_cast<std::size_t>(rules_.rows), 0);
    if (!hubs_.empty()) {
      by_list = steps_.gather_lists(level, who_asks(graph_, levels_, step, hubs_, asks_now));
    }
    steps_.rotate(level, by_list);
    if (rules_.cols > 1) {
      const WalkedHubs* const asked = asks_now ? &hubs_ : nullptr;
      answer_lists(graph_, rules_, levels_, step, asked, by_list, steps_.proposed(), messages);
      find_bottom_up(graph_, rules_, levels_, step, asked, by_list, steps_.proposed(), messages);
    }
    asks_hubs_ = asks_hubs_ && hubs_.reached(levels_, step) < hubs_.count();
  } else {
    if (step > 0) steps_.expand(level, frontier(step));  // all know where the search starts
    if (graph_.is_by_hub()) follow_hubs(step);
    if (rules_.cols > 1) propose_top_down(graph_, rules_, levels_, step, steps_.proposed(), messages);
  }
  steps_.fold(level, messages);
  // What was found; with it, where the policy chooses, the arcs of what was found, and, where owners keep
  // hubs, how many of these are reached.
  const int arcs = rules_.direction == DirectionRule::policy ? 1 : 0;
  const int reached_hubs = rules_.hub_pass && rules_.cols > 1 ? 1 : 0;
  steps_.reduce_by_grid(level, Phase::reduce, 1 + arcs + reached_hubs);
}

/// Whether owners ask their hubs: not where none was reached since they were told. That, and whether all
/// were, which need not be told, is known by the sums of the level before; of the first vertex nobody sums.
bool HybridWalk::tell_hubs(std::int64_t step) {
  const std::int64_t reached = hubs_.reached(levels_, step);
  const std::int64_t known = told_ < 0 ? 0 : hubs_.reached(levels_, told_);
  const bool is_summed = step > 0;
  if (is_summed && reached == known) return false;
  if (!is_summed || reached < hubs_.count()) steps_.tell_hubs(level_of(step), hubs_, levels_, step, told_);
  told_ = step;
  return reached > known;
}

/// In a top-down level: hubs are told as in a bottom-up one, but for the first vertex, which all know. Owners
/// find the families of those of the frontier, and who has the arcs that lead there passes over them, then
/// and later, whoever they come from.
void HybridWalk::follow_hubs(std::int64_t step) {
  if (step > 0) {
    tell_hubs(step);
  } else {
    told_ = step;
  }
  asks_hubs_ = asks_hubs_ && hubs_.reached(levels_, step) < hubs_.count();
  for (std::size_t place = 0; place < graph_.hubs().size(); ++place) {
    const std::uint32_t hub = graph_.hubs()[place];
    if (levels_.level_of[hub] != step || steps_.proposed() == nullptr) continue;
    for (const std::uint32_t v : graph_.followers(place)) steps_.proposed()->claim(v, graph_.col_of(hub));
  }
}

/// Outside the main component the ranks agree on whether all of them remember what they reached. On one grid
/// column, unless they do, leaves are found by asking the grid column what was reached; those of the main
/// component need not ask where they are among the likely parents.
void HybridWalk::emit() {
  const bool in_main = graph_.is_in_main_component(root_);
  if (!in_main) steps_.reduce(outside_levels, Phase::emit);
  if (rules_.cols == 1 && (in_main ? !rules_.likely_parents : !all_is_remembered())) {
    steps_.gather_reached(outside_levels, Phase::emit, levels_, levels_.count());
  }
}

std::vector<std::int64_t> HybridWalk::arcs_by_target_rank(std::span<const std::uint32_t> sources) const {
  std::vector<std::int64_t> arcs(static_cast<std::size_t>(rules_.ranks()), 0);
  for (const std::uint32_t source : sources) {
    for (const std::uint32_t target : graph_.neighbours(source)) {
      ++arcs[static_cast<std::size_t>(graph_.rank_of(target))];
    }
  }
  return arcs;
}

/// On one grid column. A rank remembers up to 4,096 vertices that it finds as a list, which it does in a
/// top-down level of up to 8,192 arcs at this rank, or of an arc for each word of its bitmap where these are
/// more. What it finds otherwise is a bitmap, and is remembered only if it becomes a list after all: before a
/// top-down level.
bool HybridWalk::all_is_remembered() const {
  constexpr std::int64_t few = 4096;
  constexpr std::int64_t shared_level_arcs = 8192;
  std::vector<std::int64_t> remembered(static_cast<std::size_t>(rules_.ranks()), 0);
  std::vector<char> is_bitmap(remembered.size(), 0);
  for (std::int64_t step = 0; step < levels_.count(); ++step) {
    for (const std::uint32_t v : frontier(step)) ++remembered[static_cast<std::size_t>(graph_.rank_of(v))];
    const std::vector<std::int64_t> arcs = arcs_by_target_rank(frontier(step));
    for (std::size_t rank = 0; rank < remembered.size(); ++rank) {
      if (remembered[rank] > few || (goes_bottom_up(step) && is_bitmap[rank] != 0)) return false;
      const std::int64_t words = bitmap_words(graph_.numbered(static_cast<int>(rank)));
      const bool is_listed = arcs[rank] <= std::max(shared_level_arcs, words);
      is_bitmap[rank] = goes_bottom_up(step) || !is_listed ? 1 : 0;
    }
  }
  return std::ranges::count(is_bitmap, 1) == 0;
}

}  // namespace

std::vector<TrafficLine> walk_hybrid(const WalkedGraph& graph, const TrafficRules& rules, std::uint32_t root,
                                     std::span<const char> bottom_up) {
  return HybridWalk(graph, rules, root, bottom_up).lines();
}

}  // namespace isobath::reference
