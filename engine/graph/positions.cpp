// SPDX-License-Identifier: Apache-2.0
#include "graph/positions.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/error.hpp"
#include "graph/numbering.hpp"

namespace isobath {
namespace {

constexpr int narrow_bits = 31;

/// Originals of the longest grid row or column: the first ones have the larger blocks.
std::int64_t longest_line(const BlockPartition& blocks, GridShape shape) {
  std::int64_t of_col = 0;
  for (int row = 0; row < shape.rows; ++row) of_col += blocks.size(shape.rank_at(row, 0));
  std::int64_t of_row = 0;
  for (int col = 0; col < shape.cols; ++col) of_row += blocks.size(shape.rank_at(0, col));
  return std::max(of_col, of_row);
}

}  // namespace

PositionForm::PositionForm(const BlockPartition& blocks, GridShape shape, int low_bits) {
  const std::int64_t longest = longest_line(blocks, shape);
  const auto suffice = [&](int bits) { return longest <= std::int64_t{1} << bits; };
  const bool may_be_wide = low_bits > 0 && shape.cols > 1;
  if (may_be_wide && !suffice(std::min(low_bits, narrow_bits))) {
    is_wide_ = true;
    split_ = PositionSplit(low_bits);
  }
  const int most_bits = is_wide_ ? low_bits + PositionSplit::high_bits : narrow_bits;
  if (!suffice(most_bits)) {
    throw RefusedError(
        fmt::format("on a {} grid one rank names more than 2^{} vertices; use more ranks and a squarer grid",
                    shape.text(), most_bits));
  }
  if (blocks.max_size() > Numbering::max_working) {  // in one long grid row
    throw RefusedError(fmt::format("on a {} grid one rank owns more than {} vertices; use more ranks",
                                   shape.text(), Numbering::max_working));
  }
}

void require_positions(const BlockPartition& blocks, GridShape shape, int low_bits) {
  [[maybe_unused]] const PositionForm fitting(blocks, shape, low_bits);
}

}  // namespace isobath
