// SPDX-License-Identifier: Apache-2.0
// What ranks of a grid row tell each other of its vertices, in pieces of several lengths.
#include "graph/told_along_row.hpp"

#include <algorithm>
#include <cstdint>

#include <gtest/gtest.h>

#include "all_shapes.hpp"
#include "base/threads.hpp"
#include "mpi_main.hpp"

namespace isobath {
namespace {

/// What the rank in a grid column knows of a target of its grid row.
std::uint32_t known(int row, int col, std::int64_t target) {
  return static_cast<std::uint32_t>((target + 3) * (col + 2) + 1000 * row);
}

TEST(ToldAlongRow, OwnersKnowWhatAllOfTheRowKnow) {
  const int before = max_threads();
  set_num_threads(1 + test::world().rank() % 3);  // others have another number
  for (const std::int64_t vertices :
       {std::int64_t{0}, std::int64_t{1}, std::int64_t{53}, std::int64_t{600}}) {
    for (const GridShape shape : test::shapes_of(test::world().size())) {
      const Grid grid = Grid::arrange(test::world(), shape);
      const BlockPartition blocks(vertices, shape.size());
      for (const std::int64_t piece : {std::int64_t{1}, std::int64_t{7}, std::int64_t{1000}}) {
        std::int64_t longest = 0;
        const LargeArray<std::uint32_t> own = told_along_row<std::uint32_t>(
            blocks, grid,
            [&](std::int64_t first, std::int64_t end) {
              LargeArray<std::uint32_t> part(static_cast<std::size_t>(end - first));
              for (std::int64_t t = first; t < end; ++t) {
                part[static_cast<std::size_t>(t - first)] = known(grid.row, grid.col, t);
              }
              longest = std::max(longest, end - first);
              return part;
            },
            [](std::uint32_t& of, std::uint32_t arrived) { of += arrived; }, piece);
        std::int64_t target = 0;  // of the first own vertex
        for (int col = 0; col < grid.col; ++col) target += blocks.size(shape.rank_at(grid.row, col));
        const std::int64_t size = blocks.size(shape.rank_at(grid.row, grid.col));
        ASSERT_EQ(std::ssize(own.span()), size);
        for (std::int64_t v = 0; v < size; ++v) {
          std::uint32_t sum = 0;
          for (int col = 0; col < shape.cols; ++col) sum += known(grid.row, col, target + v);
          ASSERT_EQ(own[static_cast<std::size_t>(v)], sum) << shape.text() << ", pieces of " << piece;
        }
        EXPECT_LE(longest, std::max(size, piece)) << shape.text();  // the own block is asked for whole
      }
    }
  }
  set_num_threads(before);
}

}  // namespace
}  // namespace isobath
