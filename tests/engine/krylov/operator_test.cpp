// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "krylov/bilinear.hpp"
#include "krylov_world.hpp"
#include "reference/bilinear.hpp"

namespace isobath::test {
namespace {

constexpr std::int64_t elements = 9;

/// Some values that no symmetry hides behind.
double value_at(std::int64_t row, std::int64_t column) {
  return std::sin(1.0 + 3.7 * static_cast<double>(row) + 0.9 * static_cast<double>(column * column));
}

std::vector<double> all_values() {
  std::vector<double> values;
  for (std::int64_t row = 0; row <= elements; ++row) {
    for (std::int64_t column = 0; column <= elements; ++column) values.push_back(value_at(row, column));
  }
  return values;
}

/// Largest difference between A v and the assembled matrix's.
double difference_from_twin(const Stencil& stencil) {
  KrylovWorld here(KrylovMethod::cg, elements, ReductionForm::nonblocking, 0, stencil);
  for (std::int64_t row = 0; row < here.share.rows(); ++row) {
    for (std::int64_t j = 0; j <= elements; ++j) here.x.row(row)[j] = value_at(here.share.global_row(row), j);
  }
  MeshVector result(here.share);
  here.matrix.apply(here.x, result);
  const std::vector<double> found = whole(here.share, result);
  const std::vector<double> expected =
      reference::product(reference::bilinear_problem(std::size_t{elements}), all_values());
  EXPECT_EQ(found.size(), expected.size());
  double difference = 0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    difference = std::max(difference, std::abs(found[i] - expected[i]));
  }
  return difference;
}

TEST(BilinearOperator, EqualsTheAssembledMatrix) {
  EXPECT_LT(difference_from_twin(bilinear_stencil()), 1e-13);
}

TEST(BilinearOperator, AnyWrongWeightIsNoticed) {
  for (std::size_t entry = 0; entry < 9; ++entry) {
    Stencil wrong = bilinear_stencil();
    wrong[entry] *= 1.001;
    EXPECT_GT(difference_from_twin(wrong), 1e-5) << entry;
  }
}

TEST(JacobiPreconditioner, DividesByTheDiagonal) {
  KrylovWorld here(KrylovMethod::cg, elements);
  for (std::int64_t row = 0; row < here.share.rows(); ++row) {
    for (std::int64_t j = 0; j <= elements; ++j) here.x.row(row)[j] = 8.0 / 3;
  }
  MeshVector result(here.share);
  here.jacobi.apply(here.x, result);
  const reference::BilinearProblem twin = reference::bilinear_problem(std::size_t{elements});
  const std::vector<double> found = whole(here.share, result);
  for (std::size_t i = 0; i < found.size(); ++i) {
    EXPECT_NEAR(found[i], 8.0 / 3 / twin.matrix[i * twin.nodes + i], 1e-14) << i;
  }
}

TEST(FillBoundary, IsTheHeightOnTheBoundaryAndNothingInside) {
  KrylovWorld here(KrylovMethod::cg, elements);
  fill_boundary(here.share, here.x);
  const std::vector<double> found = whole(here.share, here.x);
  std::size_t at = 0;
  for (std::int64_t row = 0; row <= elements; ++row) {
    for (std::int64_t column = 0; column <= elements; ++column, ++at) {
      const bool is_inside = row > 0 && row < elements && column > 0 && column < elements;
      EXPECT_DOUBLE_EQ(found[at], is_inside ? 0.0 : static_cast<double>(row) / static_cast<double>(elements))
          << at;
    }
  }
}

TEST(GreatestError, IsThatOfTheWorstNode) {
  KrylovWorld here(KrylovMethod::cg, elements);
  for (std::int64_t row = 0; row < here.share.rows(); ++row) {
    const auto height = static_cast<double>(here.share.global_row(row)) / static_cast<double>(elements);
    for (std::int64_t j = 0; j <= elements; ++j) here.x.row(row)[j] = height;
  }
  EXPECT_LT(greatest_error(here.share, here.x), 1e-15) << "the solution";
  here.x.row(0)[elements] -= 0.25;
  here.x.row(0)[3] += 0.125;
  EXPECT_NEAR(greatest_error(here.share, here.x), 0.25, 1e-15);
}

TEST(MeshShare, RowsAreSharedOutEvenly) {
  std::int64_t next = 0;
  for (int rank = 0; rank < 4; ++rank) {
    const MeshShare share(12, rank, 4);
    EXPECT_EQ(share.first_row(), next);
    EXPECT_EQ(share.rows(), rank == 0 ? 4 : 3);
    next += share.rows();
  }
  EXPECT_EQ(next, 13);
  EXPECT_THROW(MeshShare(4, 0, 6), UsageError);
}

}  // namespace
}  // namespace isobath::test
