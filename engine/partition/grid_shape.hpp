// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace isobath {

/// Arrangement of ranks in rows x cols (any rectangle), and who sits where (Yoo et al., SC 2005).
///
/// Block b of the vertices belongs to the rank in grid row b mod rows, grid column b div rows. As a source, a
/// vertex of block b is stored in grid column b div rows; as a target, in grid row b mod rows. Ranks are
/// numbered along grid columns, so that block b belongs to rank b: owner and block are the same number.
struct GridShape {
  int rows = 1;
  int cols = 1;

  constexpr int size() const { return rows * cols; }
  constexpr int rank_at(int row, int col) const { return col * rows + row; }
  constexpr int row_of(int rank) const { return rank % rows; }
  constexpr int col_of(int rank) const { return rank / rows; }

  friend constexpr bool operator==(const GridShape&, const GridShape&) = default;

  /// The rectangle closest to a square with rows <= cols, e.g. 6 -> 2x3.
  static GridShape squarest(int ranks);
  /// Reads "2x3". @throws UsageError
  static GridShape parse(const std::string& text);
  std::string text() const;
};

}  // namespace isobath
