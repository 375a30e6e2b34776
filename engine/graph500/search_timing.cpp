// SPDX-License-Identifier: Apache-2.0
#include "graph500/search_timing.hpp"

#include <numeric>
#include <span>

#include <fmt/format.h>

#include "base/error.hpp"

namespace isobath {
namespace {

/// All numbers of a search in the two vectors in which they cross ranks. A row of each belongs to one level,
/// the first row to the whole search.
struct Table {
  std::vector<double> seconds;       // maximum over ranks; for each phase, then their sum
  std::vector<std::int64_t> counts;  // sum over ranks; bytes, messages and entries of each phase, then arcs

  static constexpr std::size_t seconds_row = num_phases + 1;
  static constexpr std::size_t counts_row = 3 * num_phases + 1;

  void append(const PhaseTotals& phases, std::int64_t arcs) {
    seconds.insert(seconds.end(), phases.seconds.begin(), phases.seconds.end());
    seconds.push_back(std::accumulate(phases.seconds.begin(), phases.seconds.end(), 0.0));
    counts.insert(counts.end(), phases.bytes_sent.begin(), phases.bytes_sent.end());
    counts.insert(counts.end(), phases.messages.begin(), phases.messages.end());
    counts.insert(counts.end(), phases.entered.begin(), phases.entered.end());
    counts.push_back(arcs);
  }

  std::span<const double> phase_seconds(std::size_t row) const {
    return std::span(seconds).subspan(row * seconds_row, num_phases);
  }
  double sum_of_seconds(std::size_t row) const { return seconds[row * seconds_row + num_phases]; }
  std::span<const std::int64_t> bytes_sent(std::size_t row) const { return part(row, 0); }
  std::span<const std::int64_t> messages(std::size_t row) const { return part(row, 1); }
  std::span<const std::int64_t> entered(std::size_t row) const { return part(row, 2); }
  std::int64_t arcs(std::size_t row) const { return counts[row * counts_row + 3 * num_phases]; }

 private:
  std::span<const std::int64_t> part(std::size_t row, std::size_t which) const {
    return std::span(counts).subspan(row * counts_row + which * num_phases, num_phases);
  }
};

/// The phases of a row that some rank entered.
template <class T>
ByPhase<T> entered_phases(std::span<const T> values, std::span<const std::int64_t> entered) {
  ByPhase<T> phases;
  for (std::size_t i = 0; i < num_phases; ++i) {
    if (entered[i] != 0) phases.emplace_back(static_cast<Phase>(i), values[i]);
  }
  return phases;
}

/// Sums of this rank's rows, phase by phase.
PhaseTotals whole_search(const Timeline& timeline) {
  PhaseTotals whole = timeline.outside;
  for (std::size_t level = 0; level < timeline.num_levels; ++level) {
    const PhaseTotals& phases = timeline.levels[level].phases;
    for (std::size_t i = 0; i < num_phases; ++i) {
      whole.seconds[i] += phases.seconds[i];
      whole.bytes_sent[i] += phases.bytes_sent[i];
      whole.messages[i] += phases.messages[i];
      whole.entered[i] = whole.entered[i] || phases.entered[i];
    }
  }
  return whole;
}

/// Collective. Every rank throws when one of them has something to say.
void agree(const Communicator& world, const TimeWindow& window, const Timeline& timeline) {
  const std::string own = check_time_window(window, timeline);
  const auto levels = static_cast<std::int64_t>(timeline.num_levels);
  std::int64_t facts[] = {own.empty() ? 0 : 1, levels, -levels};
  world.max(facts);
  if (facts[0] != 0) {
    throw InternalError(
        fmt::format("the clock of a search does not enclose its phases ({}); please report this",
                    own.empty() ? "on another rank" : own));
  }
  if (facts[1] != -facts[2]) {
    throw InternalError(fmt::format("ranks counted from {} to {} levels in one search; please report this",
                                    -facts[2], facts[1]));
  }
}

}  // namespace

SearchTiming reduce_search(const Communicator& world, const TimeWindow& window, const Timeline& timeline) {
  agree(world, window, timeline);

  Table table;
  table.append(whole_search(timeline), 0);
  for (std::size_t i = 0; i < timeline.num_levels; ++i) {
    table.append(timeline.levels[i].phases, timeline.levels[i].arcs_scanned);
  }
  const double own_seconds = window.seconds();
  table.seconds.push_back(own_seconds);
  table.seconds.push_back(-own_seconds);  // its maximum is the negative minimum
  world.max(std::span(table.seconds));
  world.sum(std::span(table.counts));

  SearchTiming timing;
  timing.seconds_min = -table.seconds.back();
  timing.seconds = table.seconds[table.seconds.size() - 2];
  timing.seconds_mean = world.sum(own_seconds) / world.size();
  timing.phases = entered_phases(table.phase_seconds(0), table.entered(0));
  for (const std::int64_t bytes : table.bytes_sent(0)) timing.bytes_sent += bytes;
  for (const std::int64_t messages : table.messages(0)) timing.messages += messages;
  for (std::size_t i = 0; i < timeline.num_levels; ++i) {
    const LevelTimeline& level = timeline.levels[i];
    const std::size_t row = i + 1;
    LevelRecord record;
    record.level = level.level;
    record.direction = name_of(level.direction);
    record.frontier_vertices = level.frontier_vertices;
    record.arcs_scanned = table.arcs(row);
    record.seconds = table.sum_of_seconds(row);
    record.phases = entered_phases(table.phase_seconds(row), table.entered(row));
    record.bytes_sent = entered_phases(table.bytes_sent(row), table.entered(row));
    record.messages = entered_phases(table.messages(row), table.entered(row));
    timing.levels.push_back(std::move(record));
  }
  return timing;
}

}  // namespace isobath
