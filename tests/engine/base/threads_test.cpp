// SPDX-License-Identifier: Apache-2.0
#include "base/threads.hpp"

#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "base/clock.hpp"

namespace isobath {
namespace {

TEST(StaticShare, CoversEverythingOnceAtGranules) {
  for (const std::int64_t granule : {1, 2, 8, 64, 512}) {
    for (std::int64_t count = 0; count <= 1100; count += count < 20 ? 1 : 27) {
      for (int parts = 1; parts <= 17; ++parts) {
        std::int64_t next = 0;
        std::int64_t most = 0;
        for (int part = 0; part < parts; ++part) {
          const auto [first, end] = static_share(count, part, parts, granule);
          ASSERT_EQ(first, next) << count << ", " << part << " of " << parts << ", " << granule;
          ASSERT_GE(end, first);
          ASSERT_TRUE(end == count || end % granule == 0);
          most = end - first > most ? end - first : most;
          next = end;
        }
        ASSERT_EQ(next, count) << parts << ", " << granule;
        const std::int64_t granules = (count + granule - 1) / granule;
        ASSERT_LE(most, (granules + parts - 1) / parts * granule);  // no part has more than its fair number
      }
    }
  }
}

TEST(StaticShare, HoldsForManyEdgesAndRanks) {
  const std::int64_t count = (std::int64_t{16} << 40) + 5;
  EXPECT_EQ(static_share(count, 0, 1 << 17, 64).first, 0);
  EXPECT_EQ(static_share(count, (1 << 17) - 1, 1 << 17, 64).second, count);
}

TEST(Threads, AreCountedAndNumbered) {
  const int before = max_threads();
  for (const int wanted : {1, 2, 3}) {
    set_num_threads(wanted);
    EXPECT_EQ(max_threads(), wanted);
    std::vector<int> seen(static_cast<std::size_t>(wanted));
    int inside = 0;
#pragma omp parallel
    {
      seen[static_cast<std::size_t>(thread_id())] = 1;
#pragma omp single
      inside = num_threads();
    }
    EXPECT_EQ(inside, wanted);
    EXPECT_EQ(seen, std::vector<int>(static_cast<std::size_t>(wanted), 1));
  }
  set_num_threads(before);
  EXPECT_EQ(num_threads(), 1);  // outside of parallel regions
  EXPECT_EQ(thread_id(), 0);
}

TEST(Clock, NeverGoesBack) {
  double before = now_seconds();
  for (int i = 0; i < 1000; ++i) {
    const double now = now_seconds();
    ASSERT_GE(now, before);
    before = now;
  }
}

}  // namespace
}  // namespace isobath
