// SPDX-License-Identifier: Apache-2.0
#include "collectives/cases.hpp"

#include <set>

#include <gtest/gtest.h>

#include "base/error.hpp"

namespace isobath {
namespace {

constexpr std::int64_t m = 12;

Setting setting_of(int ranks) { return {.ranks = ranks, .block = m, .extents = {ranks}}; }

std::int64_t wire(Collective collective, int ranks) { return case_of(collective).wire(setting_of(ranks)); }

TEST(Cases, ThereIsOneForEachCollective) {
  std::set<Collective> found;
  for (const Case& one : all_cases()) EXPECT_TRUE(found.insert(one.collective).second);
  EXPECT_EQ(found.size(), collective_names().size());
  for (const std::string_view name : collective_names()) EXPECT_EQ(name_of(parse_collective(name)), name);
  EXPECT_THROW(parse_collective("gossip"), UsageError);
}

TEST(Cases, WireBytesAreThoseOfTheDerivation) {
  // docs/explanation/collectives.md, with P = 4 and blocks of 12
  EXPECT_EQ(wire(Collective::barrier, 4), 0);
  EXPECT_EQ(wire(Collective::bcast, 4), 12);
  for (const Collective one : {Collective::gather, Collective::scatter, Collective::allgather,
                               Collective::alltoall, Collective::reduce_scatter_block}) {
    EXPECT_EQ(wire(one, 4), 36) << name_of(one);
  }
  EXPECT_EQ(wire(Collective::reduce, 4), 12);
  EXPECT_EQ(wire(Collective::allreduce, 4), 18);
  EXPECT_EQ(wire(Collective::scan, 4), 12);
  EXPECT_EQ(wire(Collective::neighbor_alltoall, 4), 24);
  for (const Case& one : all_cases()) EXPECT_EQ(one.wire(setting_of(1)), 0) << name_of(one.collective);
}

TEST(Cases, IrregularOnesHaveTheBusiestRank) {
  Setting setting{.ranks = 3, .counts = {.rows = 3, .columns = 3, .elements = {9, 1, 2, 0, 9, 0, 5, 4, 9}}};
  const Case alltoallv = case_of(Collective::alltoallv);
  EXPECT_EQ(alltoallv.wire(setting), 9) << "rank 2 sends 5 + 4; its own 9 stay";
  EXPECT_EQ(alltoallv.contribution(setting), 18);
  setting.counts = {.rows = 3, .columns = 1, .elements = {1, 10, 4}};
  EXPECT_EQ(case_of(Collective::allgatherv).wire(setting), 14);
  EXPECT_EQ(case_of(Collective::gatherv).wire(setting), 14) << "into the root rank, which has 1 itself";
}

TEST(Cases, WhatIsSentAndExpectedLiesInsideTheBuffersAndOverlapsNowhere) {
  for (int ranks = 1; ranks <= 5; ++ranks) {
    for (const Case& one : all_cases()) {
      Setting setting = setting_of(ranks);
      for (int rank = 0; rank < ranks; ++rank) {
        const Layout layout = one.layout(setting, rank);
        std::int64_t end = 0;
        for (const ExpectedBlock& block : layout.expected) {
          EXPECT_EQ(block.offset, end) << name_of(one.collective);
          end += block.count;
        }
        EXPECT_TRUE(end == layout.receive_elements || layout.expected.empty()) << name_of(one.collective);
        const std::int64_t room =
            layout.sends_from_receive_buffer ? layout.receive_elements : layout.send_elements;
        for (const SentBlock& block : layout.sent) EXPECT_LE(block.offset + block.count, room);
      }
    }
  }
}

TEST(Cases, NeighboursAreNextToEachOther) {
  EXPECT_EQ(neighbours_of({3}, 0), (std::vector<int>{-1, 1}));
  EXPECT_EQ(neighbours_of({3}, 1), (std::vector<int>{0, 2}));
  // 2 rows x 3 columns, numbered along columns: rank 2 is row 0, column 1; MPI names the slower dimension
  // first
  EXPECT_EQ(neighbours_of({2, 3}, 2), (std::vector<int>{0, 4, -1, 3}));
}

}  // namespace
}  // namespace isobath
