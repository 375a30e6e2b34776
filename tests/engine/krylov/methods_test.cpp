// SPDX-License-Identifier: Apache-2.0
#include "krylov/methods.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>

#include <gtest/gtest.h>

#include "krylov_world.hpp"
#include "reference/bilinear.hpp"

namespace isobath::test {
namespace {

constexpr KrylovMethod all_methods[] = {KrylovMethod::cg, KrylovMethod::single, KrylovMethod::gropp,
                                        KrylovMethod::pipelined};

/// Largest relative difference of norms that have not come down to rounding.
double difference(const std::vector<double>& found, const std::vector<double>& expected, double least) {
  EXPECT_EQ(found.size(), expected.size());
  double greatest = 0;
  for (std::size_t i = 0; i < std::min(found.size(), expected.size()); ++i) {
    if (expected[i] < least * expected[0]) break;
    greatest = std::max(greatest, std::abs(found[i] / expected[i] - 1));
  }
  return greatest;
}

TEST(KrylovMethods, NormsAreThoseOfTheAssembledMatrix) {
  const std::vector<double> expected = reference::natural_norms(reference::bilinear_problem(16), 30);
  for (const KrylovMethod method : all_methods) {
    KrylovWorld here(method, 16);
    EXPECT_LT(difference(here.solve(30), expected, 1e-8), 1e-6) << name_of(method);
    EXPECT_LT(difference(here.solve(30), expected, 1e-8), 1e-6) << "again, " << name_of(method);
  }
}

TEST(KrylovMethods, AllFourGoTheSameWayForManyIterations) {
  constexpr int iterations = 80;
  const std::vector<double> expected = KrylovWorld(KrylovMethod::cg, 64).solve(iterations);
  ASSERT_GT(expected.back(), 1e-8 * expected.front()) << "has not come down to rounding";
  for (const KrylovMethod method : all_methods) {
    KrylovWorld here(method, 64, ReductionForm::nonblocking, 3);
    EXPECT_LT(difference(here.solve(iterations), expected, 0), 1e-8) << name_of(method);
  }
}

TEST(KrylovMethods, TheControlArmAndTestsChangeNothing) {
  for (const KrylovMethod method : {KrylovMethod::gropp, KrylovMethod::pipelined}) {
    const std::vector<double> expected = KrylovWorld(method, 24).solve(20);
    KrylovWorld blocking(method, 24, ReductionForm::blocking, 3);
    EXPECT_LT(difference(blocking.solve(20), expected, 0), 1e-12) << name_of(method);
    KrylovWorld tested(method, 24, ReductionForm::nonblocking, 7);
    EXPECT_LT(difference(tested.solve(20), expected, 0), 1e-12) << name_of(method);
  }
}

TEST(KrylovMethods, ReachTheSolution) {
  const reference::BilinearProblem twin = reference::bilinear_problem(12);
  const std::vector<double> expected = reference::solution(twin);
  for (const KrylovMethod method : all_methods) {
    KrylovWorld here(method, 12);
    here.solve(30);
    EXPECT_LT(greatest_error(here.share, here.x), 1e-9) << name_of(method);
    const std::vector<double> found = whole(here.share, here.x);
    for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], expected[i], 1e-9);
  }
}

TEST(KrylovMethods, AWrongWeightChangesTheNorms) {
  const std::vector<double> expected = reference::natural_norms(reference::bilinear_problem(16), 20);
  for (const std::size_t entry : {std::size_t{1}, std::size_t{4}, std::size_t{8}}) {
    Stencil wrong = bilinear_stencil();
    wrong[entry] *= 1.001;
    KrylovWorld here(KrylovMethod::pipelined, 16, ReductionForm::nonblocking, 0, wrong);
    EXPECT_GT(difference(here.solve(20), expected, 1e-8), 1e-5) << entry;
  }
}

TEST(KrylovMethods, AResidualOfRoundingAloneIsRefusedAfterTheSolve) {
  for (const KrylovMethod method : all_methods) {
    KrylovWorld here(method, 6);
    const std::vector<double> norms = here.solve(60);
    EXPECT_EQ(norms.size(), 60U) << name_of(method);
    EXPECT_THROW(refuse_rounding(world(), norms), UsageError) << name_of(method);
    EXPECT_NO_THROW(refuse_rounding(world(), here.solve(3))) << name_of(method);
  }
}

TEST(KrylovMethods, OneRankThatSeesRoundingEndsAllOfThem) {
  const double nothing = std::numeric_limits<double>::quiet_NaN();
  for (const double last : {0.9e-14, 0.0, nothing, std::numeric_limits<double>::infinity()}) {
    const bool sees = world().rank() == world().size() - 1;
    const std::vector<double> norms = {1, 0.5, sees ? last : 1.1e-14, 1.1e-14};
    try {
      refuse_rounding(world(), norms);
      ADD_FAILURE() << last << " is not refused on rank " << world().rank();
    } catch (const UsageError& error) {
      EXPECT_NE(std::string(error.what()).find("after 2 iterations;"), std::string::npos) << error.what();
    }
    EXPECT_EQ(world().max(std::int64_t{1}), 1) << "all are here for the next call";
  }
}

TEST(KrylovMethods, HaveNames) {
  for (const KrylovMethod method : all_methods) EXPECT_EQ(parse_krylov_method(name_of(method)), method);
  EXPECT_THROW(parse_krylov_method("gmres"), UsageError);
}

}  // namespace
}  // namespace isobath::test
