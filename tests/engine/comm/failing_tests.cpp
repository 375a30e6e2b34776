// SPDX-License-Identifier: Apache-2.0
// Tests that fail on purpose, each in a way that the main program of the MPI tests must report and survive.
#include <stdexcept>

#include <gtest/gtest.h>

#include "mpi_main.hpp"

namespace isobath::test {
namespace {

TEST(Example, Passes) { EXPECT_EQ(world().sum(std::int64_t{1}), world().size()); }

TEST(Example, FailsOnOneRank) { EXPECT_NE(world().rank(), 1) << "only rank 1"; }

TEST(Example, FailsEverywhere) { ADD_FAILURE() << "this is " << world().rank(); }

TEST(Example, LeavesEarlyOnOneRank) {
  ASSERT_NE(world().rank(), 1);
  world().barrier();
}

TEST(Example, ThrowsOnOneRank) {
  if (world().rank() == world().size() - 1) throw std::runtime_error("thrown here");
  world().barrier();
}

class FailingSetUp : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    if (world().rank() == 1) ADD_FAILURE() << "set-up failed";
  }
};
TEST_F(FailingSetUp, ItselfPasses) {}

}  // namespace
}  // namespace isobath::test
