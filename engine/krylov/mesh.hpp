// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/arena.hpp"

namespace isobath {

/// The part of one rank of the nodes of a square mesh: elements + 1 rows of elements + 1 nodes, whole rows,
/// one after the other, as evenly as they go.
class MeshShare {
 public:
  /// @throws UsageError where a rank would have no row; needs elements >= 2
  MeshShare(std::int64_t elements, int rank, int ranks);

  std::int64_t elements() const { return elements_; }
  /// Nodes of a row.
  std::int64_t width() const { return elements_ + 1; }
  std::int64_t first_row() const { return first_row_; }
  /// Of this rank, at least one.
  std::int64_t rows() const { return rows_; }
  /// Of the rows above and below; -1: this is the first, the last.
  int rank_above() const { return rank_ - 1; }
  int rank_below() const { return rank_ + 1 < ranks_ ? rank_ + 1 : -1; }

  /// The row of the mesh that `row` of this rank is.
  std::int64_t global_row(std::int64_t row) const { return first_row_ + row; }
  bool is_boundary_row(std::int64_t row) const {
    return global_row(row) == 0 || global_row(row) == elements_;
  }
  /// Its coordinate in the unit square.
  double y_of(std::int64_t row) const {
    return static_cast<double>(global_row(row)) / static_cast<double>(elements_);
  }

 private:
  std::int64_t elements_;
  int rank_;
  int ranks_;
  std::int64_t first_row_;
  std::int64_t rows_;
};

/// A value at each node of a share and room for the neighbours' rows beside it. Begins at zero.
class MeshVector {
 public:
  explicit MeshVector(const MeshShare& share)
      : width_(share.width()), values_(static_cast<std::size_t>((share.rows() + 2) * share.width())) {}

  /// Row -1 is the last of the rank above, row rows() the first of the rank below.
  double* row(std::int64_t row) { return values_.data() + (row + 1) * width_; }
  const double* row(std::int64_t row) const { return values_.data() + (row + 1) * width_; }

 private:
  std::int64_t width_;
  LargeArray<double> values_;
};

/// Rows first .. end - 1, shared out over the threads of this rank.
template <class Body>
void for_rows(std::int64_t first, std::int64_t end, const Body& body) {
#pragma omp parallel for schedule(static)
  for (std::int64_t row = first; row < end; ++row) body(row);
}

}  // namespace isobath
