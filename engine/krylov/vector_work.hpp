// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <utility>
#include <vector>

#include "krylov/mesh.hpp"
#include "krylov/parts.hpp"

namespace isobath {

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

}  // namespace isobath
