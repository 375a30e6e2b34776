// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

namespace isobath::reference {

/// Laplace's equation in the unit square with u = y on the boundary, by bilinear elements, as dense matrices:
/// slow twin of krylov/. Node (row, column) has index row (elements + 1) + column.
struct BilinearProblem {
  std::size_t nodes = 0;
  std::vector<double> matrix;  // row by row; rows of boundary nodes are those of the identity
  std::vector<double> right;
  std::vector<double> start;  // 0 inside, y on the boundary
};

/// Every element's integrals by Gauss's quadrature, summed up over elements.
BilinearProblem bilinear_problem(std::size_t elements);

/// A v.
std::vector<double> product(const BilinearProblem& problem, const std::vector<double>& values);

/// Gaussian elimination with pivots.
std::vector<double> solution(const BilinearProblem& problem);

/// sqrt(r' r / diagonal) before each of `iterations` iterations of conjugate gradients as Hestenes and
/// Stiefel wrote them, with the diagonal as preconditioner.
std::vector<double> natural_norms(const BilinearProblem& problem, int iterations);

}  // namespace isobath::reference
