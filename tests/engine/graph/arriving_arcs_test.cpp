// SPDX-License-Identifier: Apache-2.0
// Arcs dealt as they come, against the plain way: a list of the sources of every target.
#include "graph/arriving_arcs.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <random>
#include <set>
#include <type_traits>
#include <vector>

#include <gtest/gtest.h>

#include "base/bitmap.hpp"
#include "base/threads.hpp"
#include "graph/arcs_of_ranges.hpp"
#include "graph/with_arc.hpp"

namespace isobath {
namespace {

using Lists = std::vector<std::vector<std::uint64_t>>;

/// Sources are all different, wide ones up to 2^40; half of the arcs end at few targets.
template <class Arc>
std::vector<Arc> random_arcs(std::size_t count, std::int64_t num_targets) {
  constexpr std::uint64_t apart = std::is_same_v<Arc, WideArc> ? 733003 : 1;
  std::mt19937_64 draw(count);
  std::vector<Arc> arcs;
  for (std::size_t i = 0; i < count; ++i) {
    const auto among =
        static_cast<std::uint64_t>(i % 2 == 0 ? std::min<std::int64_t>(num_targets, 3) : num_targets);
    arcs.push_back(arc_between<Arc>(i * apart, draw() % among));
  }
  return arcs;
}

/// Dealt by all threads in rounds of different length.
template <class Arc>
DealtArcs dealt_in_rounds(const std::vector<Arc>& arcs, std::int64_t num_targets, std::size_t expected,
                          std::size_t most_lines) {
  ArrivingArcs<Arc> arcs_here(num_targets, expected, 1, most_lines);
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

/// Arcs of both forms, RoutedArc and WideArc.
template <class Arc>
class ArrivingArcsOf : public testing::Test {};
using ArcForms = testing::Types<RoutedArc, WideArc>;
TYPED_TEST_SUITE(ArrivingArcsOf, ArcForms);

TYPED_TEST(ArrivingArcsOf, StandInTheRangeOfTheirTarget) {
  const int before = max_threads();
  for (const Arriving& c : arriving_cases) {
    set_num_threads(c.threads);
    const std::vector<TypeParam> arcs = random_arcs<TypeParam>(c.arcs, c.targets);
    const DealtArcs in_ranges = dealt_in_rounds(arcs, c.targets, c.expected, c.most_lines);
    EXPECT_EQ(in_ranges.num_arcs(), c.arcs);
    Lists expected(static_cast<std::size_t>(c.targets));
    Lists found(expected.size());
    for (const TypeParam& arc : arcs) expected[target_of(arc)].push_back(source_of(arc));
    for (std::size_t range = 0; range < in_ranges.num_ranges(); ++range) {
      std::size_t of_range = 0;
      for (const DealtArcs::Part& part : in_ranges.parts(range)) {
        ASSERT_EQ(part.sources.size(), part.targets().size());
        ASSERT_FALSE(part.sources.empty());
        in_ranges.with_sources(part, [&](const auto& source_at) {
          for (std::size_t i = 0; i < part.sources.size(); ++i) {
            const std::size_t target = in_ranges.first_target(range) + part.target[i];
            ASSERT_LT(target, in_ranges.end_target(range));
            found[target].push_back(source_at(i));
          }
        });
        of_range += part.sources.size();
      }
      EXPECT_EQ(of_range, in_ranges.size(range));
    }
    EXPECT_TRUE(sorted(std::move(found)) == expected) << c.targets << " targets, " << c.threads << " threads";
  }
  set_num_threads(before);
}

using Ends = std::set<std::size_t>;

Ends marked(const LargeArray<Word>& bits, EndRange range) {
  Ends ends;
  for_each_bit(bits.span(), [&](std::size_t at) { ends.insert(range.first + at); });
  return ends;
}

template <class Arcs, class EndOf>
Ends in_range(const Arcs& arcs, EndRange range, EndOf&& end_of) {
  Ends ends;
  for (const auto& arc : arcs) {
    if (end_of(arc) >= range.first && end_of(arc) < range.end) ends.insert(end_of(arc));
  }
  return ends;
}

/// More targets than 32 bits name, which nobody here has; and sources of 40 bits.
TEST(ArrivingArcs, HaveTargetsAndSourcesBeyond32Bits) {
  const int before = max_threads();
  set_num_threads(2);
  constexpr std::int64_t num_targets = (std::int64_t{1} << 33) + 77;
  std::mt19937_64 draw(7);
  std::vector<WideArc> arcs;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> expected;
  for (std::uint64_t i = 0; i < 3000; ++i) {
    // The first ones differ in high bits alone.
    const std::uint64_t target = i < 8    ? 777 + (i % 2 << 32)
                                 : i == 8 ? num_targets - 1
                                          : draw() % num_targets;
    const std::uint64_t source = i < 8 ? 12345 + (i << 32) : draw() >> 24;
    arcs.push_back(arc_between<WideArc>(source, target));
    expected.emplace_back(target, source);
  }
  for (const std::size_t most_lines : {std::size_t{1} << 20, std::size_t{0}}) {
    const DealtArcs dealt = dealt_in_rounds(arcs, num_targets, arcs.size(), most_lines);
    std::vector<std::pair<std::uint64_t, std::uint64_t>> found;
    test::for_each_arc(
        dealt, [&](std::uint64_t target, std::uint64_t source) { found.emplace_back(target, source); });
    std::ranges::sort(found);
    std::ranges::sort(expected);
    EXPECT_TRUE(found == expected) << most_lines;
    constexpr std::size_t all = std::size_t{1} << 40;
    constexpr std::size_t some = std::size_t{1} << 20;
    const EndRange sources{.first = std::size_t{3} << 32, .end = (std::size_t{3} << 32) + some, .all = all};
    EXPECT_TRUE(marked(sources_with_arc(dealt, sources, all), sources) ==
                in_range(expected, sources, [](const auto& arc) { return arc.second; }));
    const EndRange targets{
        .first = std::size_t{1} << 32, .end = (std::size_t{1} << 32) + some, .all = num_targets};
    EXPECT_TRUE(marked(targets_with_arc(dealt, targets, all), targets) ==
                in_range(expected, targets, [](const auto& arc) { return arc.first; }));
  }
  set_num_threads(before);
}

TYPED_TEST(ArrivingArcsOf, AreOverwrittenFromPartToPart) {
  const int before = max_threads();
  for (const Arriving& c : arriving_cases) {
    set_num_threads(c.threads);
    DealtArcs in_ranges =
        dealt_in_rounds(random_arcs<TypeParam>(c.arcs, c.targets), c.targets, c.expected, c.most_lines);
    in_ranges.forget_arcs();
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
