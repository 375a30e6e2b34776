// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace isobath {

/// Ranks in one, two or three dimensions. Dimension 0 varies fastest with the rank; in two dimensions it
/// counts the grid rows and dimension 1 the grid columns, as partition/grid_shape.hpp numbers them.
struct ProcessShape {
  std::vector<int> extents = {1};

  int size() const;
  std::string text() const;
  /// Reads "4", "2x3", "2x2x2". @throws UsageError
  static ProcessShape parse(const std::string& text);
};

/// Which of the communicators of a shape: all ranks, or those that differ in one dimension alone.
struct Along {
  static constexpr int world = -1;
  int dimension = world;

  /// world, a dimension's number, or of two dimensions row (ranks of one grid row) and col.
  /// @throws UsageError for what the shape does not have
  static Along parse(std::string_view text, const ProcessShape& shape);
};

/// Where a rank belongs: ranks of equal colour share a communicator, in the order of their keys. The
/// communicator of rank 0 has colour 0.
struct Place {
  int colour = 0;
  int key = 0;
};
Place place_of(int rank, const ProcessShape& shape, Along along);
/// Communicators along it, and the extents of each.
int communicators(const ProcessShape& shape, Along along);
std::vector<int> extents_of_one(const ProcessShape& shape, Along along);

}  // namespace isobath
