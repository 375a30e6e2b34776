// SPDX-License-Identifier: Apache-2.0
#include "overlap/offload.hpp"

#include <algorithm>
#include <chrono>
#include <optional>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "mpi_main.hpp"

namespace isobath::test {
namespace {

/// Runs `work(client, worker, workers)` on the workers, with the last ranks as aggregators. Nothing on one
/// rank: there is nobody to aggregate.
template <class Work>
void with_aggregators(int aggregators, int trees, int window, Work&& work) {
  const int workers = world().size() - aggregators;
  if (workers < 1) return;
  const AggregationShape shape{.workers = workers, .aggregators = aggregators, .radix = 2, .trees = trees};
  SmallMessages messages(world(), 16);
  if (world().rank() >= workers) {
    serve_aggregation(messages, shape);
    return;
  }
  OffloadClient client(messages, shape, window);
  work(client, world().rank(), workers);
  client.stop();
}

double touchy(int rank, std::size_t i) {
  return (rank % 2 == 0 ? 1 : -1) * (0.1 + rank) * (i % 3 == 0 ? 1e15 : 1);
}

TEST(Offload, EqualsTheLibraryAndItselfBitByBit) {
  for (const int aggregators : {1, 2}) {
    with_aggregators(aggregators, 2, 3, [&](OffloadClient& client, int rank, int workers) {
      for (const std::size_t length : {0U, 1U, 30U, 31U, 1000U}) {
        std::vector<double> whole(length);
        std::vector<double> rough(length);
        std::vector<double> expected(length, 0.0);
        for (std::size_t i = 0; i < length; ++i) {
          whole[i] = static_cast<double>((rank + 1) * static_cast<int>(i % 100 + 1));
          rough[i] = touchy(rank, i);
          for (int r = 0; r < workers; ++r)
            expected[i] += static_cast<double>((r + 1) * static_cast<int>(i % 100 + 1));
        }
        std::vector<double> sum(length);
        client.wait(client.start_allreduce(std::as_bytes(std::span(whole)),
                                           std::as_writable_bytes(std::span(sum)), TreeType::float64,
                                           TreeOperator::sum));
        EXPECT_EQ(sum, expected) << length;  // whole numbers: exact in any order, as the library's

        std::vector<double> first(length);
        for (int time = 0; time < 10; ++time) {
          std::vector<double> again(length);
          client.wait(client.start_allreduce(std::as_bytes(std::span(rough)),
                                             std::as_writable_bytes(std::span(again)), TreeType::float64,
                                             TreeOperator::sum));
          if (time == 0) first = again;
          EXPECT_TRUE(std::ranges::equal(std::as_bytes(std::span(first)), std::as_bytes(std::span(again))));
        }
      }
    });
  }
}

TEST(Offload, RootedOperationsAndBarriers) {
  with_aggregators(1, 1, 4, [&](OffloadClient& client, int rank, int workers) {
    for (int root = 0; root < workers; ++root) {
      std::vector<std::int64_t> mine(100, rank + 1);
      std::vector<std::int64_t> most(100, -1);
      client.wait(client.start_reduce(std::as_bytes(std::span(mine)), std::as_writable_bytes(std::span(most)),
                                      TreeType::int64, TreeOperator::max, root));
      EXPECT_EQ(most, std::vector<std::int64_t>(100, rank == root ? workers : -1));
      std::vector<std::int64_t> told(500, rank == root ? 7 + root : 0);
      client.wait(client.start_bcast(std::as_writable_bytes(std::span(told)), root));
      EXPECT_EQ(told, std::vector<std::int64_t>(500, 7 + root));
      client.wait(client.start_barrier());
    }
  });
}

TEST(Offload, SeveralOperationsMayBeUnderWayAndBeWaitedForInAnyOrder) {
  with_aggregators(1, 2, 2, [&](OffloadClient& client, int rank, int workers) {
    std::vector<double> first(200, rank);
    std::vector<double> second(50, 1);
    std::vector<double> sums(200);
    std::vector<double> counts(50);
    const auto one =
        client.start_allreduce(std::as_bytes(std::span(first)), std::as_writable_bytes(std::span(sums)),
                               TreeType::float64, TreeOperator::sum);
    const auto other =
        client.start_allreduce(std::as_bytes(std::span(second)), std::as_writable_bytes(std::span(counts)),
                               TreeType::float64, TreeOperator::sum);
    client.wait(other);
    client.wait(one);
    EXPECT_TRUE(client.test(one));  // still complete
    EXPECT_EQ(sums, std::vector<double>(200, workers * (workers - 1) / 2.0));
    EXPECT_EQ(counts, std::vector<double>(50, workers));
  });
}

/// Rounds follow each other as the cells of a benchmark do, with nothing between them but stop().
template <class Round>
void in_rounds(int aggregators, int trees, int radix, int rounds, Round&& round) {
  const int workers = world().size() - aggregators;
  if (workers < 1) return;
  const AggregationShape shape{
      .workers = workers, .aggregators = aggregators, .radix = radix, .trees = trees};
  SmallMessages messages(world(), 4);
  std::optional<OffloadClient> client;
  if (world().rank() < workers) client.emplace(messages, shape, 3);
  for (int i = 0; i < rounds; ++i) {
    if (!client) {
      serve_aggregation(messages, shape);
      continue;
    }
    round(*client, i);
    client->stop();
  }
}

std::int64_t sum_by_trees(OffloadClient& client, std::int64_t own, std::size_t length) {
  std::vector<std::int64_t> mine(length, own);
  std::vector<std::int64_t> sum(length, -1);
  client.wait(client.start_allreduce(std::as_bytes(std::span(mine)), std::as_writable_bytes(std::span(sum)),
                                     TreeType::int64, TreeOperator::sum));
  EXPECT_EQ(sum, std::vector<std::int64_t>(length, sum.front()));
  return sum.front();
}

TEST(Offload, ManyShortRoundsFollowEachOther) {
  for (const int aggregators : {1, 2, 3}) {
    for (const int trees : {1, 2, 3}) {
      for (const int radix : {2, 3}) {
        const int workers = world().size() - aggregators;
        in_rounds(aggregators, trees, radix, 60, [&](OffloadClient& client, int round) {
          const int rank = world().rank();
          // A broadcast first: its root rank may begin before others know that the last round is over.
          std::vector<std::int64_t> told(40, rank == round % workers ? round : -1);
          client.wait(client.start_bcast(std::as_writable_bytes(std::span(told)), round % workers));
          EXPECT_EQ(told, std::vector<std::int64_t>(40, round));
          EXPECT_EQ(sum_by_trees(client, rank + round, 1 + static_cast<std::size_t>(round % 3) * 50),
                    workers * (workers - 1) / 2 + workers * round);
        });
      }
    }
  }
}

/// One worker is late with its stop while another would begin the next round: its first piece must not come
/// to an aggregator that still waits for the stop of the first.
TEST(Offload, AStopThatIsLateHoldsTheNextRoundBack) {
  for (const int aggregators : {1, 2}) {
    const int workers = world().size() - aggregators;
    in_rounds(aggregators, 2, 2, 4, [&](OffloadClient& client, int round) {
      EXPECT_EQ(sum_by_trees(client, 1, 70), workers);
      if (world().rank() == round % workers) std::this_thread::sleep_for(std::chrono::milliseconds(20));
    });
  }
}

}  // namespace
}  // namespace isobath::test
