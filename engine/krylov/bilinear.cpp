// SPDX-License-Identifier: Apache-2.0
#include "krylov/bilinear.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "base/threads.hpp"
#include "comm/messages/message_tag.hpp"

namespace isobath {
namespace {

/// Rows first .. end - 1 in slices, with a test of the reduction under way between them.
template <class Body>
void in_slices(std::int64_t first, std::int64_t end, const Cover& cover, KrylovObserver& observer,
               KrylovPart part, const Body& body) {
  const int tests = cover.reduction == nullptr ? 0 : cover.tests;
  for (int slice = 0; slice <= tests; ++slice) {
    observer.begins(part);
    const auto [from, to] = static_share(end - first, slice, tests + 1);
    for_rows(first + from, first + to, body);
    if (slice < tests) cover.reduction->test();
  }
}

}  // namespace

Stencil bilinear_stencil() {
  constexpr double itself = 2.0 / 3;
  constexpr double next = -1.0 / 6;
  constexpr double opposite = -1.0 / 3;
  // A neighbour along a side shares two squares with the node, one across a corner a single one.
  return {opposite, 2 * next, opposite, 2 * next, 4 * itself, 2 * next, opposite, 2 * next, opposite};
}

BilinearOperator::BilinearOperator(const Communicator& comm, const MeshShare& share, KrylovObserver& observer,
                                   const Stencil& stencil)
    : share_(share),
      observer_(&observer),
      stencil_(stencil),
      above_(comm, MessageTag::mesh_row),
      below_(comm, MessageTag::mesh_row) {}

void BilinearOperator::apply(MeshVector& in, MeshVector& out, const Cover& cover) {
  start_halo(in);
  const std::int64_t last = share_.rows() - 1;
  const auto multiply = [&](std::int64_t row) { multiply_row(in, out, row); };
  in_slices(1, std::max<std::int64_t>(1, last), cover, *observer_, KrylovPart::product, multiply);
  wait_halo();
  observer_->begins(KrylovPart::product);
  multiply(0);
  if (last > 0) multiply(last);
}

void BilinearOperator::start_halo(MeshVector& in) {
  observer_->begins(KrylovPart::halo);
  const auto width = static_cast<std::size_t>(share_.width());
  const auto exchange = [&](PendingTransfer& transfer, int peer, std::int64_t own, std::int64_t theirs) {
    if (peer < 0) return;
    transfer.start(std::span<const double>(in.row(own), width), peer,
                   std::span<double>(in.row(theirs), width), peer);
  };
  exchange(above_, share_.rank_above(), 0, -1);
  exchange(below_, share_.rank_below(), share_.rows() - 1, share_.rows());
}

void BilinearOperator::wait_halo() {
  observer_->begins(KrylovPart::halo);
  above_.wait();
  below_.wait();
}

void BilinearOperator::multiply_row(const MeshVector& in, MeshVector& out, std::int64_t row) const {
  const std::int64_t last = share_.width() - 1;
  const double* const here = in.row(row);
  double* const result = out.row(row);
  if (share_.is_boundary_row(row)) {
    std::copy(here, here + share_.width(), result);
    return;
  }
  const double* const above = in.row(row - 1);
  const double* const below = in.row(row + 1);
  const Stencil& a = stencil_;
  result[0] = here[0];
#pragma omp simd
  for (std::int64_t j = 1; j < last; ++j) {
    result[j] = a[0] * above[j - 1] + a[1] * above[j] + a[2] * above[j + 1]  //
                + a[3] * here[j - 1] + a[4] * here[j] + a[5] * here[j + 1]   //
                + a[6] * below[j - 1] + a[7] * below[j] + a[8] * below[j + 1];
  }
  result[last] = here[last];
}

JacobiPreconditioner::JacobiPreconditioner(const BilinearOperator& matrix, KrylovObserver& observer)
    : share_(matrix.share()), observer_(&observer), inverse_(share_) {
  for_rows(0, share_.rows(), [&](std::int64_t row) {
    const double inside = share_.is_boundary_row(row) ? 1 : 1 / matrix.diagonal_inside();
    double* const values = inverse_.row(row);
    std::fill(values, values + share_.width(), inside);
    values[0] = values[share_.width() - 1] = 1;
  });
}

void JacobiPreconditioner::apply(const MeshVector& in, MeshVector& out, const Cover& cover) const {
  in_slices(0, share_.rows(), cover, *observer_, KrylovPart::preconditioner, [&](std::int64_t row) {
    const double* const values = in.row(row);
    const double* const inverse = inverse_.row(row);
    double* const result = out.row(row);
#pragma omp simd
    for (std::int64_t j = 0; j < share_.width(); ++j) result[j] = inverse[j] * values[j];
  });
}

void fill_boundary(const MeshShare& share, MeshVector& values) {
  for_rows(0, share.rows(), [&](std::int64_t row) {
    double* const own = values.row(row);
    const double inside = share.is_boundary_row(row) ? share.y_of(row) : 0;
    std::fill(own, own + share.width(), inside);
    own[0] = own[share.width() - 1] = share.y_of(row);
  });
}

double greatest_error(const MeshShare& share, const MeshVector& values) {
  double greatest = 0;
  for (std::int64_t row = 0; row < share.rows(); ++row) {
    for (std::int64_t j = 0; j < share.width(); ++j) {
      greatest = std::max(greatest, std::abs(values.row(row)[j] - share.y_of(row)));
    }
  }
  return greatest;
}

}  // namespace isobath
