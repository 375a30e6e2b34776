// SPDX-License-Identifier: Apache-2.0
#include "collectives/cell.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"

namespace isobath {
namespace {

CollectiveCell words(const std::string& collective) {
  CollectiveCell made;
  made.collective = collective;
  made.size_bytes = 64;
  return made;
}

TEST(Cell, FillsInWhatWasLeftOpen) {
  const Cell moved = understand(words("allgather"), 4);
  EXPECT_EQ(moved.words.shape, "4");
  EXPECT_EQ(moved.words.datatype, "byte");
  EXPECT_EQ(moved.words.operation, "");
  const Cell reduced = understand(words("allreduce"), 4);
  EXPECT_EQ(reduced.words.datatype, "double");
  EXPECT_EQ(reduced.words.operation, "sum");
}

TEST(Cell, ContradictionsAreToldInOneSentence) {
  const auto refused = [](const char* collective, auto change) {
    CollectiveCell made = words(collective);
    change(made);
    try {
      understand(made, 4);
    } catch (const UsageError& error) {
      return std::string(error.what());
    }
    return std::string("nothing");
  };
  EXPECT_EQ(refused("gather", [](auto& c) { c.shape = "2x3"; }),
            "the arrangement 2x3 is of 6 ranks, but there are 4; start as many or write another");
  EXPECT_EQ(refused("gather", [](auto& c) { c.counts = "zipf:1"; }),
            "gather has the same count everywhere, not zipf:1; take gatherv or uniform counts");
  EXPECT_EQ(refused("allreduce", [](auto& c) { c.operation = "bor"; }),
            "MPI defines no bor of double; take another operation or datatype");
  EXPECT_EQ(refused("bcast", [](auto& c) { c.operation = "sum"; }),
            "bcast combines nothing; leave the operation out");
  EXPECT_EQ(refused("bcast", [](auto& c) { c.arrival = "linear:5"; }),
            "the arrival linear:5 needs the alignment roundtime");
  for (auto change :
       {+[](CollectiveCell& c) { c.form = "lazy"; }, +[](CollectiveCell& c) { c.along = "row"; },
        +[](CollectiveCell& c) { c.datatype = "float16"; }, +[](CollectiveCell& c) { c.buffers = "hot"; },
        +[](CollectiveCell& c) { c.cadence = "often"; }, +[](CollectiveCell& c) { c.alignment = "luck"; },
        +[](CollectiveCell& c) { c.counts = "some"; }}) {
    EXPECT_NE(refused("bcast", change), "nothing");
  }
}

TEST(Cell, WhatCannotBeMeasuredHereSaysWhatIsNeeded) {
  const auto found = [](const char* collective, auto change) {
    CollectiveCell made = words(collective);
    change(made);
    return obstacle(understand(made, 4), 4).value_or("nothing");
  };
  EXPECT_EQ(found("allreduce", [](auto&) {}), "nothing");
  EXPECT_EQ(found("allreduce", [](auto& c) { c.size_bytes = 9; }),
            "needs whole elements of 8 bytes, has 9 bytes");
  EXPECT_EQ(found("alltoall", [](auto& c) { c.size_bytes = std::int64_t{1} << 62; }),
            "needs 4611686018427387904 bytes from each of 4 ranks to each, has 63 bits to count them");
  EXPECT_EQ(found("alltoall", [](auto& c) { c.size_bytes = std::int64_t{1} << 56; }), "nothing");
  EXPECT_NE(found("alltoall", [](auto& c) { c.size_bytes = std::int64_t{1} << 57; }), "nothing");
  EXPECT_EQ(found("bcast", [](auto& c) { c.root_rank = 4; }), "needs rank 4 as its root rank, has 4 ranks");
  EXPECT_EQ(found("alltoallv", [](auto& c) { c.counts = "sparse:5"; }), "needs 5 ranks to send to, has 4");
  EXPECT_EQ(found("bcast",
                  [](auto& c) {
                    c.buffers = "dirty";
                    c.cadence = "streaming";
                  }),
            "needs time between repetitions to write dirty buffers, has none where they stream");
}

TEST(Cell, CountsSpreadTheBytesOfTheUniformOnes) {
  for (const char* collective : {"alltoallv", "allgatherv", "scatterv"}) {
    for (const char* distribution : {"uniform", "zipf:1", "sparse:2", "block:2"}) {
      CollectiveCell made = words(collective);
      made.counts = distribution;
      const Cell cell = understand(made, 4);
      const Counts counts = std::get<Counts>(counts_of(cell, 4, {}));
      const std::int64_t rows = cell.one.counts == Case::CountForm::pairs ? 4 : 1;
      EXPECT_EQ(facts_of(counts).total, rows * 4 * 64) << collective << distribution;
    }
  }
}

TEST(Cell, RecordedCountsAreThoseOfTheMatrix) {
  CollectiveCell made = words("alltoallv");
  made.counts = "recorded:fold";
  const ByteMatrix matrix = {{0, 1, 2, 3}, {4, 0, 6, 7}, {8, 9, 0, 11}, {12, 13, 14, 0}};
  EXPECT_EQ(std::get<Counts>(counts_of(understand(made, 4), 4, matrix)).at(2, 3), 11);
  made.datatype = "int16";
  EXPECT_EQ(std::get<std::string>(counts_of(understand(made, 4), 4, matrix)),
            "needs counts of whole elements of 2 bytes, has 1 bytes from rank 0 to rank 1");
  made = words("allgatherv");
  made.counts = "recorded:expand";
  EXPECT_EQ(std::get<Counts>(counts_of(understand(made, 2), 2, {{0, 5}, {7, 0}})).elements,
            (std::vector<std::int64_t>{5, 7}))
      << "one rank gives all the same";
  EXPECT_EQ(std::get<std::string>(counts_of(understand(made, 2), 2, {})),
            "needs a matrix 'expand' of 2 ranks, has none");
}

TEST(Cell, AMatrixOfTheWorldIsCutToACommunicator) {
  const ByteMatrix matrix = {{0, 1, 2, 3}, {4, 5, 6, 7}, {8, 9, 10, 11}, {12, 13, 14, 15}};
  EXPECT_EQ(part_of(matrix, std::vector<int>{1, 3}, 4), (ByteMatrix{{5, 7}, {13, 15}}));
  EXPECT_EQ(part_of({{1, 2}, {3, 4}}, std::vector<int>{1, 3}, 4), (ByteMatrix{{1, 2}, {3, 4}}));
  EXPECT_TRUE(part_of({{1}}, std::vector<int>{1, 3}, 4).empty());
}

}  // namespace
}  // namespace isobath
