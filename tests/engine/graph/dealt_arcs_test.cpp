// SPDX-License-Identifier: Apache-2.0
#include "graph/dealt_arcs.hpp"

#include <cstdint>
#include <random>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace isobath {
namespace {

using Arcs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;  // source, target

/// The plain way: the sources of every target, in the order in which they are given.
std::vector<std::vector<std::uint32_t>> sources_by_target(const Arcs& arcs, std::int64_t num_targets) {
  std::vector<std::vector<std::uint32_t>> of(static_cast<std::size_t>(num_targets));
  for (const auto& [source, target] : arcs) of[target].push_back(source);
  return of;
}

Arcs random_arcs(std::uint64_t seed, std::size_t count, std::int64_t num_targets) {
  std::mt19937_64 draw(seed);
  Arcs arcs;
  for (std::size_t i = 0; i < count; ++i) {
    const auto among =
        static_cast<std::uint64_t>(i % 3 == 0 ? std::min<std::int64_t>(num_targets, 5) : num_targets);
    arcs.emplace_back(static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(draw() % among));
  }
  return arcs;
}

TEST(TargetRanges, AreAsManyAsFitTheCacheOrSharesNeed) {
  const auto count = [](std::int64_t targets, int shares) { return TargetRanges(targets, shares).count(); };
  EXPECT_EQ(count(0, 1), 0U);
  EXPECT_EQ(count(256, 1), 256U);
  EXPECT_EQ(count(257, 1), 129U);
  EXPECT_EQ(count(513, 1), 129U);
  EXPECT_EQ(count((1 << 20) + 1, 1), 129U);
  EXPECT_EQ(count(1 << 20, 1), 256U);
  EXPECT_EQ(count(1 << 20, 16), 256U);
  EXPECT_EQ(count(1 << 20, 33), 512U);
  EXPECT_EQ(count(1 << 20, 64), 1024U);
  EXPECT_EQ(count(1 << 20, 1000), 2048U);
  EXPECT_EQ(count(1 << 27, 1), 2048U);  // for a target in its range has 16 bits
  EXPECT_EQ(count((std::int64_t{1} << 32) - 1, 64), 65536U);
}

TEST(DealtArcs, StandByTargetInTheOrderInWhichTheyWereGiven) {
  struct Case {
    std::int64_t targets;
    std::size_t arcs;
    int threads;
  };
  const int before = max_threads();
  for (const Case& c :
       {Case{0, 0, 1}, Case{1, 0, 2}, Case{1, 100, 3}, Case{2048, 5000, 1}, Case{2049, 5000, 3},
        Case{5000, 17, 4}, Case{70000, 300000, 3}, Case{(std::int64_t{1} << 27) + 3, 1000, 2}}) {
    set_num_threads(c.threads);
    const Arcs arcs = random_arcs(c.arcs, c.arcs, c.targets);
    DealtArcs dealt(c.targets, [&](int part, int parts, bool, auto&& add) {
      const auto [first, end] = static_share(std::ssize(arcs), part, parts);
      for (auto i = static_cast<std::size_t>(first); i < static_cast<std::size_t>(end); ++i) {
        add(arcs[i].first, arcs[i].second);
      }
    });
    ASSERT_EQ(dealt.num_arcs(), c.arcs);
    Arcs found;
    std::uint64_t end = 0;
    std::vector<std::size_t> met(dealt.num_ranges(), 0);
#pragma omp parallel
    dealt.use_up([&](std::size_t range) {
      std::vector<std::pair<std::uint32_t, std::uint32_t>> of_range;
      EXPECT_EQ(dealt.parts(range).size(), 1U);
      const DealtArcs::Part& part = dealt.parts(range).front();
      const std::span<const std::uint32_t> sources = part.sources;
      EXPECT_EQ(sources.size(), dealt.size(range));
      for (std::size_t i = 0; i < sources.size(); ++i) {
        const auto target = static_cast<std::uint32_t>(dealt.first_target(range) + part.target[i]);
        EXPECT_LT(target, dealt.end_target(range));
        EXPECT_EQ(dealt.range_of(target), range);
        of_range.emplace_back(sources[i], target);
      }
#pragma omp critical
      {
        ++met[range];
        end += of_range.size();
        found.insert(found.end(), of_range.begin(), of_range.end());
      }
    });
    EXPECT_EQ(end, c.arcs);
    for (const std::size_t times : met) EXPECT_EQ(times, 1U);
    if (c.targets > 100000) continue;  // too many vectors
    EXPECT_EQ(sources_by_target(found, c.targets), sources_by_target(arcs, c.targets))
        << c.targets << " targets";
  }
  set_num_threads(before);
}

}  // namespace
}  // namespace isobath
