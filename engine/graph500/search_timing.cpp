// SPDX-License-Identifier: Apache-2.0
#include "graph500/search_timing.hpp"

#include <fmt/format.h>

#include <numeric>
#include <span>

#include "base/error.hpp"

namespace isobath {
namespace {

// A row of numbers for each level and one for what happened outside levels; a row holds one number for each
// phase.
constexpr std::size_t row = num_phases;

struct Rows {
  std::vector<double> seconds;  // one number more in each row: the whole level
  std::vector<std::int64_t> bytes_sent;
  std::vector<std::int64_t> messages;
  std::vector<std::int64_t> entered;
  std::vector<std::int64_t> arcs;
};

void append(Rows& rows, const PhaseTotals& phases, std::int64_t arcs) {
  rows.seconds.insert(rows.seconds.end(), phases.seconds.begin(), phases.seconds.end());
  rows.seconds.push_back(std::accumulate(phases.seconds.begin(), phases.seconds.end(), 0.0));
  rows.bytes_sent.insert(rows.bytes_sent.end(), phases.bytes_sent.begin(), phases.bytes_sent.end());
  rows.messages.insert(rows.messages.end(), phases.messages.begin(), phases.messages.end());
  rows.entered.insert(rows.entered.end(), phases.entered.begin(), phases.entered.end());
  rows.arcs.push_back(arcs);
}

/// The phases of one row that some rank entered.
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

  Rows rows;
  append(rows, whole_search(timeline), 0);
  for (std::size_t i = 0; i < timeline.num_levels; ++i) {
    append(rows, timeline.levels[i].phases, timeline.levels[i].arcs_scanned);
  }
  world.max(std::span<double>(rows.seconds));
  world.sum(std::span<std::int64_t>(rows.bytes_sent));
  world.sum(std::span<std::int64_t>(rows.messages));
  world.sum(std::span<std::int64_t>(rows.entered));
  world.sum(std::span<std::int64_t>(rows.arcs));

  const auto seconds_of = [&](std::size_t k) {
    return std::span<const double>(rows.seconds).subspan(k * (row + 1), row);
  };
  const auto part = [&](const std::vector<std::int64_t>& numbers, std::size_t k) {
    return std::span<const std::int64_t>(numbers).subspan(k * row, row);
  };
  SearchTiming timing;
  timing.seconds = world.max(window.seconds());
  timing.seconds_min = world.min(window.seconds());
  timing.seconds_mean = world.sum(window.seconds()) / world.size();
  timing.phases = entered_phases(seconds_of(0), part(rows.entered, 0));
  for (const std::int64_t bytes : part(rows.bytes_sent, 0)) timing.bytes_sent += bytes;
  for (const std::int64_t messages : part(rows.messages, 0)) timing.messages += messages;
  for (std::size_t i = 0; i < timeline.num_levels; ++i) {
    const LevelTimeline& level = timeline.levels[i];
    const std::size_t k = i + 1;
    LevelRecord record;
    record.level = level.level;
    record.direction = name_of(level.direction);
    record.frontier_vertices = level.frontier_vertices;
    record.arcs_scanned = rows.arcs[k];
    record.seconds = rows.seconds[k * (row + 1) + row];
    record.phases = entered_phases(seconds_of(k), part(rows.entered, k));
    record.bytes_sent = entered_phases(part(rows.bytes_sent, k), part(rows.entered, k));
    record.messages = entered_phases(part(rows.messages, k), part(rows.entered, k));
    timing.levels.push_back(std::move(record));
  }
  return timing;
}

}  // namespace isobath
