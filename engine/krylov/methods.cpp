// SPDX-License-Identifier: Apache-2.0
#include "krylov/methods.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "krylov/mesh.hpp"
#include "krylov/parts.hpp"

namespace isobath {
namespace {

constexpr std::pair<KrylovMethod, std::string_view> method_names[] = {{KrylovMethod::cg, "cg"},
                                                                      {KrylovMethod::single, "single"},
                                                                      {KrylovMethod::gropp, "gropp"},
                                                                      {KrylovMethod::pipelined, "pipelined"}};

/// A residual that has shrunk by so much is made of rounding: iterations measure nothing any more.
constexpr double rounding = 1e-14;

/// Inner products and sums of the vectors of one share.
class VectorWork {
 public:
  using Pair = std::pair<const MeshVector*, const MeshVector*>;

  /// @param observer  outlives the object
  VectorWork(const MeshShare& share, KrylovObserver& observer) : share_(share), observer_(&observer) {}

  /// This rank's share of the inner product of each pair, in one pass over the vectors. Rows are summed up
  /// one after the other, so that the result does not depend on the threads.
  template <std::size_t count>
  std::array<double, count> dots(const std::array<Pair, count>& pairs) {
    observer_->begins(KrylovPart::dots);
    std::array<double, count> sums{};
    row_sums_.resize(static_cast<std::size_t>(share_.rows()) * count);
    for_rows(0, share_.rows(), [&](std::int64_t row) {
      for (std::size_t i = 0; i < count; ++i) {
        row_sums_[static_cast<std::size_t>(row) * count + i] =
            dot_of_rows(pairs[i].first->row(row), pairs[i].second->row(row));
      }
    });
    for (std::size_t at = 0; at < row_sums_.size(); ++at) sums[at % count] += row_sums_[at];
    return sums;
  }

  /// One pass over all vectors. @param change  is given the values at one node, in the order of the vectors,
  ///                                            by reference
  template <class Change, class... Vectors>
  void update(const Change& change, Vectors&... vectors) {
    observer_->begins(KrylovPart::updates);
    for_rows(0, share_.rows(), [&](std::int64_t row) { update_row(change, vectors.row(row)...); });
  }

 private:
  double dot_of_rows(const double* a, const double* b) const {
    double sum = 0;
#pragma omp simd reduction(+ : sum)
    for (std::int64_t j = 0; j < share_.width(); ++j) sum += a[j] * b[j];
    return sum;
  }

  template <class Change, class... Values>
  void update_row(const Change& change, Values*... values) const {
#pragma omp simd
    for (std::int64_t j = 0; j < share_.width(); ++j) change(values[j]...);
  }

  MeshShare share_;
  KrylovObserver* observer_;
  std::vector<double> row_sums_;
};

/// What all four begin with. Letters are the papers': A the matrix, M the preconditioner, r the residual,
/// u = M r, p the search direction, s = A p.
class MethodBase : public KrylovSolver {
 public:
  explicit MethodBase(const KrylovActors& actors)
      : KrylovSolver(actors),
        work_(actors.matrix.share(), actors.observer),
        r_(actors.matrix.share()),
        u_(actors.matrix.share()),
        p_(actors.matrix.share()),
        s_(actors.matrix.share()) {}

 protected:
  /// r = b - A x, u = M r
  void take_residual(const MeshVector& b, MeshVector& x) {
    x_ = &x;
    forget_norms();
    multiply(x, r_);
    work_.update([](double& r, const double& right) { r = right - r; }, r_, b);
    precondition(r_, u_);
  }
  void multiply(MeshVector& in, MeshVector& out, const Cover& cover = {}) {
    actors_.matrix.apply(in, out, cover);
  }
  void precondition(const MeshVector& in, MeshVector& out, const Cover& cover = {}) {
    actors_.preconditioner.apply(in, out, cover);
  }
  double local_dot(const MeshVector& a, const MeshVector& b) {
    return work_.dots<1>({VectorWork::Pair{&a, &b}})[0];
  }
  std::array<double, 2> local_dots(const MeshVector& a, const MeshVector& b, const MeshVector& c) {
    return work_.dots<2>({VectorWork::Pair{&a, &b}, VectorWork::Pair{&c, &b}});
  }
  /// (a, b), summed over all ranks at once.
  double dot(const MeshVector& a, const MeshVector& b) {
    double sum = local_dot(a, b);
    actors_.reduction.sum(std::span(&sum, 1));
    return sum;
  }
  void begin_dot(const MeshVector& a, const MeshVector& b) {
    const double sum = local_dot(a, b);
    actors_.reduction.begin(std::span(&sum, 1));
  }
  double end_dot() {
    double sum = 0;
    actors_.reduction.end(std::span(&sum, 1));
    return sum;
  }

  VectorWork work_;
  MeshVector r_, u_, p_, s_;
  MeshVector* x_ = nullptr;
};

class ConjugateGradients final : public MethodBase {
 public:
  using MethodBase::MethodBase;

  void begin(const MeshVector& b, MeshVector& x) override {
    take_residual(b, x);
    gamma_ = dot(r_, u_);
    beta_ = 0;
  }

  void iterate(int iterations) override {
    for (int i = 0; i < iterations; ++i) {
      keep_norm(gamma_);
      work_.update([beta = beta_](double& p, const double& u) { p = u + beta * p; }, p_, u_);
      multiply(p_, s_);
      const double alpha = gamma_ / dot(p_, s_);
      work_.update(
          [alpha](double& x, double& r, const double& p, const double& s) {
            x += alpha * p;
            r -= alpha * s;
          },
          *x_, r_, p_, s_);
      precondition(r_, u_);
      const double gamma = dot(r_, u_);
      beta_ = gamma / gamma_;
      gamma_ = gamma;
    }
  }

 private:
  double gamma_ = 0;
  double beta_ = 0;
};

/// One reduction: (p, A p) follows from (u, A u) by recurrence.
class SingleReduction final : public MethodBase {
 public:
  explicit SingleReduction(const KrylovActors& actors) : MethodBase(actors), w_(actors.matrix.share()) {}

  void begin(const MeshVector& b, MeshVector& x) override {
    take_residual(b, x);
    multiply(u_, w_);
    sums_ = reduced();
    gamma_ = 0;
    denominator_ = 0;
  }

  void iterate(int iterations) override {
    for (int i = 0; i < iterations; ++i) {
      const auto [gamma, delta] = sums_;
      keep_norm(gamma);
      const double beta = gamma_ == 0 ? 0 : gamma / gamma_;
      denominator_ = delta - beta * beta * denominator_;
      const double alpha = gamma / denominator_;
      gamma_ = gamma;
      work_.update(
          [alpha, beta](double& x, double& r, double& p, double& s, const double& u, const double& w) {
            p = u + beta * p;
            s = w + beta * s;
            x += alpha * p;
            r -= alpha * s;
          },
          *x_, r_, p_, s_, u_, w_);
      precondition(r_, u_);
      multiply(u_, w_);
      sums_ = reduced();
    }
  }

 private:
  /// (r, u) and (w, u)
  std::array<double, 2> reduced() {
    std::array<double, 2> sums = local_dots(r_, u_, w_);
    actors_.reduction.sum(sums);
    return sums;
  }

  MeshVector w_;
  std::array<double, 2> sums_{};
  double gamma_ = 0;
  double denominator_ = 0;  // (p, A p)
};

class GroppsMethod final : public MethodBase {
 public:
  explicit GroppsMethod(const KrylovActors& actors)
      : MethodBase(actors), q_(actors.matrix.share()), w_(actors.matrix.share()) {}

  void begin(const MeshVector& b, MeshVector& x) override {
    take_residual(b, x);
    work_.update([](double& p, const double& u) { p = u; }, p_, u_);
    multiply(p_, s_);
    gamma_ = dot(r_, u_);
  }

  void iterate(int iterations) override {
    for (int i = 0; i < iterations; ++i) {
      keep_norm(gamma_);
      begin_dot(p_, s_);
      precondition(s_, q_, covered());
      const double alpha = gamma_ / end_dot();
      work_.update(
          [alpha](double& x, double& r, double& u, const double& p, const double& s, const double& q) {
            x += alpha * p;
            r -= alpha * s;
            u -= alpha * q;
          },
          *x_, r_, u_, p_, s_, q_);
      begin_dot(r_, u_);
      multiply(u_, w_, covered());
      const double gamma = end_dot();
      const double beta = gamma / gamma_;
      gamma_ = gamma;
      work_.update(
          [beta](double& p, double& s, const double& u, const double& w) {
            p = u + beta * p;
            s = w + beta * s;
          },
          p_, s_, u_, w_);
    }
  }

 private:
  MeshVector q_, w_;
  double gamma_ = 0;
};

class PipelinedMethod final : public MethodBase {
 public:
  explicit PipelinedMethod(const KrylovActors& actors)
      : MethodBase(actors),
        w_(actors.matrix.share()),
        m_(actors.matrix.share()),
        n_(actors.matrix.share()),
        z_(actors.matrix.share()),
        q_(actors.matrix.share()) {}

  void begin(const MeshVector& b, MeshVector& x) override {
    take_residual(b, x);
    multiply(u_, w_);
    gamma_ = 0;
    alpha_ = 0;
  }

  void iterate(int iterations) override {
    for (int i = 0; i < iterations; ++i) {
      actors_.reduction.begin(local_dots(r_, u_, w_));
      precondition(w_, m_, covered());
      multiply(m_, n_, covered());
      std::array<double, 2> sums{};
      actors_.reduction.end(sums);
      const auto [gamma, delta] = sums;
      keep_norm(gamma);
      const double beta = gamma_ == 0 ? 0 : gamma / gamma_;
      const double alpha = gamma / (gamma_ == 0 ? delta : delta - beta * gamma / alpha_);
      gamma_ = gamma;
      alpha_ = alpha;
      work_.update(
          [alpha, beta](double& x, double& r, double& u, double& w, double& p, double& s, double& q,
                        double& z, const double& m, const double& n) {
            z = n + beta * z;
            q = m + beta * q;
            s = w + beta * s;
            p = u + beta * p;
            x += alpha * p;
            r -= alpha * s;
            u -= alpha * q;
            w -= alpha * z;
          },
          *x_, r_, u_, w_, p_, s_, q_, z_, m_, n_);
    }
  }

 private:
  MeshVector w_, m_, n_;
  MeshVector z_, q_;  // z = A q, q = M s
  double gamma_ = 0;
  double alpha_ = 0;
};

}  // namespace

std::string_view name_of(KrylovMethod method) {
  for (const auto& [value, name] : method_names) {
    if (value == method) return name;
  }
  return {};
}

KrylovMethod parse_krylov_method(std::string_view text) {
  for (const auto& [value, name] : method_names) {
    if (name == text) return value;
  }
  throw UsageError("method '" + std::string(text) + "' is unknown; choose cg, single, gropp or pipelined");
}

KrylovShape shape_of(KrylovMethod method) {
  if (method == KrylovMethod::cg) return {.values = 1, .starts_early = false, .vectors = 4};
  if (method == KrylovMethod::single) return {.values = 2, .starts_early = false, .vectors = 5};
  if (method == KrylovMethod::gropp) return {.values = 1, .starts_early = true, .vectors = 6};
  return {.values = 2, .starts_early = true, .vectors = 9};
}

KrylovSolver::~KrylovSolver() = default;

void refuse_rounding(const Communicator& comm, std::span<const double> norms) {
  const auto is_rounding = [&](double norm) {
    return !std::isfinite(norm) || !(norm > 0) || (norm < norms.front() * rounding);
  };
  // Sums may differ in a bit between ranks, and so may what each of them finds: the earliest counts.
  const auto found = std::ranges::find_if(norms, is_rounding);
  const std::int64_t first = comm.min(static_cast<std::int64_t>(found - norms.begin()));
  if (first == static_cast<std::int64_t>(norms.size())) return;
  throw UsageError("the residual came down to rounding after " + std::to_string(first) +
                   (first == 1 ? " iteration" : " iterations") + "; use fewer iterations or more elements");
}

std::unique_ptr<KrylovSolver> make_krylov_solver(KrylovMethod method, const KrylovActors& actors) {
  if (method == KrylovMethod::cg) return std::make_unique<ConjugateGradients>(actors);
  if (method == KrylovMethod::single) return std::make_unique<SingleReduction>(actors);
  if (method == KrylovMethod::gropp) return std::make_unique<GroppsMethod>(actors);
  return std::make_unique<PipelinedMethod>(actors);
}

}  // namespace isobath
