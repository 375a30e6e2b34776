// SPDX-License-Identifier: Apache-2.0
#include "graph/arc_buckets.hpp"

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "base/threads.hpp"
#include "graph/rows.hpp"

namespace isobath {
namespace {

TEST(HubFirst, LeadsFromIndexToKeyAndBack) {
  for (const std::vector<std::uint32_t>& offset : std::vector<std::vector<std::uint32_t>>{
           {0, 512}, {0, 512, 1024}, {0, 1024, 1536, 1536, 3072}, {0, 0, 512}, {0, 0, 0, 0}}) {
    const HubFirst order(offset);
    EXPECT_EQ(order.pieces(), offset.size() - 1);
    for (std::uint32_t index = 0; index < offset.back(); ++index) {
      const std::uint32_t key = order.key_of(index);
      ASSERT_EQ(order.index(key), index);
      ASSERT_LE(key, order.max_key());
      const auto piece = static_cast<std::uint32_t>(std::upper_bound(offset.begin(), offset.end(), index) -
                                                    offset.begin() - 1);
      ASSERT_EQ(key, order.key(piece, index - offset[piece]));
    }
  }
}

/// First in a row are the first of every piece, in the order of the pieces, then the second of every piece,
/// ...
TEST(HubFirst, PutsPositionInThePieceBeforeThePiece) {
  const std::vector<std::uint32_t> offset = {0, 512, 1536, 2048};
  const HubFirst order(offset);
  std::vector<std::uint32_t> indices;
  for (std::uint32_t local = 0; local < 3; ++local) {
    for (const std::uint32_t first : {0U, 512U, 1536U}) indices.push_back(first + local);
  }
  for (std::size_t i = 1; i < indices.size(); ++i)
    EXPECT_LT(order.key_of(indices[i - 1]), order.key_of(indices[i]));
  EXPECT_LT(order.key_of(1536 + 511), order.key_of(512 + 512));
}

TEST(HubFirst, ChangesNothingOnOnePiece) {
  const HubFirst everything;
  EXPECT_EQ(everything.pieces(), 1U);
  EXPECT_EQ(everything.key_of(0xFFFFFFF0), 0xFFFFFFF0);
  EXPECT_EQ(everything.index(0xFFFFFFF0), 0xFFFFFFF0);
  EXPECT_EQ(everything.max_key(), 0xFFFFFFFF);
}

struct Case {
  std::size_t rows;
  std::size_t arcs;
  int skew;             // 0: rows alike; k: most arcs in few rows
  std::uint32_t slack;  // announced more than is added
  std::vector<std::uint32_t> offset;
};

/// What rows hold by the plain definition, in the order of keys.
std::vector<std::vector<std::uint32_t>> expected_rows(std::size_t rows,
                                                      const std::vector<ArcBuckets::Arc>& arcs,
                                                      const HubFirst& order) {
  std::vector<std::vector<std::uint32_t>> expected(rows);
  for (const auto& arc : arcs) expected[arc.row].push_back(arc.key);
  for (auto& row : expected) {
    std::ranges::sort(row);
    row.erase(std::unique(row.begin(), row.end()), row.end());
    for (std::uint32_t& entry : row) entry = order.index(entry);
  }
  return expected;
}

void expect_rows(const Case& c, std::uint64_t seed) {
  const HubFirst order(c.offset);
  std::mt19937_64 draw(seed);
  std::vector<ArcBuckets::Arc> arcs(c.arcs);
  std::vector<std::uint32_t> length(c.rows, c.slack);
  for (auto& arc : arcs) {
    const std::uint64_t among =
        c.skew == 0
            ? c.rows
            : std::min<std::uint64_t>(c.rows, std::uint64_t{1} << (draw() % static_cast<unsigned>(c.skew)));
    arc.row = static_cast<std::uint32_t>(draw() % among);
    arc.key = order.key_of(static_cast<std::uint32_t>(draw() % c.offset.back()));
    ++length[arc.row];
  }
  ArcBuckets buckets(length);
#pragma omp parallel
  {
    ArcBuckets::Writer writer(buckets);
    const auto [begin, end] =
        static_share(static_cast<std::int64_t>(arcs.size()), thread_id(), num_threads());
    for (std::int64_t i = begin; i < end; ++i)
      writer.add(arcs[static_cast<std::size_t>(i)].row, arcs[static_cast<std::size_t>(i)].key);
  }
  const Rows rows = buckets.into_rows(order);
  const auto expected = expected_rows(c.rows, arcs, order);
  ASSERT_EQ(rows.num_rows(), c.rows);
  std::size_t total = 0;
  for (std::uint32_t row = 0; row < c.rows; ++row) {
    const auto found = rows.of(row);
    ASSERT_TRUE(std::equal(found.begin(), found.end(), expected[row].begin(), expected[row].end()))
        << "row " << row;
    ASSERT_EQ(rows.length(row), expected[row].size());
    total += found.size();
  }
  EXPECT_EQ(rows.num_arcs(), total);
}

TEST(ArcBuckets, SortIntoRowsWhatWasAdded) {
  std::uint64_t seed = 1;
  for (const Case& c :
       {Case{0, 0, 0, 0, {0, 512}}, Case{1, 0, 0, 0, {0, 512}}, Case{1, 70000, 0, 3, {0, 512}},
        Case{15, 100, 0, 0, {0, 512}}, Case{16, 100, 0, 9, {0, 512, 1024}}, Case{17, 5000, 0, 0, {0, 1024}},
        Case{3000, 40000, 0, 1, {0, 3072}}, Case{3000, 200000, 12, 0, {0, 1024, 1536, 3072}},
        Case{100000, 600000, 0, 2, {0, 100352}}, Case{100000, 400000, 16, 0, {0, 51200, 100352}}}) {
    ASSERT_NO_FATAL_FAILURE(expect_rows(c, seed++))
        << c.rows << " rows, " << c.arcs << " arcs, skew " << c.skew;
  }
}

}  // namespace
}  // namespace isobath
