// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "comm/messages/pending.hpp"
#include "krylov/mesh.hpp"
#include "krylov/parts.hpp"
#include "krylov/scalar_reduction.hpp"

namespace isobath {

/// Weights of a node and its eight neighbours, row by row from above.
using Stencil = std::array<double, 9>;

/// -Laplace by bilinear elements: four squares meet at a node, and the integral of the products of gradients
/// over one of them is 2/3 for a corner with itself, -1/6 with the next and -1/3 with the opposite one,
/// whatever its size.
Stencil bilinear_stencil();

/// The matrix of the boundary value problem, never stored: the stencil at nodes inside, one at the boundary's
/// nodes. For vectors that vanish on the boundary it is symmetric and positive definite.
class BilinearOperator {
 public:
  /// @param comm  whose ranks share the mesh; it and the observer outlive the object
  BilinearOperator(const Communicator& comm, const MeshShare& share, KrylovObserver& observer,
                   const Stencil& stencil = bilinear_stencil());

  /// Collective. out = A in. The neighbours' rows travel while rows that need none of them are multiplied,
  /// and the tests are made between those. `in` is changed in its neighbours' rows alone.
  void apply(MeshVector& in, MeshVector& out, const Cover& cover = {});

  double diagonal_inside() const { return stencil_[4]; }
  const MeshShare& share() const { return share_; }

 private:
  void start_halo(MeshVector& in);
  void wait_halo();
  void multiply_row(const MeshVector& in, MeshVector& out, std::int64_t row) const;

  MeshShare share_;
  KrylovObserver* observer_;
  Stencil stencil_;
  PendingTransfer above_;
  PendingTransfer below_;
};

/// Division by the diagonal, which is kept as a vector of inverses.
class JacobiPreconditioner {
 public:
  JacobiPreconditioner(const BilinearOperator& matrix, KrylovObserver& observer);
  /// out = in / diagonal, with the tests in between.
  void apply(const MeshVector& in, MeshVector& out, const Cover& cover = {}) const;

 private:
  MeshShare share_;
  KrylovObserver* observer_;
  MeshVector inverse_;
};

/// Laplace's equation in the unit square with u = y on its boundary: the solution is u = y, which bilinear
/// elements hold exactly. The right-hand side is y on the boundary and 0 inside, and so is the first guess,
/// so that the residual vanishes on the boundary from the first iteration on.
void fill_boundary(const MeshShare& share, MeshVector& values);

/// This rank's largest distance from the solution.
double greatest_error(const MeshShare& share, const MeshVector& values);

}  // namespace isobath
