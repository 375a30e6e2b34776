// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "krylov/methods.hpp"
#include "mpi_main.hpp"

namespace isobath::test {

/// All nodes' values on every rank.
inline std::vector<double> whole(const MeshShare& share, const MeshVector& values) {
  const std::span<const double> own(values.row(0), static_cast<std::size_t>(share.rows() * share.width()));
  return world().allgatherv<double>(own);
}

/// What a method needs, on all ranks of the test.
struct KrylovWorld {
  explicit KrylovWorld(KrylovMethod method, std::int64_t elements,
                       ReductionForm form = ReductionForm::nonblocking, int tests = 0,
                       const Stencil& stencil = bilinear_stencil())
      : share(elements, world().rank(), world().size()),
        matrix(world(), share, observer, stencil),
        jacobi(matrix, observer),
        pending(Collective::allreduce, world(), shape_of(method).values),
        operation(pending),
        reduction(pending, operation, form, observer),
        solver(make_krylov_solver(method, {.matrix = matrix,
                                           .preconditioner = jacobi,
                                           .reduction = reduction,
                                           .observer = observer,
                                           .tests = tests})),
        right(share),
        x(share) {
    fill_boundary(share, right);
  }

  /// From the first guess on.
  const std::vector<double>& solve(int iterations) {
    fill_boundary(share, x);
    solver->begin(right, x);
    solver->iterate(iterations);
    return solver->norms();
  }

  SilentKrylovObserver observer;
  MeshShare share;
  BilinearOperator matrix;
  JacobiPreconditioner jacobi;
  PendingCollective pending;
  LibraryOperation operation;
  ScalarReduction reduction;
  std::unique_ptr<KrylovSolver> solver;
  MeshVector right;
  MeshVector x;
};

}  // namespace isobath::test
