// SPDX-License-Identifier: Apache-2.0
// Arcs dealt as they come, against the plain way: a list of the sources of every target.
#include "graph/arriving_arcs.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "base/threads.hpp"

namespace isobath {
namespace {

using Lists = std::vector<std::vector<std::uint32_t>>;

/// Sources are all different; half of the arcs end at few targets.
std::vector<RoutedArc> random_arcs(std::size_t count, std::int64_t num_targets) {
  std::mt19937_64 draw(count);
  std::vector<RoutedArc> arcs;
  for (std::size_t i = 0; i < count; ++i) {
    const auto among =
        static_cast<std::uint64_t>(i % 2 == 0 ? std::min<std::int64_t>(num_targets, 3) : num_targets);
    arcs.push_back({static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(draw() % among)});
  }
  return arcs;
}

/// Dealt by all threads in rounds of different length.
DealtArcs dealt_in_rounds(const std::vector<RoutedArc>& arcs, std::int64_t num_targets, std::size_t expected,
                          std::size_t most_lines) {
  ArrivingArcs arcs_here(num_targets, expected, 1, most_lines);
  std::size_t round = 1;
  for (std::size_t at = 0; at < arcs.size(); round = 3 * round + 1) {
    const std::size_t now = std::min(round, arcs.size() - at);
    arcs_here.deal(now, [&](int part, int parts, bool, auto&& add) {
      const auto [first, end] = static_share(static_cast<std::int64_t>(now), part, parts);
      for (std::int64_t i = first; i < end; ++i) add(arcs[at + static_cast<std::size_t>(i)]);
    });
    at += now;
  }
  return arcs_here.dealt();
}

Lists sorted(Lists lists) {
  for (auto& list : lists) std::ranges::sort(list);
  return lists;
}

struct Arriving {
  std::int64_t targets;
  std::size_t arcs;
  int threads;
  std::size_t expected;
  std::size_t most_lines = TargetRanges::in_second_cache;  // of more ranges each has one thread
};

const Arriving arriving_cases[] = {{0, 0, 1, 0},
                                   {1, 0, 2, 5},
                                   {1, 1, 2, 1},
                                   {1, 100000, 3, 0},
                                   {2048, 5000, 1, 5000},
                                   {2049, 5000, 3, 10},
                                   {5000, 17, 4, 17},
                                   {70000, 300000, 3, 300000},
                                   {300000, 1500000, 2, 20},
                                   {1, 0, 2, 5, 0},
                                   {1, 100000, 3, 0, 0},
                                   {3000, 100000, 1, 100000, 7},
                                   {2049, 5000, 3, 10, 0},
                                   {70000, 300000, 3, 300000, 200},
                                   {1200, 200000, 4, 200000, 3},
                                   {300000, 400000, 2, 20, 50}};

TEST(ArrivingArcs, StandInTheRangeOfTheirTarget) {
  const int before = max_threads();
  for (const Arriving& c : arriving_cases) {
    set_num_threads(c.threads);
    const std::vector<RoutedArc> arcs = random_arcs(c.arcs, c.targets);
    const DealtArcs in_ranges = dealt_in_rounds(arcs, c.targets, c.expected, c.most_lines);
    EXPECT_EQ(in_ranges.num_arcs(), c.arcs);
    Lists expected(static_cast<std::size_t>(c.targets));
    Lists found(expected.size());
    for (const RoutedArc& arc : arcs) expected[arc.target].push_back(arc.source);
    for (std::size_t range = 0; range < in_ranges.num_ranges(); ++range) {
      std::size_t of_range = 0;
      for (const auto& [sources, targets] : in_ranges.parts(range)) {
        ASSERT_EQ(sources.size(), targets.size());
        ASSERT_FALSE(sources.empty());
        for (std::size_t i = 0; i < sources.size(); ++i) {
          const std::uint32_t target = in_ranges.first_target(range) + targets[i];
          ASSERT_LT(target, in_ranges.end_target(range));
          found[target].push_back(sources[i]);
        }
        of_range += sources.size();
      }
      EXPECT_EQ(of_range, in_ranges.size(range));
    }
    EXPECT_TRUE(sorted(std::move(found)) == expected) << c.targets << " targets, " << c.threads << " threads";
  }
  set_num_threads(before);
}

TEST(ArrivingArcs, AreOverwrittenFromPartToPart) {
  const int before = max_threads();
  for (const Arriving& c : arriving_cases) {
    set_num_threads(c.threads);
    DealtArcs in_ranges =
        dealt_in_rounds(random_arcs(c.arcs, c.targets), c.targets, c.expected, c.most_lines);
    in_ranges.forget_targets();
    std::vector<std::uint32_t> numbers(c.arcs);
    std::iota(numbers.begin(), numbers.end(), 7U);
    const auto of_range = [&](std::size_t range) { return numbers.data() + in_ranges.begin(range); };
    for (std::size_t range = 0; range < in_ranges.num_ranges(); ++range) {
      SourceCursor cursor(in_ranges.parts(range));
      for (std::size_t at = 0, now = 1; at < in_ranges.size(range); at += now, now += 13) {
        now = std::min(now, in_ranges.size(range) - at);
        cursor.write(of_range(range) + at, now);
      }
    }
    std::vector<std::uint32_t> read(c.arcs);
    for (std::size_t range = 0; range < in_ranges.num_ranges(); ++range) {
      SourceCursor cursor(in_ranges.parts(range));
      std::uint32_t* const to = read.data() + in_ranges.begin(range);
      const std::size_t half = in_ranges.size(range) / 2;
      cursor.read(to, half);
      cursor.read(to + half, in_ranges.size(range) - half);
    }
    EXPECT_TRUE(read == numbers) << c.targets << " targets, " << c.threads << " threads";
  }
  set_num_threads(before);
}

}  // namespace
}  // namespace isobath
