// SPDX-License-Identifier: Apache-2.0
// Sums over all ranks, for which a rank meets those of its grid row and of its grid column.
#include "comm/messages/grid_sums.hpp"

#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "mpi_main.hpp"

namespace isobath::test {
namespace {

void sum_and_compare(const Communicator& comm) {
  const std::int64_t ranks = comm.size();
  for (int rows = 1; rows <= comm.size(); ++rows) {
    if (comm.size() % rows != 0) continue;
    const GridShape shape = {rows, comm.size() / rows};
    const Grid grid = Grid::arrange(comm, shape);
    GridSums sums(grid);
    const std::int64_t met = shape.rows - 1 + shape.cols - 1;
    for (std::int64_t count = 1; count <= 4; ++count) {
      std::vector<std::int64_t> values(static_cast<std::size_t>(count), std::int64_t{1} << 40);
      values[0] = comm.rank() + 1;
      const Traffic before_row = grid.row_comm.traffic();
      const Traffic before_column = grid.col_comm.traffic();

      sums.sum(values);

      EXPECT_EQ(values[0], ranks * (ranks + 1) / 2) << shape.text();
      for (std::size_t i = 1; i < values.size(); ++i) EXPECT_EQ(values[i], ranks << 40) << shape.text();
      Traffic traffic = grid.row_comm.traffic() - before_row;
      traffic += grid.col_comm.traffic() - before_column;
      EXPECT_EQ(traffic.bytes_sent, 8 * count * met) << shape.text();
      EXPECT_EQ(traffic.messages, met) << shape.text();
      EXPECT_EQ(traffic.calls, int{shape.rows > 1} + int{shape.cols > 1}) << shape.text();
    }
  }
}

TEST(GridSums, AreOverAllRanksAndMeetThoseOfTheOwnRowAndColumn) { sum_and_compare(world()); }

/// As among many ranks.
TEST(GridSums, AreTheSameByTheLibrary) {
  sum_and_compare(Communicator(world().handle(), {.bytes_per_call = 64, .prefer_large_counts = false}));
}

}  // namespace
}  // namespace isobath::test
