// SPDX-License-Identifier: Apache-2.0
// Bytes, messages and calls against closed forms, which hold for large counts and for any pieces alike.
#include "comm/ledger/traffic.hpp"

#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "comm/all_ranks.hpp"
#include "mpi_main.hpp"

namespace isobath {
static bool operator==(const Traffic& a, const Traffic& b) {
  return a.bytes_sent == b.bytes_sent && a.messages == b.messages && a.calls == b.calls;
}
static void PrintTo(const Traffic& t, std::ostream* out) {
  *out << t.bytes_sent << " bytes in " << t.messages << " messages of " << t.calls << " calls";
}
}  // namespace isobath

namespace isobath::test {
namespace {

class TrafficUnderEveryLimit : public testing::TestWithParam<CountLimit> {
 protected:
  TrafficUnderEveryLimit() : comm_(world().handle(), GetParam()) {}

  template <class Operation>
  Traffic of(Operation&& operation) const {
    const Traffic before = comm_.traffic();
    operation();
    return comm_.traffic() - before;
  }
  const Communicator& comm() const { return comm_; }
  std::int64_t others() const { return comm_.size() - 1; }
  /// So many MPI calls; on one rank there are none.
  std::int64_t calls(std::int64_t number) const { return comm_.size() == 1 ? 0 : number; }

 private:
  Communicator comm_;
};

INSTANTIATE_TEST_SUITE_P(Limits, TrafficUnderEveryLimit, testing::ValuesIn(count_limits()),
                         [](const auto& instance) { return name_of(instance.param); });

TEST_P(TrafficUnderEveryLimit, OfABarrierIsNothing) {
  EXPECT_EQ(of([&] { comm().barrier(); }), (Traffic{0, 0, calls(1)}));
}

TEST_P(TrafficUnderEveryLimit, OfAReductionGoesToAllOthers) {
  std::vector<std::int64_t> values(21);
  EXPECT_EQ(of([&] { comm().sum(values); }), (Traffic{21 * 8 * others(), others(), calls(1)}));
  EXPECT_EQ(of([&] { comm().max(1.0); }), (Traffic{8 * others(), others(), calls(1)}));
  EXPECT_EQ(of([&] { comm().any(false); }), (Traffic{8 * others(), others(), calls(1)}));
  EXPECT_EQ(of([&] { comm().sum(std::span<double>()); }), (Traffic{0, 0, 0}));
}

TEST_P(TrafficUnderEveryLimit, OfABroadcastLeavesTheRootRank) {
  std::vector<Triple> values(10);
  const int root_rank = comm().size() - 1;
  const std::int64_t receivers = comm().rank() == root_rank ? others() : 0;
  EXPECT_EQ(of([&] { comm().broadcast(std::span<Triple>(values), root_rank); }),
            (Traffic{120 * receivers, receivers, calls(1)}));
  EXPECT_EQ(of([&] { comm().broadcast(std::string("twelve bytes"), root_rank); }),
            (Traffic{(8 + 12) * receivers, 2 * receivers, calls(2)}));
}

TEST_P(TrafficUnderEveryLimit, OfAnAllgatherIsTheOwnPieceToEachOther) {
  EXPECT_EQ(of([&] { comm().allgather(Triple{}); }), (Traffic{12 * others(), others(), calls(1)}));

  std::vector<std::int64_t> counts;
  for (int r = 0; r < comm().size(); ++r) counts.push_back(r * 10);
  const std::int64_t own = 10 * comm().rank();
  const std::vector<std::uint16_t> mine(static_cast<std::size_t>(own));
  std::vector<std::uint16_t> all(static_cast<std::size_t>(sum_of(counts)));
  const std::int64_t receivers = own == 0 ? 0 : others();
  EXPECT_EQ(of([&] { comm().allgatherv<std::uint16_t>(mine, counts, all); }),
            (Traffic{2 * own * others(), receivers, calls(1)}));
  EXPECT_EQ(of([&] { comm().allgatherv<std::uint16_t>(mine); }),
            (Traffic{(2 * own + 8) * others(), receivers + others(), calls(2)}));
}

TEST_P(TrafficUnderEveryLimit, OfAnExchangeIsTheOwnRowOfTheCountsWithoutItself) {
  for (const NamedCounts& pattern : count_patterns()) {
    const std::vector<std::int64_t> row =
        pattern.matrix(comm().size())[static_cast<std::size_t>(comm().rank())];
    const std::vector<Triple> send(static_cast<std::size_t>(sum_of(row)));
    Traffic expected = {0, 0, calls(1)};
    for (int to = 0; to < comm().size(); ++to) {
      const std::int64_t count = row[static_cast<std::size_t>(to)];
      if (to == comm().rank() || count == 0) continue;
      expected.bytes_sent += 12 * count;
      ++expected.messages;
    }
    ExchangeCounts counts;
    EXPECT_EQ(of([&] { counts = comm().exchange_counts(row); }), (Traffic{8 * others(), others(), calls(1)}))
        << pattern.name;
    std::vector<Triple> receive(static_cast<std::size_t>(counts.receive_total));
    EXPECT_EQ(of([&] { comm().alltoallv<Triple>(send, counts, receive); }), expected) << pattern.name;
  }
}

TEST_P(TrafficUnderEveryLimit, OfARingIsWhatGoesToTheNextRank) {
  const int next = (comm().rank() + 1) % comm().size();
  const int previous = (comm().rank() + comm().size() - 1) % comm().size();
  const std::vector<std::uint64_t> send(50);
  std::vector<std::uint64_t> receive(50);
  const bool alone = comm().size() == 1;
  EXPECT_EQ(of([&] { comm().send_receive<std::uint64_t>(send, next, receive, previous); }),
            (alone ? Traffic{0, 0, 0} : Traffic{400, 1, 1}));
  EXPECT_EQ(of([&] { comm().send_receive<std::uint64_t>(send, comm().rank(), receive, comm().rank()); }),
            (Traffic{0, 0, 0}));
}

/// The frontier bitmap of scale 20 on a grid of four columns, 2^18 bits in each, expanded along a column: the
/// own piece goes to each other rank of it. With four rows that is 3 * 8192 = 24,576 bytes per rank and
/// level.
TEST(Traffic, OfABitmapExpandIsTheClosedForm) {
  const Communicator comm(world().handle(), {.bytes_per_call = 5000, .prefer_large_counts = false});
  constexpr std::int64_t column_bytes = (1 << 18) / 8;
  const std::int64_t ranks = comm.size();
  std::vector<std::int64_t> words;
  for (std::int64_t r = 0; r < ranks; ++r) words.push_back(4096 * (r + 1) / ranks - 4096 * r / ranks);
  const std::vector<std::uint64_t> mine(
      static_cast<std::size_t>(words[static_cast<std::size_t>(comm.rank())]));
  std::vector<std::uint64_t> all(column_bytes / 8);

  comm.allgatherv<std::uint64_t>(mine, words, all);

  const Traffic traffic = comm.traffic();
  EXPECT_EQ(traffic.messages, ranks - 1);
  EXPECT_EQ(comm.sum(traffic.bytes_sent), (ranks - 1) * column_bytes);
  if (ranks == 4) {
    EXPECT_EQ(traffic.bytes_sent, 24576);
  }
}

TEST(Traffic, AddsAndSubtracts) {
  Traffic total = {10, 2, 1};
  total += {5, 1, 1};
  EXPECT_EQ(total, (Traffic{15, 3, 2}));
  EXPECT_EQ((total - Traffic{10, 2, 1}), (Traffic{5, 1, 1}));
}

}  // namespace
}  // namespace isobath::test
