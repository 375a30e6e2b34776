// SPDX-License-Identifier: Apache-2.0
// The frontier of a level as it is dealt out to threads. Without other code of the layer, so that it is soon
// built.
#include "bfs/frontier_work.hpp"

#include <algorithm>
#include <numeric>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "base/threads.hpp"

namespace isobath {
namespace {

std::vector<std::uint32_t> columns_of(std::size_t count) {
  std::vector<std::uint32_t> columns(count);
  std::iota(columns.begin(), columns.end(), 7U);
  return columns;
}

TEST(FrontierWork, GivesEveryColumnToOneThread) {
  for (const int team : {1, 2, 3}) {
    for (const std::size_t count : {0U, 1U, 63U, 64U, 65U, 6400U, 100003U}) {
      const std::vector<std::uint32_t> columns = columns_of(count);
      FrontierWork work(columns);
      std::vector<std::vector<std::uint32_t>> taken(static_cast<std::size_t>(team));
#pragma omp parallel num_threads(team)
      {
        std::vector<std::uint32_t>& mine = taken[static_cast<std::size_t>(thread_id())];
        for (auto some = work.take(); !some.empty(); some = work.take()) {
          mine.insert(mine.end(), some.begin(), some.end());
          work.scanned(some, 3 * std::ssize(some));
        }
      }
      std::vector<std::uint32_t> all;
      for (const auto& one : taken) all.insert(all.end(), one.begin(), one.end());
      std::ranges::sort(all);
      EXPECT_EQ(all, columns) << team << " threads";
      EXPECT_EQ(work.arcs(), 3 * static_cast<std::int64_t>(count));
      EXPECT_TRUE(work.take().empty());
    }
  }
}

/// Who sees that all is done sees what was done, with nothing else between them: the sanitizer of threads
/// looks.
TEST(FrontierWork, IsDoneWhenAllThatWasDoneIsVisible) {
  constexpr std::size_t count = 20000;
  const std::vector<std::uint32_t> columns = columns_of(count);
  FrontierWork work(columns);
  std::vector<std::uint32_t> seen(count, 0);  // column by column, each written by whoever takes it
  std::int64_t sum = 0;
#pragma omp parallel num_threads(3)
  {
    for (auto some = work.take(); !some.empty(); some = work.take()) {
      for (const std::uint32_t column : some) seen[column - 7] = column;
      work.scanned(some, std::ssize(some));
    }
    if (thread_id() == 0) {
      while (!work.is_all_scanned()) std::this_thread::yield();
      sum = std::accumulate(seen.begin(), seen.end(), std::int64_t{0});
    }
  }
  EXPECT_EQ(sum, std::accumulate(columns.begin(), columns.end(), std::int64_t{0}));
  EXPECT_EQ(work.arcs(), static_cast<std::int64_t>(count));
}

}  // namespace
}  // namespace isobath
