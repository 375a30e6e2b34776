// SPDX-License-Identifier: Apache-2.0
#include "reference/traffic_walk_steps.hpp"

#include <algorithm>
#include <numeric>

#include "reference/traffic_walk_encoding.hpp"
#include "reference/traffic_walk_exchange.hpp"
#include "reference/traffic_walk_hubs.hpp"

namespace isobath::reference {

void TrafficTally::add(Level level, Phase phase, AuditClass audit_class, int rank, std::int64_t bytes) {
  if (bytes == 0) return;
  auto [at, is_new] = lines_.try_emplace({level, phase});
  TrafficLine& line = at->second;
  if (is_new) line = {level, phase, audit_class, std::vector<std::int64_t>(ranks_, 0)};
  if (audit_class == AuditClass::b) line.audit_class = AuditClass::b;
  line.bytes_of_rank[static_cast<std::size_t>(rank)] += bytes;
}

std::vector<TrafficLine> TrafficTally::lines() && {
  std::vector<TrafficLine> sorted;
  for (auto& [step, line] : lines_) sorted.push_back(std::move(line));
  return sorted;
}

TrafficSteps::TrafficSteps(const WalkedGraph& graph, const TrafficRules& rules)
    : graph_(graph), rules_(rules), tally_(rules.ranks()) {
  if (rules.local_dedup && rules.cols > 1) proposed_.emplace(graph, rules.cols);
}

void TrafficSteps::reduce(Level level, Phase phase) {
  for (int rank = 0; rank < rules_.ranks(); ++rank) {
    tally_.add(level, phase, AuditClass::a, rank, 8 * (rules_.ranks() - 1));
  }
}

void TrafficSteps::reduce_by_grid(Level level, Phase phase, int numbers) {
  for (int rank = 0; rank < rules_.ranks(); ++rank) {
    tally_.add(level, phase, AuditClass::a, rank, 8 * numbers * (rules_.rows - 1 + rules_.cols - 1));
  }
}

void TrafficSteps::tell_all(std::uint32_t owned, std::int64_t bytes) {
  tally_.add(outside_levels, Phase::reset, AuditClass::a, graph_.rank_of(owned),
             bytes * (rules_.ranks() - 1));
}

void TrafficSteps::gather_bitmaps(Level level, Phase phase) {
  for (int rank = 0; rank < rules_.ranks(); ++rank) {
    tally_.add(level, phase, AuditClass::a, rank, bitmap_bytes(graph_.numbered(rank)) * (rules_.rows - 1));
  }
}

void TrafficSteps::gather_reached(Level level, Phase phase, const WalkedLevels& levels, std::int64_t until) {
  if (rules_.frontier != TrafficRules::Frontier::packed) return gather_bitmaps(level, phase);
  std::vector<std::uint32_t> reached;
  std::vector<std::uint32_t> others;
  for (std::uint32_t v = 0; v < graph_.num_vertices(); ++v) {
    if (!graph_.is_numbered(v)) continue;
    const std::int32_t at = levels.level_of.empty() ? WalkedLevels::not_reached : levels.level_of[v];
    (at != WalkedLevels::not_reached && at <= until ? reached : others).push_back(v);
  }
  const auto numbers_reached = numbers_by_rank(reached);
  const auto numbers_of_others = numbers_by_rank(others);
  for (int rank = 0; rank < rules_.ranks(); ++rank) {
    constexpr std::int64_t told = 8;  // length and form
    const std::int64_t bitmap = bitmap_bytes(graph_.numbered(rank));
    const auto& list = std::ssize(numbers_reached[static_cast<std::size_t>(rank)]) <= bitmap / 2
                           ? numbers_reached[static_cast<std::size_t>(rank)]
                           : numbers_of_others[static_cast<std::size_t>(rank)];
    const std::int64_t packed = packed_list_bytes(list);
    const std::int64_t data = packed <= bitmap / 2 ? packed : bitmap;
    tally_.add(level, phase, AuditClass::b, rank, (told + data) * (rules_.rows - 1));
  }
}

void TrafficSteps::gather_summaries(Level level) {
  for (int rank = 0; rank < rules_.ranks(); ++rank) {
    tally_.add(level, Phase::expand, AuditClass::a, rank,
               summary_bytes(graph_.numbered(rank)) * (rules_.rows - 1));
  }
}

std::vector<std::vector<std::uint32_t>> TrafficSteps::numbers_by_rank(
    std::span<const std::uint32_t> frontier) const {
  std::vector<std::vector<std::uint32_t>> numbers(static_cast<std::size_t>(rules_.ranks()));
  for (const std::uint32_t v : frontier) {
    numbers[static_cast<std::size_t>(graph_.rank_of(v))].push_back(graph_.number(v));
  }
  for (auto& of_rank : numbers) std::sort(of_rank.begin(), of_rank.end());
  return numbers;
}

/// Whether a grid column sends fewer bytes as bitmaps than as lists.
bool TrafficSteps::bitmaps_are_smaller(int col, std::span<const std::int64_t> list_bytes) const {
  std::int64_t lists = 0;
  std::int64_t bitmaps = 0;
  for (int row = 0; row < rules_.rows; ++row) {
    lists += list_bytes[static_cast<std::size_t>(rank_at(row, col))];
    bitmaps += bitmap_bytes(graph_.numbered(rank_at(row, col)));
  }
  return bitmaps < lists;
}

void TrafficSteps::expand(Level level, std::span<const std::uint32_t> frontier) {
  using Frontier = TrafficRules::Frontier;
  if (rules_.frontier == Frontier::bitmap) return gather_bitmaps(level, Phase::expand);
  std::vector<std::int64_t> list_bytes;
  for (const auto& numbers : numbers_by_rank(frontier)) {
    list_bytes.push_back(rules_.frontier == Frontier::packed ? packed_list_bytes(numbers)
                                                             : 4 * std::ssize(numbers));
  }
  for (int col = 0; col < rules_.cols; ++col) {
    const bool all_as_bitmaps = rules_.frontier == Frontier::smaller && bitmaps_are_smaller(col, list_bytes);
    for (int row = 0; row < rules_.rows; ++row) {
      const int rank = rank_at(row, col);
      const std::int64_t list = list_bytes[static_cast<std::size_t>(rank)];
      const std::int64_t bitmap = bitmap_bytes(graph_.numbered(rank));
      constexpr std::int64_t length = 8;  // of what this rank sends, told to the grid column
      const bool as_bitmap = all_as_bitmaps || (rules_.frontier == Frontier::packed && bitmap < list);
      const std::int64_t data = as_bitmap ? bitmap : list;
      tally_.add(level, Phase::expand, AuditClass::b, rank, (length + data) * (rules_.rows - 1));
    }
  }
}

std::vector<char> TrafficSteps::gather_lists(Level level,
                                             std::span<const std::vector<std::uint32_t>> asking) {
  std::vector<char> by_list;
  for (int row = 0; row < rules_.rows; ++row) {
    std::int64_t bitmap = 0;
    for (int col = 0; col < rules_.cols; ++col) bitmap += bitmap_bytes(graph_.numbered(rank_at(row, col)));
    std::vector<std::int64_t> length(static_cast<std::size_t>(rules_.cols), 0);
    std::vector<std::int64_t> in_vain(length.size(), 0);  // sent with the length, wanted or not
    for (int col = 0; col < rules_.cols; ++col) {
      const auto rank = static_cast<std::size_t>(rank_at(row, col));
      if (rank >= asking.size()) continue;
      const bool is_hopeless = std::ssize(asking[rank]) > bitmap_bytes(graph_.numbered(rank_at(row, col)));
      const std::int64_t list = is_hopeless ? 0 : packed_list_bytes(asking[rank]);
      length[static_cast<std::size_t>(col)] = is_hopeless ? bitmap : list;
      if (goes_with_length(rules_.cols, list)) in_vain[static_cast<std::size_t>(col)] = list;
    }
    const bool lists = std::accumulate(length.begin(), length.end(), std::int64_t{0}) < bitmap;
    by_list.push_back(lists ? 1 : 0);
    for (int col = 0; col < rules_.cols; ++col) {
      constexpr std::int64_t told = 8;
      const std::int64_t data = (lists ? length : in_vain)[static_cast<std::size_t>(col)];
      tally_.add(level, Phase::rotate, AuditClass::b, rank_at(row, col), (told + data) * (rules_.cols - 1));
    }
  }
  return by_list;
}

void TrafficSteps::rotate(Level level, std::span<const char> by_list) {
  if (rules_.cols == 1) return;
  for (int rank = 0; rank < rules_.ranks(); ++rank) {
    if (by_list[static_cast<std::size_t>(rank % rules_.rows)] != 0) continue;
    for (int col = 0; col < rules_.cols; ++col) {
      const int owner = rank_at(rank % rules_.rows, col);
      tally_.add(level, Phase::rotate, AuditClass::a, rank, bitmap_bytes(graph_.numbered(owner)));
    }
  }
}

void TrafficSteps::tell_hubs(Level level, const WalkedHubs& hubs, const WalkedLevels& levels,
                             std::int64_t until, std::int64_t told) {
  constexpr std::int64_t length = 8;
  for (int col = 0; col < rules_.cols; ++col) {
    const std::int64_t sent = (length + hubs.told_bytes(col, levels, until, told)) * (rules_.cols - 1);
    for (int row = 0; row < rules_.rows; ++row) {
      tally_.add(level, Phase::hub_pass, AuditClass::b, rank_at(row, col), sent);
    }
  }
}

std::int64_t TrafficSteps::message_bytes(const FoldMessages& messages, int sender, int col) const {
  constexpr std::int64_t emulated_update = 24;  // place, parent, bits to set
  if (rules_.exchange == TrafficRules::Exchange::emulated) {
    return emulated_update * messages.pairs(sender, col);
  }
  if (!rules_.packed_fold) return rules_.tuple_bytes * messages.pairs(sender, col);
  const auto unordered = messages.targets(sender, col);
  std::vector<std::uint32_t> targets(unordered.begin(), unordered.end());
  std::sort(targets.begin(), targets.end());
  return packed_pairs_bytes(targets, bits_for(graph_.column_span(sender / rules_.rows)));
}

void TrafficSteps::fold(Level level, const FoldMessages& messages) {
  if (rules_.cols == 1) return;
  RowBytes bytes(rules_.rows, rules_.cols);
  for (int row = 0; row < rules_.rows; ++row) {
    for (int from = 0; from < rules_.cols; ++from) {
      for (int to = 0; to < rules_.cols; ++to) {
        bytes.at(row, from, to) = message_bytes(messages, rank_at(row, from), to);
      }
    }
  }
  const ExchangeTraffic traffic = exchange_traffic(bytes, rules_);
  for (int rank = 0; rank < rules_.ranks(); ++rank) {
    const auto r = static_cast<std::size_t>(rank);
    tally_.add(level, Phase::count, AuditClass::a, rank, traffic.count_bytes[r]);
    tally_.add(level, Phase::fold, AuditClass::b, rank, traffic.fold_bytes[r]);
  }
}

void TrafficSteps::fold_one_sided(Level level, const FoldMessages& messages) {
  for (int rank = 0; rank < rules_.ranks(); ++rank) {
    for (int owner = 0; owner < rules_.cols; ++owner) {
      if (owner == rank) continue;
      tally_.add(level, Phase::fold, AuditClass::b, rank, 16 * messages.pairs(rank, owner));
    }
  }
}

}  // namespace isobath::reference
