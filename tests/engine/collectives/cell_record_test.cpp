// SPDX-License-Identifier: Apache-2.0
#include "collectives/cell_record.hpp"

#include <algorithm>
#include <string>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

#include "mpi_main.hpp"

namespace isobath {
namespace {

using test::world;

CollectiveCell words_of(const std::string& collective, std::int64_t bytes) {
  CollectiveCell words;
  words.collective = collective;
  words.size_bytes = bytes;
  return words;
}

TEST(CellRecord, SaysWhatTheWordsSay) {
  CollectiveCell words = words_of("reduce", 48);
  words.form = "nonblocking";
  words.shape = "2x3";
  words.along = "row";
  words.together = true;
  words.datatype = "int32";
  words.operation = "max";
  words.root_rank = 1;
  words.buffers = "offcache";
  words.cadence = "streaming";
  words.alignment = "barrier:library";
  const Cell cell = understand(words, 6);
  const CollectiveRecord record = record_of(cell);
  EXPECT_EQ(record.collective, "reduce");
  EXPECT_EQ(record.call, "reduce") << "until it is known which form of it";
  EXPECT_EQ(record.form, "nonblocking");
  EXPECT_EQ(record.size_bytes, 48);
  EXPECT_EQ(record.shape, "2x3");
  EXPECT_EQ(record.along, "row");
  EXPECT_TRUE(record.together);
  EXPECT_EQ(record.ranks * record.communicators, 6);
  EXPECT_EQ(record.ranks, communicator_size(cell));
  EXPECT_EQ(record.counts, "uniform");
  EXPECT_EQ(record.datatype, "int32");
  EXPECT_EQ(record.operation, "max");
  EXPECT_EQ(record.root_rank, 1);
  EXPECT_EQ(record.buffers, "offcache");
  EXPECT_EQ(record.cadence, "streaming");
  EXPECT_EQ(record.alignment, "barrier:library");
  EXPECT_EQ(record.arrival, "zero");
}

TEST(CellRecord, LeavesOutWhatACollectiveDoesNotHave) {
  const CollectiveRecord barrier = record_of(understand(words_of("barrier", 64), 4));
  EXPECT_EQ(barrier.size_bytes, 0);
  EXPECT_FALSE(barrier.operation);
  EXPECT_FALSE(barrier.root_rank);
  EXPECT_EQ(barrier.communicators, 1);
  CollectiveCell alone = words_of("bcast", 64);
  alone.shape = "2x2";
  alone.along = "col";
  const CollectiveRecord bcast = record_of(understand(alone, 4));
  EXPECT_EQ(bcast.communicators, 1) << "not together: one of them runs";
  EXPECT_EQ(bcast.ranks, 2);
  EXPECT_EQ(bcast.root_rank, 0);
  EXPECT_FALSE(bcast.operation);
}

TEST(CellRecord, SizesAreThoseOfTheCountsInBytes) {
  CollectiveCell words = words_of("alltoallv", 0);
  words.datatype = "double";
  words.counts = "recorded:mine";
  const Cell cell = understand(words, 3);
  const ByteMatrix matrix = {{0, 8, 16}, {0, 0, 0}, {80, 0, 8}};
  const auto counts = counts_of(cell, 3, matrix);
  ASSERT_TRUE(std::holds_alternative<Counts>(counts)) << std::get<std::string>(counts);
  Setting setting{.ranks = 3, .type = cell.type, .counts = std::get<Counts>(counts)};
  CollectiveRecord record = record_of(cell);
  put_sizes(cell, setting, record);

  std::int64_t total = 0;
  std::int64_t row = 0;
  std::int64_t column = 0;
  std::int64_t entry = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    std::int64_t of_row = 0;
    std::int64_t of_column = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      of_row += matrix[i][k];
      of_column += matrix[k][i];
      entry = std::max(entry, matrix[i][k]);
    }
    total += of_row;
    row = std::max(row, of_row);
    column = std::max(column, of_column);
  }
  EXPECT_EQ(record.count_facts.total_bytes, total);
  EXPECT_EQ(record.count_facts.largest_row_bytes, row);
  EXPECT_EQ(record.count_facts.largest_column_bytes, column);
  EXPECT_EQ(record.count_facts.largest_entry_bytes, entry);
  EXPECT_EQ(record.count_facts.fewest_peers, 0);
  EXPECT_EQ(record.count_facts.most_peers, 2);
  EXPECT_EQ(record.bytes_per_rank, row);
  EXPECT_EQ(record.size_bytes, total / 9) << "recorded ones: of the mean entry";
}

TEST(CellRecord, SizesOfARegularOne) {
  CollectiveCell words = words_of("allgather", 40);
  words.datatype = "int32";
  const Cell cell = understand(words, 5);
  CollectiveRecord record = record_of(cell);
  put_sizes(cell, {.ranks = 5, .type = cell.type, .block = 10}, record);
  EXPECT_EQ(record.bytes_per_rank, 40);
  EXPECT_EQ(record.wire_bytes, 160) << "from four others";
  EXPECT_EQ(record.size_bytes, 40);
}

/// Entries and exits of a rank: batches of 1 and 2 calls.
Repetitions repetitions_of(int rank) {
  Repetitions made;
  made.mine = {{.entry_nanoseconds = 1000 + 10 * rank, .exit_nanoseconds = 1100, .is_warm_up = true},
               {.entry_nanoseconds = 2000 - 7 * rank, .exit_nanoseconds = 2500 + rank, .is_valid = false},
               {.entry_nanoseconds = 2600,
                .exit_nanoseconds = 3000 + 100 * rank,
                .begins_batch = false,
                .was_switched_out = true}};
  made.why = StopReason::budget;
  return made;
}

TEST(CellRecord, HasTheTimesOfEveryRankSinceTheFirstEntry) {
  CollectiveRecord record;
  record.cadence = "streaming";
  record.timed_from = "first_entry";
  put_repetitions(world(), world(), repetitions_of(world().rank()), record);
  ASSERT_EQ(std::ssize(record.entry_nanoseconds), world().size());
  for (int rank = 0; rank < world().size(); ++rank) {
    const Repetitions expected = repetitions_of(rank);
    for (std::size_t i = 0; i < 3; ++i) {
      const auto r = static_cast<std::size_t>(rank);
      EXPECT_EQ(record.entry_nanoseconds[r][i], expected.mine[i].entry_nanoseconds - 1000);
      EXPECT_EQ(record.exit_nanoseconds[r][i], expected.mine[i].exit_nanoseconds - 1000);
    }
  }
  EXPECT_EQ(record.batch_starts, (std::vector<int>{0, 1}));
  EXPECT_TRUE(record.slowest_nanoseconds.empty()) << "there is one communicator";
  EXPECT_EQ(record.warm_up_repetitions, 1);
  EXPECT_EQ(record.invalid, (std::vector<int>{1}));
  EXPECT_EQ(record.context_switches, (std::vector<int>{2}));
  EXPECT_EQ(record.stopped_because, "budget");
}

TEST(CellRecord, OfCommunicatorsAtOnceTheSlowestCounts) {
  const Communicator own = world().split(world().rank(), 0);  // each rank is one of its own
  for (const char* from : {"first_entry", "last_entry"}) {
    CollectiveRecord record;
    record.cadence = "isolated";
    record.timed_from = from;
    record.communicators = std::max(2, world().size());
    put_repetitions(world(), own, repetitions_of(world().rank()), record);
    std::vector<std::int64_t> slowest(2, 0);  // by batch
    for (int rank = 0; rank < world().size(); ++rank) {
      const auto calls = repetitions_of(rank).mine;
      slowest[0] = std::max(slowest[0], calls[0].exit_nanoseconds - calls[0].entry_nanoseconds);
      slowest[1] = std::max(slowest[1], calls[2].exit_nanoseconds - calls[1].entry_nanoseconds);
    }
    EXPECT_EQ(record.slowest_nanoseconds, slowest) << from;
    EXPECT_TRUE(record.batch_starts.empty()) << "of a stream alone";
  }
}

TEST(CellRecord, WhereTimesBeginIsWhereRanksAreKnownToBe) {
  for (const bool is_first : {true, false}) {
    CollectiveRecord record;
    record.cadence = "isolated";
    record.timed_from = is_first ? "first_entry" : "last_entry";
    record.communicators = 2;
    put_repetitions(world(), world(), repetitions_of(world().rank()), record);
    const int last = world().size() - 1;
    const std::int64_t begin = is_first ? 1000 : 1000 + 10 * last;
    EXPECT_EQ(record.slowest_nanoseconds.at(0), 1100 - begin);
    EXPECT_EQ(record.slowest_nanoseconds.at(1), 3000 + 100 * last - (is_first ? 2000 - 7 * last : 2000));
  }
}

TEST(CellRecord, WithoutARepetitionThereIsNoTime) {
  CollectiveRecord record;
  record.cadence = "isolated";
  record.timed_from = "first_entry";
  put_repetitions(world(), world(), {}, record);
  EXPECT_EQ(record.entry_nanoseconds, std::vector<std::vector<std::int64_t>>(record.exit_nanoseconds.size()));
  EXPECT_EQ(std::ssize(record.entry_nanoseconds), world().size());
  EXPECT_EQ(record.warm_up_repetitions, 0);
}

}  // namespace
}  // namespace isobath
