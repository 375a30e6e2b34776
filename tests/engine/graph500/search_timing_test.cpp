// SPDX-License-Identifier: Apache-2.0
#include "graph500/search_timing.hpp"

#include <map>

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "mpi_main.hpp"

namespace isobath {
namespace {

constexpr std::size_t at(Phase phase) { return static_cast<std::size_t>(phase); }

/// A search that took rank r r + 1 seconds in top_down of its one level, and half a second each in reset and
/// emit.
Timeline timeline_of_rank(int rank) {
  Timeline timeline;
  timeline.begin = 100;
  timeline.first_phase = Phase::reset;
  timeline.last_phase = Phase::emit;
  timeline.outside.seconds[at(Phase::reset)] = 0.5;
  timeline.outside.entered[at(Phase::reset)] = true;
  timeline.outside.seconds[at(Phase::emit)] = 0.5;
  timeline.outside.entered[at(Phase::emit)] = true;
  timeline.num_levels = 1;
  timeline.levels.resize(1);
  LevelTimeline& level = timeline.levels[0];
  level.level = 1;
  level.direction = Direction::bottom_up;
  level.frontier_vertices = 42;
  level.arcs_scanned = 10;
  level.phases.seconds[at(Phase::top_down)] = rank + 1;
  level.phases.entered[at(Phase::top_down)] = true;
  level.phases.bytes_sent[at(Phase::top_down)] = 100;
  level.phases.messages[at(Phase::top_down)] = 2;
  timeline.end = timeline.begin + rank + 2;
  return timeline;
}

template <class T>
std::map<std::string_view, T> by_name(const ByPhase<T>& values) {
  std::map<std::string_view, T> map;
  for (const auto& [phase, value] : values) map[name_of(phase)] = value;
  return map;
}

TEST(SearchTiming, TakesTheSlowestRankAndAddsUpWhatWasSent) {
  const Communicator& world = test::world();
  const Timeline timeline = timeline_of_rank(world.rank());
  const TimeWindow window{timeline.begin, timeline.end};

  const SearchTiming timing = reduce_search(world, window, timeline);

  const int ranks = world.size();
  EXPECT_DOUBLE_EQ(timing.seconds, ranks + 1);
  EXPECT_DOUBLE_EQ(timing.seconds_min, 2);
  EXPECT_DOUBLE_EQ(timing.seconds_mean, (ranks + 3) / 2.0);
  EXPECT_EQ(timing.bytes_sent, 100 * ranks);
  EXPECT_EQ(timing.messages, 2 * ranks);
  const std::map<std::string_view, double> phases = {{"reset", 0.5}, {"top_down", ranks}, {"emit", 0.5}};
  EXPECT_EQ(by_name(timing.phases), phases);
  ASSERT_EQ(timing.levels.size(), 1U);
  const LevelRecord& level = timing.levels[0];
  EXPECT_EQ(level.level, 1);
  EXPECT_EQ(level.direction, "bottom_up");
  EXPECT_EQ(level.frontier_vertices, 42);
  EXPECT_EQ(level.arcs_scanned, 10 * ranks);
  EXPECT_DOUBLE_EQ(level.seconds, ranks);
  EXPECT_EQ(by_name(level.bytes_sent), (std::map<std::string_view, std::int64_t>{{"top_down", 100 * ranks}}));
  EXPECT_EQ(by_name(level.messages), (std::map<std::string_view, std::int64_t>{{"top_down", 2 * ranks}}));
}

TEST(SearchTiming, ATamperedClockOnOneRankStopsAll) {
  const Communicator& world = test::world();
  const Timeline timeline = timeline_of_rank(world.rank());
  TimeWindow window{timeline.begin, timeline.end};
  if (world.rank() == world.size() - 1) window.start += 0.25;
  EXPECT_THROW(reduce_search(world, window, timeline), InternalError);
}

TEST(SearchTiming, RanksThatDisagreeOnTheLevelsAreNoticed) {
  const Communicator& world = test::world();
  if (world.size() == 1) return;
  Timeline timeline = timeline_of_rank(world.rank());
  if (world.rank() == 0) {
    timeline.levels.emplace_back();
    timeline.num_levels = 2;
  }
  const TimeWindow window{timeline.begin, timeline.end};
  EXPECT_THROW(reduce_search(world, window, timeline), InternalError);
}

}  // namespace
}  // namespace isobath
