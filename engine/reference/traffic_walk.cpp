// SPDX-License-Identifier: Apache-2.0
// What the ranks of each plan send, level by level: read search_published() and search_hybrid() first.
#include "reference/traffic_walk.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <utility>

#include "base/error.hpp"
#include "base/expects.hpp"
#include "reference/traffic_walk_encoding.hpp"
#include "reference/traffic_walk_exchange.hpp"
#include "reference/traffic_walk_graph.hpp"
#include "reference/traffic_walk_messages.hpp"

namespace isobath::reference {
namespace {

using Plan = TrafficRules::Plan;

bool is_replicated(Plan plan) { return plan == Plan::replicated_csr || plan == Plan::replicated_csc; }

/// Bytes of one search as they are found, put into order at the end.
class Ledger {
 public:
  explicit Ledger(int ranks) : ranks_(static_cast<std::size_t>(ranks)) {}

  void add(Level level, Phase phase, AuditClass audit_class, int rank, std::int64_t bytes) {
    if (bytes == 0) return;
    auto [at, is_new] = lines_.try_emplace({level, phase});
    TrafficLine& line = at->second;
    if (is_new) line = {level, phase, audit_class, std::vector<std::int64_t>(ranks_, 0)};
    if (audit_class == AuditClass::b) line.audit_class = AuditClass::b;
    line.bytes_of_rank[static_cast<std::size_t>(rank)] += bytes;
  }
  void add(Level level, Phase phase, AuditClass audit_class, std::span<const std::int64_t> bytes_of_rank) {
    for (std::size_t rank = 0; rank < ranks_; ++rank) {
      add(level, phase, audit_class, static_cast<int>(rank), bytes_of_rank[rank]);
    }
  }
  /// The same at every rank.
  void add_everywhere(Level level, Phase phase, std::int64_t bytes) {
    for (std::size_t rank = 0; rank < ranks_; ++rank) {
      add(level, phase, AuditClass::a, static_cast<int>(rank), bytes);
    }
  }
  std::vector<TrafficLine> lines() && {
    std::vector<TrafficLine> sorted;
    for (auto& [key, line] : lines_) sorted.push_back(std::move(line));
    return sorted;
  }

 private:
  std::size_t ranks_;
  std::map<std::pair<Level, Phase>, TrafficLine> lines_;
};

/// One search on its way through the levels.
class Walk {
 public:
  Walk(const WalkedGraph& graph, const TrafficRules& rules)
      : graph_(graph), rules_(rules), ledger_(rules.ranks()) {
    if (rules.local_dedup) proposed_.emplace(graph, rules.cols);
  }

  std::vector<TrafficLine> published(std::uint32_t root);
  std::vector<TrafficLine> hybrid(std::uint32_t root, std::span<const char> bottom_up);

 private:
  /// A reduction of one number over all ranks.
  void reduce(Level level, Phase phase) { ledger_.add_everywhere(level, phase, 8 * others()); }
  /// What the owner of a vertex tells all others.
  void tell_all(std::uint32_t owned, std::int64_t bytes) {
    ledger_.add(outside_levels, Phase::reset, AuditClass::a, graph_.rank_of(owned), bytes * others());
  }
  void gather_bitmaps(Level level, Phase phase);
  void gather_summaries(Level level);
  void expand_frontier(Level level, std::span<const std::uint32_t> frontier);
  void fold(Level level, const FoldMessages& messages);
  void send_updates(Level level, const FoldMessages& messages);
  void rotate_pieces(Level level);
  std::int64_t message_bytes(const FoldMessages& messages, int sender, int col) const;
  bool is_wide(std::int64_t frontier, std::int64_t unvisited) const;
  void choose_directions(const WalkedLevels& levels, Level first_level);
  void emit(std::uint32_t root, const WalkedLevels& levels, std::span<const char> bottom_up);
  bool is_remembered(const WalkedLevels& levels, std::span<const char> bottom_up) const;
  bool goes_bottom_up(std::span<const char> bottom_up, std::int64_t level) const {
    return level < std::ssize(bottom_up) && bottom_up[static_cast<std::size_t>(level)] != 0;
  }
  FoldMessages no_messages() const { return {rules_.ranks(), rules_.cols, rules_.packed_fold}; }
  std::int64_t others() const { return rules_.ranks() - 1; }

  const WalkedGraph& graph_;
  const TrafficRules& rules_;
  Ledger ledger_;
  std::optional<Proposed> proposed_;
};

/// Every rank's bitmap to the other ranks of its grid column.
void Walk::gather_bitmaps(Level level, Phase phase) {
  for (int rank = 0; rank < rules_.ranks(); ++rank) {
    ledger_.add(level, phase, AuditClass::a, rank, bitmap_bytes(graph_.numbered(rank)) * (rules_.rows - 1));
  }
}

void Walk::gather_summaries(Level level) {
  for (int rank = 0; rank < rules_.ranks(); ++rank) {
    ledger_.add(level, Phase::expand, AuditClass::a, rank,
                summary_bytes(graph_.numbered(rank)) * (rules_.rows - 1));
  }
}

/// The frontier to the other ranks of the grid column, in a top-down level.
void Walk::expand_frontier(Level level, std::span<const std::uint32_t> frontier) {
  if (rules_.frontier == TrafficRules::Frontier::bitmap) {
    gather_bitmaps(level, Phase::expand);
    return;
  }
  ledger_.add_everywhere(level, Phase::expand, 8 * (rules_.rows - 1));  // how long each list is
  for (const std::uint32_t v : frontier) {
    ledger_.add(level, Phase::expand, AuditClass::b, graph_.rank_of(v), 4 * (rules_.rows - 1));
  }
}

std::int64_t Walk::message_bytes(const FoldMessages& messages, int sender, int col) const {
  if (!rules_.packed_fold) return rules_.tuple_bytes * messages.pairs(sender, col);
  const auto unordered = messages.targets(sender, col);
  std::vector<std::uint32_t> targets(unordered.begin(), unordered.end());
  std::sort(targets.begin(), targets.end());
  return packed_pairs_bytes(targets, bits_for(graph_.column_span(sender / rules_.rows)));
}

void Walk::fold(Level level, const FoldMessages& messages) {
  if (rules_.cols == 1) return;
  RowBytes bytes(rules_.rows, rules_.cols);
  for (int row = 0; row < rules_.rows; ++row) {
    for (int from = 0; from < rules_.cols; ++from) {
      for (int to = 0; to < rules_.cols; ++to) {
        bytes.at(row, from, to) = message_bytes(messages, bytes.rank_at(row, from), to);
      }
    }
  }
  const ExchangeTraffic traffic = exchange_traffic(bytes, rules_);
  ledger_.add(level, Phase::count, AuditClass::a, traffic.count_bytes);
  ledger_.add(level, Phase::fold, AuditClass::b, traffic.fold_bytes);
}

/// One-sided: each proposal is two accumulates of 8 bytes, into the owner's parents and into its frontier.
void Walk::send_updates(Level level, const FoldMessages& messages) {
  for (int rank = 0; rank < rules_.ranks(); ++rank) {
    for (int col = 0; col < rules_.cols; ++col) {
      if (col != rank) ledger_.add(level, Phase::fold, AuditClass::b, rank, 16 * messages.pairs(rank, col));
    }
  }
}

/// Every piece of the grid row once round it, home again at the end: each rank sends each piece on once.
void Walk::rotate_pieces(Level level) {
  if (rules_.cols == 1) return;
  for (int rank = 0; rank < rules_.ranks(); ++rank) {
    for (int col = 0; col < rules_.cols; ++col) {
      const int owner = col * rules_.rows + rank % rules_.rows;
      ledger_.add(level, Phase::rotate, AuditClass::a, rank, bitmap_bytes(graph_.numbered(owner)));
    }
  }
}

std::vector<TrafficLine> Walk::published(std::uint32_t root) {
  const WalkedLevels levels = walk_levels(graph_, root);
  for (Level level = 0; level < levels.count(); ++level) {
    if (is_replicated(rules_.plan)) {
      gather_bitmaps(level, Phase::expand);
      gather_summaries(level);
    } else {
      expand_frontier(level, levels.frontier[static_cast<std::size_t>(level)]);
      FoldMessages messages = no_messages();
      propose_top_down(graph_, rules_, levels, level, proposed_ ? &*proposed_ : nullptr, messages);
      if (rules_.plan == Plan::one_sided) {
        send_updates(level, messages);
      } else {
        fold(level, messages);
      }
    }
    reduce(level, Phase::reduce);
  }
  return std::move(ledger_).lines();
}

/// The rule by which a frontier is wide: no arcs are counted for such a level (docs/adr/0013).
bool Walk::is_wide(std::int64_t frontier, std::int64_t unvisited) const {
  const auto all = static_cast<double>(graph_.numbered());
  const double touched = all / 16 + static_cast<double>(unvisited) * 4;
  return static_cast<double>(frontier) * rules_.beta > std::min(all, touched);
}

/// Counting a frontier's arcs is one more reduction. It comes after the level before, in its last phase.
void Walk::choose_directions(const WalkedLevels& levels, Level first_level) {
  if (rules_.direction != TrafficRules::DirectionRule::policy) return;
  std::int64_t unvisited = graph_.numbered();
  for (Level level = 0; level < levels.count(); ++level) {
    const std::int64_t frontier = std::ssize(levels.frontier[static_cast<std::size_t>(level)]);
    unvisited -= frontier;
    if (is_wide(frontier, unvisited)) continue;
    if (level == 0) {
      reduce(outside_levels, Phase::reset);
    } else {
      reduce(first_level + level - 1, Phase::reduce);
    }
  }
}

std::vector<TrafficLine> Walk::hybrid(std::uint32_t root, std::span<const char> bottom_up) {
  constexpr std::int64_t location = 32;  // where a vertex is: four numbers
  tell_all(root, location);
  tell_all(root, 8);  // the label of its component
  std::uint32_t first = root;
  Level first_level = 0;
  if (graph_.is_left_out(root)) {
    first = graph_.only_neighbour(root);
    first_level = 1;
    tell_all(first, location);
  }
  WalkedLevels levels;
  if (!graph_.is_left_out(first)) levels = walk_levels(graph_, first);
  choose_directions(levels, first_level);
  for (std::int64_t step = 0; step < levels.count(); ++step) {
    const Level level = first_level + static_cast<Level>(step);
    FoldMessages messages = no_messages();
    if (goes_bottom_up(bottom_up, step)) {
      gather_bitmaps(level, Phase::expand);
      rotate_pieces(level);
      find_bottom_up(graph_, rules_, levels, step, messages);
    } else {
      expand_frontier(level, levels.frontier[static_cast<std::size_t>(step)]);
      propose_top_down(graph_, rules_, levels, step, proposed_ ? &*proposed_ : nullptr, messages);
    }
    fold(level, messages);
    reduce(level, Phase::reduce);
  }
  emit(root, levels, bottom_up);
  return std::move(ledger_).lines();
}

/// Outside the main component all ranks agree whether they remember every vertex reached; if not, leaves on
/// one grid column ask what was reached of it.
void Walk::emit(std::uint32_t root, const WalkedLevels& levels, std::span<const char> bottom_up) {
  const bool in_main = graph_.is_in_main_component(root);
  if (!in_main) reduce(outside_levels, Phase::emit);
  if (rules_.cols == 1 && (in_main || !is_remembered(levels, bottom_up))) {
    gather_bitmaps(outside_levels, Phase::emit);
  }
}

/// On one grid column: vertices reached are remembered while a rank has at most 4,096 of them and they came
/// as a list, which they do from top-down levels of at most 8,192 arcs at this rank. A bitmap becomes a list
/// where the next frontier is not wide.
bool Walk::is_remembered(const WalkedLevels& levels, std::span<const char> bottom_up) const {
  constexpr std::int64_t few = 4096;
  constexpr std::int64_t small_level_arcs = 8192;
  const auto ranks = static_cast<std::size_t>(rules_.ranks());
  std::vector<std::int64_t> remembered(ranks, 0);
  std::vector<char> is_bitmap(ranks, 0);
  const auto remember = [&](std::size_t rank, const std::vector<std::uint32_t>& frontier) {
    remembered[rank] += std::ranges::count_if(
        frontier, [&](std::uint32_t v) { return static_cast<std::size_t>(graph_.rank_of(v)) == rank; });
    return remembered[rank] <= few;
  };
  std::int64_t unvisited = graph_.numbered();
  for (std::int64_t level = 0; level < levels.count(); ++level) {
    const auto& frontier = levels.frontier[static_cast<std::size_t>(level)];
    unvisited -= std::ssize(frontier);
    const bool wide = is_wide(std::ssize(frontier), unvisited);
    std::vector<std::int64_t> arcs(ranks, 0);
    for (const std::uint32_t source : frontier) {
      for (const std::uint32_t target : graph_.neighbours(source)) {
        ++arcs[static_cast<std::size_t>(graph_.rank_of(target))];
      }
    }
    for (std::size_t rank = 0; rank < ranks; ++rank) {
      if (is_bitmap[rank] != 0 && (wide || !remember(rank, frontier))) return false;
      if (is_bitmap[rank] == 0 && !remember(rank, frontier)) return false;
      is_bitmap[rank] = goes_bottom_up(bottom_up, level) || arcs[rank] > small_level_arcs ? 1 : 0;
    }
  }
  return std::ranges::count(is_bitmap, 1) == 0;
}

void check(const TrafficRules& rules) {
  ISOBATH_EXPECTS(rules.rows >= 1 && rules.cols >= 1);
  if (is_replicated(rules.plan) && rules.cols != 1) {
    throw UsageError("a replicated plan has one grid column; give the grid as ranks x 1");
  }
  if ((rules.plan == Plan::simple || rules.plan == Plan::one_sided) && rules.rows != 1) {
    throw UsageError("a plan of owners has one grid row; give the grid as 1 x ranks");
  }
}

}  // namespace

std::int64_t TrafficLine::bytes() const {
  return std::accumulate(bytes_of_rank.begin(), bytes_of_rank.end(), std::int64_t{0});
}

TrafficWalk::TrafficWalk(std::int64_t num_vertices, std::span<const Edge> edges, const TrafficRules& rules)
    : rules_(rules) {
  check(rules_);
  graph_ = std::make_unique<const WalkedGraph>(num_vertices, edges, rules_);
}

TrafficWalk::TrafficWalk(TrafficWalk&&) noexcept = default;
TrafficWalk::~TrafficWalk() = default;

std::vector<TrafficLine> TrafficWalk::search(GlobalVertex root, std::span<const char> bottom_up) const {
  ISOBATH_EXPECTS(0 <= raw(root) && raw(root) < graph_->num_vertices());
  const auto vertex = static_cast<std::uint32_t>(raw(root));
  if (graph_->endpoints(vertex) == 0) {
    throw UsageError("vertex " + std::to_string(raw(root)) + " has no neighbour, so no search starts there");
  }
  Walk walk(*graph_, rules_);
  return rules_.plan == Plan::hybrid ? walk.hybrid(vertex, bottom_up) : walk.published(vertex);
}

}  // namespace isobath::reference
