// SPDX-License-Identifier: Apache-2.0
// What ranks' ledgers hold, as records: searches whose calls are known, on every grid.
#include "graph500/communication_records.hpp"

#include <algorithm>
#include <functional>
#include <map>

#include <gtest/gtest.h>

#include "all_shapes.hpp"
#include "base/clock.hpp"
#include "bfs/plan.hpp"
#include "comm/grid.hpp"
#include "fake_plan.hpp"
#include "mpi_main.hpp"

namespace isobath {
namespace {

/// The first rank is a node of its own.
std::vector<int> nodes_of_ranks() {
  std::vector<int> nodes(static_cast<std::size_t>(test::world().size()), 1);
  nodes[0] = 0;
  return nodes;
}

/// A search of two levels: in each, rank r expands 8 (r + 1) bytes along its grid column, all ranks agree on
/// one number, and in the second the last rank also tells everybody 100 bytes.
class CommunicationOfASearch : public testing::Test {
 protected:
  CommunicationOfASearch() : world_(test::world().handle()) { world_.keep(&ledger_); }

  void search(const Grid& grid, const Communicator& world) {
    observer_.begin_search(0, plan_);
    observer_.phase(Phase::reset);
    world.max(std::int64_t{1});
    for (Level level = 3; level < 5; ++level) {  // their numbers need not begin at 0
      observer_.level_started(level, Direction::top_down, 1);
      observer_.phase(Phase::expand);
      const std::vector<std::int64_t> mine(static_cast<std::size_t>(world.rank()) + 1);
      std::vector<std::int64_t> counts;
      for (const int rank : grid.col_comm.world_ranks()) counts.push_back(rank + 1);
      std::int64_t total = 0;
      for (const std::int64_t count : counts) total += count;
      std::vector<std::int64_t> all(static_cast<std::size_t>(total));
      grid.col_comm.allgatherv<std::int64_t>(mine, counts, all);
      observer_.phase(Phase::reduce);
      world.max(std::int64_t{1});
      if (level == 4) {
        std::vector<char> text(100);
        world.broadcast(std::span<char>(text), world.size() - 1);
      }
      observer_.level_finished(level, 1);
    }
    observer_.phase(Phase::emit);
    observer_.end_search();
  }

  static std::int64_t expand_bytes(int rank, GridShape shape) {
    return std::int64_t{8} * (rank + 1) * (shape.rows - 1);
  }

  Ledger ledger_{{.rank = test::world().rank(),
                  .node_of_rank = nodes_of_ranks(),
                  .buckets = SizeBuckets({8, 64}),
                  .clock = {}}};
  Communicator world_;
  Heartbeat heartbeat_;
  TimingObserver observer_{heartbeat_, &ledger_};
  Communicator alone_;
  test::FakePlan plan_{2, {{GlobalVertex{0}, GlobalVertex{1}}}, alone_};
};

TEST_F(CommunicationOfASearch, IsSummedByLevelPhaseCallAndCommunicator) {
  const int ranks = world_.size();
  for (const GridShape shape : test::shapes_of(ranks)) {
    CommunicationRecords records(world_, ledger_, {.clock_of_rank = nodes_of_ranks(), .shape = shape});
    const Grid grid = Grid::arrange(world_, shape);
    search(grid, world_);
    const SearchCommunication search = records.of_search(observer_.timeline(), 1.5);

    std::int64_t expand = 0;
    std::int64_t off_node = 0;
    for (int from = 0; from < ranks; ++from) {
      expand += expand_bytes(from, shape);
      for (int to = 0; to < ranks; ++to) {
        const bool talk = from != to && shape.col_of(from) == shape.col_of(to);
        if (talk && (from == 0 || to == 0)) off_node += 8 * (from + 1);
      }
    }
    std::map<std::pair<int, std::string>, CallCellRecord> found;
    for (const CallCellRecord& cell : search.cells) {
      EXPECT_TRUE(
          found.emplace(std::pair(cell.level, cell.call + " " + std::string(name_of(cell.phase))), cell)
              .second);
      EXPECT_LE(cell.seconds_mean, cell.seconds_max * (1 + 1e-12));
      EXPECT_LE(cell.wait_seconds_mean, cell.seconds_mean);
      EXPECT_LE(cell.wait_seconds_max, cell.seconds_max);
    }
    if (ranks == 1) {
      EXPECT_TRUE(search.cells.empty()) << "one rank makes no call";
      continue;
    }
    const std::int64_t pairs = std::int64_t{ranks} * (ranks - 1);
    for (const auto& [level, phase] :
         {std::pair(-1, "reset"), std::pair(3, "reduce"), std::pair(4, "reduce")}) {
      const CallCellRecord& reduce = found.at({level, std::string("allreduce ") + phase});
      EXPECT_EQ(reduce.communicator, "world");
      EXPECT_EQ(reduce.calls, ranks);
      EXPECT_EQ(reduce.messages, pairs);
      EXPECT_EQ(reduce.bytes_sent, 8 * pairs);
      EXPECT_EQ(reduce.bytes_received, 8 * pairs);
      EXPECT_EQ(reduce.kept_bytes, 8 * ranks);
      EXPECT_EQ(reduce.off_node_bytes, 8 * 2 * (ranks - 1)) << "to and from rank 0";
      EXPECT_GT(reduce.seconds_mean, 0);
    }
    const CallCellRecord& bcast = found.at({4, "bcast reduce"});
    EXPECT_EQ(bcast.calls, ranks);
    EXPECT_EQ(bcast.messages, ranks - 1);
    EXPECT_EQ(bcast.bytes_sent, 100 * (ranks - 1));
    EXPECT_EQ(bcast.off_node_bytes, 100) << "to rank 0 alone";
    EXPECT_EQ(found.size(), shape.rows > 1 ? 6U : 4U) << shape.text();
    if (shape.rows > 1) {
      for (const int level : {3, 4}) {
        const CallCellRecord& cell = found.at({level, "allgatherv expand"});
        EXPECT_EQ(cell.communicator, "column") << shape.text();
        EXPECT_EQ(cell.bytes_sent, expand);
        EXPECT_EQ(cell.bytes_received, expand);
        EXPECT_EQ(cell.off_node_bytes, off_node);
      }
    }
    std::int64_t received = 0;
    for (const CallCellRecord& cell : search.cells) received += cell.bytes_received;
    EXPECT_EQ(search.bytes_received, received);
    EXPECT_EQ(search.seconds_per_rank, std::vector<double>(static_cast<std::size_t>(ranks), 1.5));
    for (std::size_t rank = 0; rank < search.mpi_seconds_per_rank.size(); ++rank) {
      EXPECT_GT(search.mpi_seconds_per_rank[rank], 0);
      EXPECT_LE(search.wait_seconds_per_rank[rank], search.mpi_seconds_per_rank[rank]);
    }
    EXPECT_GT(search.clock_error_seconds, 0) << "two nodes";
  }
}

TEST_F(CommunicationOfASearch, FillsTheRecordsOfItsLevels) {
  const int ranks = world_.size();
  const GridShape shape{ranks, 1};
  CommunicationRecords records(world_, ledger_, {.clock_of_rank = nodes_of_ranks(), .shape = shape});
  search(Grid::arrange(world_, shape), world_);
  const SearchCommunication search = records.of_search(observer_.timeline(), 1);
  LevelRecord level;
  level.level = 4;
  level.phases = {{Phase::expand, 1.0}, {Phase::top_down, 1.0}, {Phase::reduce, 1.0}};
  put_communication(level, search);

  const std::int64_t pairs = std::int64_t{ranks} * (ranks - 1);
  std::int64_t expand = 0;
  for (int rank = 0; rank < ranks; ++rank) expand += expand_bytes(rank, shape);
  EXPECT_EQ(level.bytes_received, (ByPhase<std::int64_t>{{Phase::expand, expand},
                                                         {Phase::top_down, 0},
                                                         {Phase::reduce, 8 * pairs + 100 * (ranks - 1)}}));
  const std::int64_t calls = ranks == 1 ? 0 : ranks;
  EXPECT_EQ(level.calls, (ByPhase<std::int64_t>{
                             {Phase::expand, calls}, {Phase::top_down, 0}, {Phase::reduce, 2 * calls}}));
  ASSERT_EQ(level.wait_seconds.size(), 3U);
  EXPECT_LE(level.wait_seconds[2].second, level.call_seconds[2].second);
  EXPECT_EQ(level.call_seconds[1].second, 0);
}

TEST_F(CommunicationOfASearch, MatricesSayWhoSentToWhom) {
  const int ranks = world_.size();
  const GridShape shape{ranks, 1};
  CommunicationRecords records(world_, ledger_,
                               {.clock_of_rank = nodes_of_ranks(), .shape = shape, .peer_matrices = true});
  const Grid grid = Grid::arrange(world_, shape);
  search(grid, world_);  // a warm-up: not committed
  for (int i = 0; i < 2; ++i) {
    search(grid, world_);
    ledger_.commit();
  }
  const SearchCommunication last = records.of_search(observer_.timeline(), 1);
  ledger_.clear();
  ledger_.begin(RunPart::validate);
  world_.barrier();
  world_.max(std::int64_t{1});
  ledger_.end();
  ledger_.commit();

  std::map<std::string, TrafficMatrixRecord> found;
  for (const TrafficMatrixRecord& matrix : records.traffic_matrices()) {
    EXPECT_EQ(matrix.unit, "rank");
    EXPECT_EQ(matrix.ranks, ranks);
    EXPECT_FALSE(matrix.search.has_value());
    found.emplace(matrix.part + (matrix.phase ? "." + std::string(name_of(*matrix.phase)) : ""), matrix);
  }
  EXPECT_TRUE(found.contains("validate"));
  EXPECT_EQ(found.size(), ranks == 1 ? 1U : 4U) << "reset, expand, reduce, and the part validate";
  if (ranks == 1) return;
  for (int from = 0; from < ranks; ++from) {
    for (int to = 0; to < ranks; ++to) {
      const auto at = [from, to](const std::vector<std::vector<std::int64_t>>& matrix) {
        return matrix.at(static_cast<std::size_t>(from)).at(static_cast<std::size_t>(to));
      };
      const std::int64_t other = from == to ? 0 : 1;
      EXPECT_EQ(at(found.at("validate").bytes), 8 * other);
      EXPECT_EQ(at(found.at("search.reset").bytes), 2 * 8 * other);
      EXPECT_EQ(at(found.at("search.expand").bytes), 2 * 2 * 8 * (from + 1) * other);
      EXPECT_EQ(at(found.at("search.expand").messages), 2 * 2 * other);
      const std::int64_t text = from == ranks - 1 ? 100 : 0;
      EXPECT_EQ(at(found.at("search.reduce").bytes), 2 * (2 * 8 + text) * other);
    }
  }
  ASSERT_EQ(last.peer_matrices.size(), 5U) << "reset; expand and reduce of two levels";
  const TrafficMatrixRecord& expand = last.peer_matrices[1];
  EXPECT_EQ(expand.level, 3);
  EXPECT_EQ(expand.phase, Phase::expand);
  EXPECT_EQ(expand.bytes.back().front(), 8 * ranks);
}

TEST_F(CommunicationOfASearch, MatricesOfManyRanksAreFoldedByNode) {
  const int ranks = world_.size();
  CommunicationRecords records(world_, ledger_,
                               {.clock_of_rank = nodes_of_ranks(),
                                .shape = {1, ranks},
                                .peer_matrices = false,
                                .max_matrix_ranks = 1});
  ledger_.clear();
  ledger_.begin(RunPart::validate);
  world_.max(std::int64_t{1});
  ledger_.end();
  ledger_.commit();
  const std::vector<TrafficMatrixRecord> matrices = records.traffic_matrices();
  ASSERT_EQ(matrices.size(), 1U);
  if (ranks == 1) {
    EXPECT_EQ(matrices[0].unit, "rank");
    return;
  }
  EXPECT_EQ(matrices[0].unit, "node");
  EXPECT_EQ(matrices[0].ranks, ranks);
  const std::int64_t others = ranks - 1;
  EXPECT_EQ(matrices[0].bytes, (std::vector<std::vector<std::int64_t>>{
                                   {0, 8 * others}, {8 * others, 8 * others * (others - 1)}}));
  EXPECT_EQ(matrices[0].messages,
            (std::vector<std::vector<std::int64_t>>{{0, others}, {others, others * (others - 1)}}));
}

TEST_F(CommunicationOfASearch, MatricesOfTooManyNodesAreLeftOut) {
  const int ranks = world_.size();
  const GridShape shape{ranks, 1};
  CommunicationRecords records(world_, ledger_,
                               {.clock_of_rank = nodes_of_ranks(),
                                .shape = shape,
                                .peer_matrices = true,
                                .max_matrix_ranks = 1,
                                .max_matrix_nodes = 1});
  search(Grid::arrange(world_, shape), world_);
  ledger_.commit();
  const SearchCommunication last = records.of_search(observer_.timeline(), 1);
  EXPECT_EQ(last.cells.empty(), ranks == 1) << "all else is told";
  EXPECT_TRUE(last.peer_matrices.empty());
  EXPECT_TRUE(records.traffic_matrices().empty());
}

TEST_F(CommunicationOfASearch, SizesAndTimesAreOfTheWholeRun) {
  const int ranks = world_.size();
  const GridShape shape{1, ranks};
  CommunicationRecords records(world_, ledger_, {.clock_of_rank = nodes_of_ranks(), .shape = shape});
  search(Grid::arrange(world_, shape), world_);
  ledger_.commit();

  const std::vector<MpiTimeRecord> times = records.mpi_times();
  const std::vector<MessageSizesRecord> sizes = records.message_sizes();
  if (ranks == 1) {
    EXPECT_TRUE(times.empty());
    EXPECT_TRUE(sizes.empty());
    return;
  }
  ASSERT_EQ(times.size(), 2U);
  EXPECT_EQ(times[0].call, "bcast");
  EXPECT_EQ(times[1].call, "allreduce");
  EXPECT_EQ(times[1].part, "search");
  EXPECT_EQ(times[1].calls, 3 * ranks);
  EXPECT_EQ(times[1].bytes_sent, 3 * 8 * ranks * (ranks - 1));
  EXPECT_NEAR(times[0].share_of_mpi + times[1].share_of_mpi, 1, 1e-9);
  for (const MpiTimeRecord& time : times) {
    EXPECT_LE(time.seconds_per_rank.min, time.seconds_per_rank.mean + 1e-15);
    EXPECT_LE(time.seconds_per_rank.mean, time.seconds_per_rank.max + 1e-15);
    EXPECT_GT(time.share_of_wall.max, 0);
    EXPECT_LE(time.share_of_wall.max, 1);
  }
  // Edges 8 and 64. An allreduce: 8 bytes to each peer and kept; the broadcast: 100 bytes to each peer.
  std::map<std::string, MessageSizesRecord> found;
  for (const MessageSizesRecord& record : sizes) found.emplace(record.call + " " + record.meaning, record);
  EXPECT_EQ(found.size(), 5U) << "a broadcast keeps nothing";
  const MessageSizesRecord& per_peer = found.at("allreduce per_peer");
  EXPECT_EQ(per_peer.from_bytes, (std::vector<std::int64_t>{8}));
  EXPECT_EQ(per_peer.to_bytes, (std::vector<std::int64_t>{64}));
  EXPECT_EQ(per_peer.count, (std::vector<std::int64_t>{3L * ranks * (ranks - 1)}));
  EXPECT_EQ(per_peer.bytes, (std::vector<std::int64_t>{3L * 8 * ranks * (ranks - 1)}));
  EXPECT_NEAR(per_peer.seconds.at(0), times[1].seconds_per_rank.mean * ranks, 1e-6) << "whole nanoseconds";
  EXPECT_EQ(found.at("allreduce own_segment").count, (std::vector<std::int64_t>{3L * ranks}));
  const MessageSizesRecord& bcast = found.at("bcast per_peer");
  EXPECT_EQ(bcast.from_bytes, (std::vector<std::int64_t>{64}));
  EXPECT_EQ(bcast.to_bytes, (std::vector<std::int64_t>{SizeBuckets::no_end}));
  EXPECT_EQ(bcast.count, (std::vector<std::int64_t>{ranks - 1}));
}

}  // namespace
}  // namespace isobath
