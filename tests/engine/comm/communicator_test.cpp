// SPDX-License-Identifier: Apache-2.0
#include "comm/communicator.hpp"

#include <gtest/gtest.h>

#include "mpi_main.hpp"

namespace isobath {
namespace {

TEST(Communicator, KnowsItsRanks) {
  const Communicator& world = test::world();
  EXPECT_EQ(world.sum(std::int64_t{1}), world.size());
  EXPECT_EQ(world.max(std::int64_t{world.rank()}), world.size() - 1);
}

}  // namespace
}  // namespace isobath
