// SPDX-License-Identifier: Apache-2.0
// The ledger under real calls: every operation against traffic known beforehand, both sides of every message
// against each other, waits for a rank that comes late, and clocks that disagree on purpose.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <numeric>
#include <string>
#include <thread>

#include <gtest/gtest.h>

#include "base/clock.hpp"
#include "comm/all_ranks.hpp"
#include "comm/grid.hpp"
#include "comm/ledger/ledger.hpp"
#include "comm/ledger/ledger_waits.hpp"
#include "comm/nodes/clock_offsets.hpp"
#include "comm/nodes/node_map.hpp"
#include "mpi_main.hpp"

namespace isobath::test {
namespace {

using Matrix = std::vector<std::vector<PeerTraffic>>;  // [rank][peer]

/// Two pretended nodes: the first half of the ranks and the others.
std::vector<int> two_nodes() {
  std::vector<int> nodes;
  for (int rank = 0; rank < world().size(); ++rank) nodes.push_back(2 * rank < world().size() ? 0 : 1);
  return nodes;
}

class LedgerOfAllRanks : public testing::Test {
 protected:
  LedgerOfAllRanks() : comm_(world().handle()) { comm_.keep(&ledger_); }

  /// One entry of the ledger: what happens inside `operation`.
  void write(const std::function<void()>& operation) {
    ledger_.clear();
    ledger_.begin(RunPart::search);
    ledger_.enter(0, Phase::fold);
    operation();
    ledger_.end();
  }

  /// Everybody's peers of the entry.
  Matrix peers() const {
    std::vector<PeerTraffic> own(static_cast<std::size_t>(world().size()));
    for (std::size_t place = 0; place < ledger_.num_places(); ++place) {
      const std::span<const PeerTraffic> here = ledger_.peers_of_place(place);
      for (std::size_t rank = 0; rank < own.size(); ++rank) own[rank] += here[rank];
    }
    const std::vector<PeerTraffic> all = world().allgatherv<PeerTraffic>(own);
    Matrix matrix;
    for (std::size_t rank = 0; rank < own.size(); ++rank) {
      const auto row = all.begin() + static_cast<std::ptrdiff_t>(rank * own.size());
      matrix.emplace_back(row, row + std::ssize(own));
    }
    return matrix;
  }

  /// What `operation` sends from each rank to each other, in bytes.
  void expect(const std::string& what, const std::function<std::int64_t(int, int)>& bytes,
              const std::function<void()>& operation) {
    const Traffic before = comm_.traffic();
    write(operation);
    const Traffic traffic = comm_.traffic() - before;
    const Matrix matrix = peers();
    CallTotals totals;
    for (const LedgerCell& cell : ledger_.cells()) totals += cell.totals;
    std::int64_t off_node = 0;
    for (int from = 0; from < world().size(); ++from) {
      for (int to = 0; to < world().size(); ++to) {
        const std::int64_t expected = from == to ? 0 : bytes(from, to);
        const PeerTraffic& sent = matrix[static_cast<std::size_t>(from)][static_cast<std::size_t>(to)];
        const PeerTraffic& received = matrix[static_cast<std::size_t>(to)][static_cast<std::size_t>(from)];
        EXPECT_EQ(sent.bytes_sent, expected) << what << ", from " << from << " to " << to;
        EXPECT_EQ(sent.messages > 0, expected > 0) << what << ", from " << from << " to " << to;
        EXPECT_EQ(received.bytes_received, sent.bytes_sent) << what << ", at " << to << " from " << from;
        if (from == comm_.rank() &&
            two_nodes_[static_cast<std::size_t>(from)] != two_nodes_[static_cast<std::size_t>(to)])
          off_node += expected;
      }
    }
    EXPECT_EQ(totals.bytes_sent, traffic.bytes_sent) << what;
    EXPECT_EQ(totals.bytes_received, traffic.bytes_received) << what;
    EXPECT_EQ(totals.messages, traffic.messages) << what;
    EXPECT_EQ(totals.calls, traffic.calls) << what;
    EXPECT_EQ(totals.off_node_bytes, off_node) << what;
  }

  const std::vector<int> two_nodes_ = two_nodes();
  Ledger ledger_{{.rank = world().rank(), .node_of_rank = two_nodes_, .buckets = {}, .clock = {}}};
  Communicator comm_;
};

TEST_F(LedgerOfAllRanks, KnowsTheTrafficOfEveryOperation) {
  const int size = comm_.size();
  const int rank = comm_.rank();
  expect("barrier", [](int, int) { return 0; }, [&] { comm_.barrier(); });
  expect(
      "sum", [](int, int) { return 5 * 8; },
      [&] {
        std::vector<std::int64_t> values(5);
        comm_.sum(values);
      });
  expect(
      "broadcast", [&](int from, int) { return from == size - 1 ? 24 : 0; },
      [&] {
        std::vector<std::int64_t> values(3);
        comm_.broadcast(std::span<std::int64_t>(values), size - 1);
      });
  expect("allgather", [](int, int) { return 12; }, [&] { comm_.allgather(Triple{}); });
  expect(
      "allgatherv with counts", [](int from, int) { return 8 + 2 * 10 * from; },
      [&] {
        comm_.allgatherv<std::uint16_t>(std::vector<std::uint16_t>(static_cast<std::size_t>(10 * rank)));
      });
  expect(
      "exchange of counts", [](int, int) { return 8; },
      [&] { comm_.exchange_counts(std::vector<std::int64_t>(static_cast<std::size_t>(size))); });
  expect(
      "ring", [&](int from, int to) { return to == (from + 1) % size ? 400 : 0; },
      [&] {
        const std::vector<std::uint64_t> out(50);
        std::vector<std::uint64_t> in(50);
        comm_.send_receive<std::uint64_t>(out, (rank + 1) % size, in, (rank + size - 1) % size);
      });
  for (const NamedCounts& pattern : count_patterns()) {
    const CountMatrix counts = pattern.matrix(size);
    expect(
        pattern.name,
        [&](int from, int to) {
          return 8 + 12 * counts[static_cast<std::size_t>(from)][static_cast<std::size_t>(to)];
        },
        [&] {
          const std::vector<std::int64_t>& row = counts[static_cast<std::size_t>(rank)];
          comm_.alltoallv<Triple>(std::vector<Triple>(static_cast<std::size_t>(sum_of(row))), row);
        });
  }
}

TEST_F(LedgerOfAllRanks, SeesPartsOfTheWorldByTheirRanksThere) {
  if (comm_.size() % 2 != 0) return;  // other sizes have no such grid
  const Grid grid = Grid::arrange(comm_, {2, comm_.size() / 2});
  write([&] {
    grid.row_comm.allgather(std::int64_t{1});
    grid.col_comm.allgather(Triple{});
  });
  const Matrix matrix = peers();
  for (int from = 0; from < comm_.size(); ++from) {
    for (int to = 0; to < comm_.size(); ++to) {
      std::int64_t expected = 0;
      if (grid.shape.row_of(from) == grid.shape.row_of(to)) expected += 8;
      if (grid.shape.col_of(from) == grid.shape.col_of(to)) expected += 12;
      const PeerTraffic& sent = matrix[static_cast<std::size_t>(from)][static_cast<std::size_t>(to)];
      EXPECT_EQ(sent.bytes_sent, from == to ? 0 : expected) << "from " << from << " to " << to;
    }
  }
  for (const LedgerCell& cell : ledger_.cells()) {
    const std::span<const int> ranks = ledger_.world_ranks(cell.communicator);
    const Communicator& part = cell.totals.bytes_sent % 12 == 0 ? grid.col_comm : grid.row_comm;
    EXPECT_EQ(std::vector<int>(ranks.begin(), ranks.end()), part.world_ranks());
  }
}

/// All clocks are one here; `skew` is what they pretend.
class Waits : public testing::Test {
 protected:
  /// One barrier to which the last rank comes late by `delay`; returns what each rank waited in it.
  std::vector<double> late_by(std::chrono::milliseconds delay, const Clock& clock, double clock_offset) {
    Ledger ledger({.rank = world().rank(), .node_of_rank = two_nodes(), .buckets = {}, .clock = clock});
    Communicator comm(world().handle());
    comm.keep(&ledger);
    comm.barrier();  // all are here
    ledger.begin(RunPart::search);
    ledger.enter(0, Phase::reduce);
    if (comm.rank() == comm.size() - 1) std::this_thread::sleep_for(delay);
    comm.barrier();
    comm.sum(1.0);
    ledger.end();
    LedgerWaits waits(world());
    const std::vector<double> own = waits.of(ledger, clock_offset);
    double wait = 0;
    for (std::size_t cell = 0; cell < own.size(); ++cell) {
      EXPECT_GE(own[cell], 0.0);
      EXPECT_LE(own[cell], ledger.cells()[cell].totals.seconds);
      if (ledger.cells()[cell].kind == CallKind::barrier) wait = own[cell];
    }
    return world().allgather(wait);
  }
};

TEST_F(Waits, AreForTheRankThatComesLast) {
  const std::vector<double> waits = late_by(std::chrono::milliseconds(200), now_seconds, 0);
  if (world().size() == 1) {
    EXPECT_EQ(waits[0], 0.0) << "alone there is nobody to wait for";
    return;
  }
  // The others may be held up too, but hardly all of them for as long.
  EXPECT_GE(*std::max_element(waits.begin(), waits.end()), 0.02);
  EXPECT_EQ(*std::min_element(waits.begin(), waits.end()), 0.0) << "the last waits for nobody";
}

/// Clocks that are read from a list: rank r comes at 10 r and again at 100, and stays 25 seconds each time.
TEST_F(Waits, AreTheDifferenceToTheLastButNoLongerThanTheCall) {
  const double first = 10.0 * world().rank();
  const double readings[] = {0, first, first + 25, 100, 125, 200};
  std::size_t reading = 0;
  Ledger ledger({.rank = world().rank(), .node_of_rank = two_nodes(), .buckets = {}, .clock = [&] {
                   return readings[reading++];
                 }});
  Communicator comm(world().handle());
  comm.keep(&ledger);
  ledger.begin(RunPart::search);
  ledger.enter(0, Phase::reduce);
  comm.barrier();
  ledger.enter(1, Phase::reduce);
  comm.barrier();
  if (world().size() > 1) ledger.end();
  LedgerWaits waits(world());
  const std::vector<double> own = waits.of(ledger, 0);
  if (world().size() == 1) {
    EXPECT_TRUE(own.empty());
    return;
  }
  ASSERT_EQ(own.size(), 2U);
  EXPECT_EQ(own[0], std::min(25.0, 10.0 * (world().size() - 1 - world().rank())));
  EXPECT_EQ(own[1], 0.0) << "all come at once";
}

TEST_F(Waits, SeeThroughClocksThatDisagree) {
  // Rank r is 10 r seconds ahead; without the offset everybody but the last would seem to wait.
  const double skew = 10.0 * world().rank();
  const Clock clock = [skew] { return now_seconds() + skew; };
  std::vector<int> clock_of_rank(static_cast<std::size_t>(world().size()));
  std::iota(clock_of_rank.begin(), clock_of_rank.end(), 0);
  const ClockOffset offset = measure_clock_offset(world(), clock_of_rank, clock, 20);

  const std::vector<double> waits = late_by(std::chrono::milliseconds(200), clock, offset.seconds);

  if (world().size() == 1) return;
  EXPECT_GE(*std::max_element(waits.begin(), waits.end()), 0.02);
  EXPECT_EQ(*std::min_element(waits.begin(), waits.end()), 0.0);
}

TEST_F(Waits, RefuseDifferentNumbersOfCalls) {
  if (world().size() == 1) return;
  Ledger ledger({.rank = world().rank(), .node_of_rank = two_nodes(), .buckets = {}, .clock = {}});
  Communicator comm(world().handle());
  comm.keep(&ledger);
  comm.barrier();
  if (comm.rank() != 0) ledger.begin(RunPart::search);  // rank 0 misses the next one
  comm.barrier();
  if (comm.rank() == 0) ledger.begin(RunPart::search);
  comm.barrier();
  ledger.end();
  LedgerWaits waits(world());
  EXPECT_THROW(waits.of(ledger, 0), InternalError);
}

TEST(ClockOffsets, RecoverTheSkewWithinTheirError) {
  std::vector<double> skew;
  for (int rank = 0; rank < world().size(); ++rank) skew.push_back(rank % 3 == 1 ? 0.5 * rank : -2.0 * rank);
  const std::vector<int> one_node(skew.size(), 0);
  const std::vector<int> clock_of_rank = clocks_of_ranks(one_node, skew);
  const double own = skew[static_cast<std::size_t>(world().rank())];

  const ClockOffset offset =
      measure_clock_offset(world(), clock_of_rank, [own] { return now_seconds() + own; }, 20);

  EXPECT_LE(std::abs(offset.seconds - (skew[0] - own)), offset.error_seconds + 1e-9);
  EXPECT_EQ(offset.error_seconds > 0, world().size() > 1);
  EXPECT_EQ(world().max(offset.error_seconds), offset.error_seconds) << "all ranks know the largest";
}

TEST(ClockOffsets, RanksOfOneNodeShareAClock) {
  const std::vector<int> one_clock(static_cast<std::size_t>(world().size()), 0);
  const ClockOffset offset = measure_clock_offset(world(), one_clock, now_seconds, 20);
  EXPECT_EQ(offset.seconds, 0.0);
  EXPECT_EQ(offset.error_seconds, 0.0);
}

TEST(ClockOffsets, ClocksAreThoseOfNodesUnlessSkewed) {
  EXPECT_EQ(clocks_of_ranks(std::vector<int>{0, 0, 1, 1}, std::vector<double>{0, 0, 0, 0}),
            (std::vector<int>{0, 0, 1, 1}));
  EXPECT_EQ(clocks_of_ranks(std::vector<int>{0, 0, 0, 1}, std::vector<double>{0, 1, 0, 1}),
            (std::vector<int>{0, 1, 0, 2}));
}

TEST(ClockOffsets, ASkewHasANumberForEachRank) {
  EXPECT_EQ(parse_clock_skew("0,0.5,-2", 3), (std::vector<double>{0, 0.5, -2}));
  for (const char* wrong : {"0,0.5", "0,0.5,-2,1", "0,half,1", "0,,1", "0,1,", "0,nan,1", "0 ,1,2"}) {
    EXPECT_THROW(parse_clock_skew(wrong, 3), UsageError) << wrong;
  }
}

std::string complaint_about_nodes(const char* text) {
  try {
    parse_node_map(text, 4);
    return "none";
  } catch (const UsageError& error) {
    return error.what();
  }
}

TEST(NodeMap, IsNumberedInTheOrderOfRanks) {
  EXPECT_EQ(parse_node_map("0,0,1,1", 4).node_of_rank, (std::vector<int>{0, 0, 1, 1}));
  EXPECT_EQ(parse_node_map("7,3,7,0", 4).node_of_rank, (std::vector<int>{0, 1, 0, 2}));
  EXPECT_EQ(parse_node_map("7,3,7,0", 4).nodes(), 3);
  EXPECT_TRUE(parse_node_map("0", 1).is_override);
}

TEST(NodeMap, SaysWhatIsWrongWithIt) {
  const std::string remedy =
      "; set it to 4 whole numbers from 0 on, the node of each rank, as in 0,0,1,1, or unset it";
  EXPECT_EQ(complaint_about_nodes("0,0,1"),
            "ISOBATH_NODE_MAP is '0,0,1', which is 3 numbers, but this run has 4 ranks" + remedy);
  EXPECT_EQ(complaint_about_nodes("0,0,1,x"), "ISOBATH_NODE_MAP is '0,0,1,x', but 'x' is no number" + remedy);
  EXPECT_EQ(complaint_about_nodes("0,0,1,-1"), "ISOBATH_NODE_MAP is '0,0,1,-1', but -1 is no node" + remedy);
  EXPECT_EQ(complaint_about_nodes("0,0,1,0.5"),
            "ISOBATH_NODE_MAP is '0,0,1,0.5', but 0.5 is no node" + remedy);
  EXPECT_EQ(complaint_about_nodes("0,0,1,1e10"),
            "ISOBATH_NODE_MAP is '0,0,1,1e10', but 10000000000 is no node" + remedy);
}

TEST(NodeMap, FollowsTheHosts) {
  const NodeMap one = make_node_map(world(), "here");
  EXPECT_EQ(one.nodes(), 1);
  EXPECT_FALSE(one.is_override);
  const NodeMap each = make_node_map(world(), std::to_string(world().rank()));
  EXPECT_EQ(each.nodes(), world().size());
  EXPECT_EQ(each.node_of_rank[static_cast<std::size_t>(world().rank())], world().rank());
}

TEST(NodeMap, IsWhatTheEnvironmentOfRankZeroSays) {
  std::string text = "5";
  for (int rank = 1; rank < world().size(); ++rank) text += rank + 1 < world().size() ? ",5" : ",6";
  if (world().rank() == 0) setenv("ISOBATH_NODE_MAP", text.c_str(), 1);
  const NodeMap map = make_node_map(world(), "here");
  unsetenv("ISOBATH_NODE_MAP");
  EXPECT_TRUE(map.is_override);
  EXPECT_EQ(map.nodes(), world().size() > 1 ? 2 : 1);
  EXPECT_EQ(map.node_of_rank.back(), world().size() > 1 ? 1 : 0);
}

}  // namespace
}  // namespace isobath::test
