// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "krylov/bilinear.hpp"
#include "krylov/scalar_reduction.hpp"

namespace isobath {

/// Conjugate gradients, written four ways: the same iterates but for rounding.
enum class KrylovMethod {
  cg,         // Hestenes, Stiefel 1952: two blocking reductions an iteration
  single,     // Chronopoulos, Gear 1989; D'Azevedo, Romine 1992: one blocking reduction of two values
  gropp,      // Gropp 2010: two non-blocking ones, covered by the preconditioner and by the product
  pipelined,  // Ghysels, Vanroose 2014: one non-blocking one of two values, covered by both
};
std::string_view name_of(KrylovMethod method);
/// @throws UsageError
KrylovMethod parse_krylov_method(std::string_view name);

/// Values of each reduction, and what of the method can be covered.
struct KrylovShape {
  int values = 1;
  bool starts_early = false;  // reductions are started before the work that covers them
  int vectors = 0;            // of a mesh's length that the method works on, x and b not counted
};
KrylovShape shape_of(KrylovMethod method);

/// Who takes part. All outlive the solver.
struct KrylovActors {
  BilinearOperator& matrix;
  const JacobiPreconditioner& preconditioner;
  ScalarReduction& reduction;
  KrylovObserver& observer;
  int tests = 0;  // of a reduction under way in each operation that covers it
};

/// One method with its vectors.
class KrylovSolver {
 public:
  explicit KrylovSolver(const KrylovActors& actors) : actors_(actors) {}
  KrylovSolver(const KrylovSolver&) = delete;
  KrylovSolver& operator=(const KrylovSolver&) = delete;
  virtual ~KrylovSolver();

  /// Collective. Everything before the first iteration. x holds the first guess; both stay where they are.
  virtual void begin(const MeshVector& b, MeshVector& x) = 0;
  /// Collective. So many iterations, on all ranks, also where the residual comes down to rounding: then
  /// norms are rubbish or no numbers at all, see refuse_rounding().
  virtual void iterate(int iterations) = 0;

  /// The natural norm of the residual before each iteration, sqrt(r' M^-1 r).
  const std::vector<double>& norms() const { return norms_; }

 protected:
  Cover covered() const { return {.reduction = &actors_.reduction, .tests = actors_.tests}; }
  void forget_norms() { norms_.clear(); }
  void keep_norm(double square) { norms_.push_back(std::sqrt(square)); }

  KrylovActors actors_;

 private:
  std::vector<double> norms_;
};

/// Collective; ranks may differ in their norms, yet all come to the same end. As many norms on all ranks.
/// @throws UsageError on all ranks where a residual of any is made of rounding: iterations measure nothing
void refuse_rounding(const Communicator& comm, std::span<const double> norms);

std::unique_ptr<KrylovSolver> make_krylov_solver(KrylovMethod method, const KrylovActors& actors);

}  // namespace isobath
