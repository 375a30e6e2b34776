// SPDX-License-Identifier: Apache-2.0
// Everybody's piece on all ranks, whether it comes with its length or behind it.
#include "bfs/hybrid/gathered_pieces.hpp"

#include <array>
#include <vector>

#include <gtest/gtest.h>

#include "comm/all_ranks.hpp"
#include "comm/exchange/exchanges.hpp"
#include "mpi_main.hpp"

namespace isobath {
namespace {

constexpr std::array<std::int64_t, 5> piece_lengths = {0, 4096, 3, 4097, 9000};

std::int64_t piece_length(int rank, int run) {
  return piece_lengths[static_cast<std::size_t>(rank + run) % piece_lengths.size()];
}
test::Bytes piece_of(int rank, int run) { return test::parcel(rank, run, piece_length(rank, run)); }

void gather_and_compare(const Communicator& comm, bool are_eager) {
  GatheredPieces pieces(comm);
  for (int run = 0; run < 10; ++run) {
    const test::Bytes mine = piece_of(comm.rank(), run);
    const Traffic before = comm.traffic();
    pieces.tell(mine, (comm.rank() + run) % 4);
    const Traffic told = comm.traffic() - before;
    std::int64_t total = 0;
    for (int rank = 0; rank < comm.size(); ++rank) {
      EXPECT_EQ(pieces.form_of(static_cast<std::size_t>(rank)), (rank + run) % 4);
      total += piece_length(rank, run);
    }
    EXPECT_EQ(pieces.total_bytes(), total);
    pieces.bring();
    const Traffic all = comm.traffic() - before;
    ASSERT_EQ(pieces.count(), static_cast<std::size_t>(comm.size()));
    for (int rank = 0; rank < comm.size(); ++rank) {
      const std::span<const std::byte> arrived = pieces.of(static_cast<std::size_t>(rank));
      EXPECT_EQ(test::Bytes(arrived.begin(), arrived.end()), piece_of(rank, run)) << "of " << rank;
    }
    const std::int64_t others = comm.size() - 1;
    const bool comes_along = are_eager && std::ssize(mine) <= 4096;
    EXPECT_EQ(told.bytes_sent, (8 + (comes_along ? std::ssize(mine) : 0)) * others);
    EXPECT_EQ(all.bytes_sent, (8 + std::ssize(mine)) * others);
  }
}

TEST(GatheredPieces, ReachEverybodyWithTheirLengthsOrBehindThem) {
  gather_and_compare(test::world(), test::world().size() > 1);
}

/// As among many ranks.
TEST(GatheredPieces, ReachEverybodyWhereLengthsGoFirst) {
  const Communicator comm(test::world().handle(), {.bytes_per_call = 64, .prefer_large_counts = false});
  gather_and_compare(comm, false);
}

}  // namespace
}  // namespace isobath
