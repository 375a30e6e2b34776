// SPDX-License-Identifier: Apache-2.0
// Where vertices and arcs belong: arithmetic alone, also far beyond what fits a machine.
#include "graph/layout.hpp"

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "graph/codes.hpp"

namespace isobath {
namespace {

std::vector<std::uint32_t> random_searched(std::mt19937_64& draw, const BlockPartition& blocks) {
  std::vector<std::uint32_t> searched;
  for (int b = 0; b < blocks.num_blocks(); ++b) {
    searched.push_back(static_cast<std::uint32_t>(draw() % static_cast<std::uint64_t>(blocks.size(b) + 1)));
  }
  return searched;
}

TEST(GridLayout, LaysPiecesOfItsGridColumnAndRowOneAfterTheOther) {
  std::mt19937_64 draw(1);
  for (int rows = 1; rows <= 4; ++rows) {
    for (int cols = 1; cols <= 4; ++cols) {
      const GridShape shape{rows, cols};
      const BlockPartition blocks(9973, shape.size());
      const std::vector<std::uint32_t> searched = random_searched(draw, blocks);
      for (int rank = 0; rank < shape.size(); ++rank) {
        const GridLayout layout = GridLayout::make(shape, rank, blocks, searched);
        ASSERT_EQ(layout.rank, shape.rank_at(layout.grid_row(), layout.grid_col()));
        std::uint32_t col = 0;
        for (int r = 0; r < rows; ++r) {
          ASSERT_EQ(layout.block_of_col_piece(r), shape.rank_at(r, layout.grid_col()));
          ASSERT_EQ(layout.col_offset[static_cast<std::size_t>(r)], col);
          col += static_cast<std::uint32_t>(
              padded_bits(searched[static_cast<std::size_t>(shape.rank_at(r, layout.grid_col()))]));
        }
        std::uint32_t row = 0;
        for (int c = 0; c < cols; ++c) {
          ASSERT_EQ(layout.block_of_row_piece(c), shape.rank_at(layout.grid_row(), c));
          ASSERT_EQ(layout.row_offset[static_cast<std::size_t>(c)], row);
          row += static_cast<std::uint32_t>(
              padded_bits(searched[static_cast<std::size_t>(shape.rank_at(layout.grid_row(), c))]));
        }
        ASSERT_EQ(layout.num_cols(), col);
        ASSERT_EQ(layout.num_rows(), row);
        ASSERT_EQ(layout.col_words() * word_bits, col + piece_bits);  // the bit that is never set has a place
        ASSERT_EQ(layout.row_words() * word_bits, row);
        ASSERT_EQ(layout.own_searched(), searched[static_cast<std::size_t>(rank)]);
        ASSERT_EQ(layout.own_col(), layout.col_offset[static_cast<std::size_t>(layout.grid_row())]);
        ASSERT_EQ(layout.own_row(), layout.row_offset[static_cast<std::size_t>(layout.grid_col())]);
        ASSERT_EQ(layout.own_words() * word_bits, padded_bits(layout.own_searched()));
        ASSERT_EQ(layout.rows_are_complete(), cols == 1);
        std::int64_t span = 0;
        for (int r = 0; r < rows; ++r) span += blocks.size(shape.rank_at(r, layout.grid_col()));
        ASSERT_EQ(layout.col_span(), span);
        span = 0;
        for (int c = 0; c < cols; ++c) span += blocks.size(shape.rank_at(layout.grid_row(), c));
        ASSERT_EQ(layout.row_span(), span);
        ASSERT_EQ(layout.first_col_original(), blocks.first(shape.rank_at(0, layout.grid_col())));
      }
    }
  }
}

/// As many searched vertices of a grid row and column as 32 bits number.
TEST(GridLayout, NumbersNearly2To32SearchedVerticesOfARowAndAColumn) {
  const GridShape shape{316, 316};
  const std::uint32_t most = 0xFFFFFFFF / 316 / 512 * 512;
  const std::vector<std::uint32_t> searched(static_cast<std::size_t>(shape.size()), most);
  const GridLayout layout = GridLayout::make(shape, shape.size() - 1,
                                             BlockPartition(std::int64_t{1} << 42, shape.size()), searched);
  constexpr std::size_t all = 316 * std::size_t{0xFFFFFFFF / 316 / 512 * 512};
  static_assert(all > 0xFFF00000);
  EXPECT_EQ(layout.num_cols(), all);
  EXPECT_EQ(layout.num_rows(), all);
  EXPECT_EQ(layout.missing_col(), all);
  EXPECT_LT(layout.missing_col(), Numbering::leaf);
  EXPECT_EQ(layout.col_words() * word_bits, all + piece_bits);
  EXPECT_EQ(layout.row_words() * word_bits, all);
  EXPECT_EQ(layout.own_col(), all - most);
  EXPECT_EQ(layout.own_row(), all - most);
  EXPECT_EQ(layout.searched_of_col(), all);
  EXPECT_EQ(layout.searched_of_row(), all);
  EXPECT_EQ(layout.words_of_col_pieces(), std::vector<std::int64_t>(316, most / 64));
  EXPECT_NO_THROW(check_keys(HeavyFirst(layout.col_offset)));
}

/// Every arc goes to the rank in the grid row of its target and the grid column of its source, and to no
/// other; its ends are counted as that rank counts them.
TEST(ArcRouter, SendsEveryArcToTheGridRowOfItsTargetAndTheGridColumnOfItsSource) {
  for (const GridShape shape : {GridShape{1, 1}, {1, 6}, {2, 3}, {3, 2}, {6, 1}, {4, 4}, {1, 5}}) {
    for (const std::int64_t n : {1, 3, 6, 29, 64}) {
      const BlockPartition blocks(n, shape.size());
      std::vector<std::vector<std::int64_t>> cols(
          static_cast<std::size_t>(shape.cols));  // originals of a grid column
      std::vector<std::vector<std::int64_t>> rows(static_cast<std::size_t>(shape.rows));
      for (int col = 0; col < shape.cols; ++col) {
        for (int row = 0; row < shape.rows; ++row) {
          const int block = shape.rank_at(row, col);
          for (std::int64_t v = blocks.first(block); v < blocks.first(block) + blocks.size(block); ++v) {
            cols[static_cast<std::size_t>(col)].push_back(v);
            rows[static_cast<std::size_t>(row)].push_back(v);  // over growing col: blocks of the row in order
          }
        }
      }
      const ArcRouter router(GridLayout::make(
          shape, 0, blocks, std::vector<std::uint32_t>(static_cast<std::size_t>(shape.size()), 0)));
      for (std::int64_t s = 0; s < n; ++s) {
        for (std::int64_t t = 0; t < n; ++t) {
          const auto [rank, arc] = router.route(GlobalVertex{s}, GlobalVertex{t});
          ASSERT_EQ(shape.row_of(rank), shape.row_of(blocks.block_of(GlobalVertex{t})));
          ASSERT_EQ(shape.col_of(rank), shape.col_of(blocks.block_of(GlobalVertex{s})));
          ASSERT_EQ(cols[static_cast<std::size_t>(shape.col_of(rank))].at(arc.source), s);
          ASSERT_EQ(rows[static_cast<std::size_t>(shape.row_of(rank))].at(arc.target), t);
        }
      }
    }
  }
}

/// Vertices beyond 2^32, in the arithmetic of grids that nobody here has.
TEST(ArcRouter, StaysExactForVerticesThatNeedMoreThan32Bits) {
  std::mt19937_64 draw(2);
  struct Large {
    int scale;
    GridShape shape;
  };
  for (const Large& large : {Large{36, {32, 32}}, Large{36, {48, 40}}, Large{38, {128, 128}},
                             Large{40, {512, 512}}, Large{40, {520, 514}}}) {
    const std::int64_t n = std::int64_t{1} << large.scale;
    const GridShape shape = large.shape;
    const BlockPartition blocks(n, shape.size());
    const GridLayout layout = GridLayout::make(
        shape, 0, blocks, std::vector<std::uint32_t>(static_cast<std::size_t>(shape.size()), 0));
    ASSERT_NO_THROW(require_positions(blocks, shape, 0));
    const ArcRouter router(layout);
    std::vector<std::int64_t> vertices = {0, n - 1, (std::int64_t{1} << 32) - 1, std::int64_t{1} << 32};
    for (int k = 0; k < 200; ++k) vertices.push_back(static_cast<std::int64_t>(draw() >> (64 - large.scale)));
    for (int k = 0; k < 50; ++k) {  // the borders of blocks
      const auto block = static_cast<int>(draw() % static_cast<std::uint64_t>(shape.size()));
      vertices.push_back(blocks.first(block));
      vertices.push_back(blocks.first(block) + blocks.size(block) - 1);
    }
    for (std::size_t k = 0; k < vertices.size(); ++k) {
      const GlobalVertex source{vertices[k]};
      const GlobalVertex target{vertices[(k * 7 + 3) % vertices.size()]};
      const auto [rank, arc] = router.route(source, target);
      const int source_block = blocks.block_of(source);
      const int target_block = blocks.block_of(target);
      ASSERT_EQ(rank, shape.rank_at(shape.row_of(target_block), shape.col_of(source_block)));
      // Back from positions to originals, by the definition of the layout.
      ASSERT_EQ(blocks.first(shape.rank_at(0, shape.col_of(source_block))) + std::int64_t{arc.source},
                raw(source));
      std::int64_t before = 0;
      for (int col = 0; col < shape.col_of(target_block); ++col)
        before += blocks.size(shape.rank_at(shape.row_of(target_block), col));
      ASSERT_EQ(std::int64_t{arc.target}, before + raw(target) - blocks.first(target_block));
    }
  }
}

void check(GridShape shape, std::int64_t num_vertices) {
  require_positions(BlockPartition(num_vertices, shape.size()), shape, 0);
}

TEST(NarrowPositions, SufficeForTwoToThe31VerticesPerGridRowAndColumnAndNotForOneMore) {
  constexpr std::int64_t most = std::int64_t{1} << 31;
  EXPECT_NO_THROW(check({1, 1}, most));
  EXPECT_THROW(check({1, 1}, most + 1), RefusedError);
  EXPECT_NO_THROW(check({4, 1}, most));
  EXPECT_THROW(check({4, 1}, most + 1),
               RefusedError);                           // all sources in one grid column
  EXPECT_THROW(check({1, 4}, most + 1), RefusedError);  // all targets in one grid row
  EXPECT_NO_THROW(check({2, 2}, 2 * most));
  EXPECT_THROW(check({2, 2}, 2 * most + 1), RefusedError);
  EXPECT_THROW(check({64, 64}, std::int64_t{1} << 43), RefusedError);
}

TEST(NarrowPositions, SayWhatToDoWhereTheyDoNotSuffice) {
  try {
    check({2, 2}, std::int64_t{1} << 36);
    FAIL() << "2^35 vertices in a grid column";
  } catch (const RefusedError& error) {
    EXPECT_STREQ(error.what(),
                 "on a 2x2 grid one rank names more than 2^31 vertices; use more ranks and a squarer grid");
    EXPECT_EQ(exit_code_of(error), ExitCode::refused);
  }
}

/// Positions of more than 32 bits, in the arithmetic of the grid that nobody has; of the whole range for
/// grids that are not square.
TEST(WideArcs, HaveEndsThatTheGridRowAndColumnCount) {
  std::mt19937_64 draw(3);
  for (const auto& [scale, shape] :
       {std::pair{42, GridShape{316, 316}}, {41, {16, 64}}, {40, {64, 8}}, {36, {3, 7}}}) {
    const std::int64_t n = std::int64_t{1} << scale;
    const BlockPartition blocks(n, shape.size());
    ASSERT_TRUE(PositionForm(blocks, shape, 32).is_wide());
    const ArcRouter router(shape, blocks);
    for (int k = 0; k < 1000; ++k) {
      const GlobalVertex source{k == 0 ? n - 1 : static_cast<std::int64_t>(draw() >> (64 - scale))};
      const GlobalVertex target{k == 1 ? n - 1 : static_cast<std::int64_t>(draw() >> (64 - scale))};
      const auto [rank, arc] = router.route<WideArc>(source, target);
      const int source_block = blocks.block_of(source);
      const int target_block = blocks.block_of(target);
      ASSERT_EQ(rank, shape.rank_at(shape.row_of(target_block), shape.col_of(source_block)));
      ASSERT_EQ(blocks.first(shape.rank_at(0, shape.col_of(source_block))) +
                    static_cast<std::int64_t>(source_of(arc)),
                raw(source));
      std::int64_t before = 0;
      for (int col = 0; col < shape.col_of(target_block); ++col)
        before += blocks.size(shape.rank_at(shape.row_of(target_block), col));
      ASSERT_EQ(static_cast<std::int64_t>(target_of(arc)), before + raw(target) - blocks.first(target_block));
    }
  }
}

TEST(PositionForm, IsWideWhereNarrowPositionsDoNotSuffice) {
  const auto form = [](GridShape shape, std::int64_t num_vertices, int low_bits) {
    return PositionForm(BlockPartition(num_vertices, shape.size()), shape, low_bits);
  };
  constexpr std::int64_t most = std::int64_t{1} << 31;
  EXPECT_FALSE(form({2, 2}, 2 * most, 32).is_wide());
  EXPECT_TRUE(form({2, 2}, 2 * most + 1, 32).is_wide());
  EXPECT_TRUE(form({316, 316}, std::int64_t{1} << 42, 32).is_wide());
  EXPECT_TRUE(form({1, 4}, most + 1, 32).is_wide());          // all targets in one grid row
  EXPECT_THROW(form({4, 1}, most + 1, 32), RefusedError);     // rows are complete
  EXPECT_THROW(form({2, 2}, 2 * most + 1, 0), RefusedError);  // not asked for
  EXPECT_FALSE(form({2, 2}, 64, 5).is_wide());
  EXPECT_TRUE(form({2, 2}, 65, 5).is_wide());  // in tests
  EXPECT_NO_THROW(form({512, 512}, std::int64_t{1} << 49, 32));
  try {
    form({512, 512}, (std::int64_t{1} << 49) + 1, 32);
    FAIL() << "2^40 vertices and one more in a grid row";
  } catch (const RefusedError& error) {
    EXPECT_STREQ(
        error.what(),
        "on a 512x512 grid one rank names more than 2^40 vertices; use more ranks and a squarer grid");
  }
}

TEST(PositionForm, IsRefusedWhereOneRankOwnsMoreThanItNumbers) {
  try {
    PositionForm(BlockPartition(std::int64_t{1} << 35, 8), {1, 8}, 32);
    FAIL() << "2^32 vertices of one rank";
  } catch (const RefusedError& error) {
    EXPECT_STREQ(error.what(), "on a 1x8 grid one rank owns more than 4294967280 vertices; use more ranks");
  }
}

TEST(PositionSplit, JoinsWhatItSplits) {
  for (const int low_bits : {3, 17, 32}) {
    const PositionSplit split(low_bits);
    const std::uint64_t end = std::uint64_t{1} << (low_bits + PositionSplit::high_bits);
    std::mt19937_64 draw(5);
    for (int k = 0; k < 1000; ++k) {
      const std::uint64_t position = k == 0 ? end - 1 : draw() % end;
      ASSERT_LT(split.low(position), std::uint64_t{1} << low_bits);
      ASSERT_EQ(split.joined(split.low(position), split.high(position)), position);
    }
  }
}

/// Keys count positions in the longest piece for every piece, and the gaps behind the heavy vertices.
TEST(CheckKeys, AcceptsThoseThatLeaveRoomForTheCodes) {
  const auto check = [](const std::vector<std::uint32_t>& offset, const std::vector<std::uint32_t>& heavy) {
    check_keys(HeavyFirst(offset, heavy));
  };
  EXPECT_NO_THROW(check({0, 0xFFFFFFFF}, {}));  // of one piece: numbers themselves
  EXPECT_NO_THROW(check({0, 0x7FFFFFF8, 0xFFFFFFF0}, {}));
  EXPECT_NO_THROW(check({0, 0x7FFFFFF8, 0x7FFFFFF8}, {9, 0}));
  EXPECT_THROW(check({0, 0x7FFFFFF9, 0x7FFFFFF9}, {}), RefusedError);
  EXPECT_THROW(check({0, 0x7FFFFFF8, 0x80000000}, {9, 10}), RefusedError);
  EXPECT_THROW(check({0, 0x80000200, 0x80000200, 0x80000400}, {}), RefusedError);
  try {
    check({0, 0x80000000, 0x80000000}, {});
    ADD_FAILURE() << "2^32 keys";
  } catch (const RefusedError& error) {
    EXPECT_STREQ(error.what(),
                 "positions in a grid column of 4294967296 exceeds an internal limit; use more ranks or a "
                 "smaller scale");
  }
}

TEST(GridLayout, RefusesPiecesWhoseIndicesExceed32Bits) {
  const BlockPartition blocks(std::int64_t{1} << 36, 4);
  const std::vector<std::uint32_t> searched(4, 0x80000000U);
  try {
    GridLayout::make({4, 1}, 0, blocks, searched);
    FAIL() << "2^33 columns";
  } catch (const RefusedError& error) {
    EXPECT_STREQ(
        error.what(),
        "a column of vertices of 4294967296 exceeds an internal limit; use more ranks or a smaller scale");
  }
}

}  // namespace
}  // namespace isobath
