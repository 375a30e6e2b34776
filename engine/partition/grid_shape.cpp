// SPDX-License-Identifier: Apache-2.0
#include "partition/grid_shape.hpp"

#include <charconv>

#include <fmt/format.h>

#include "base/error.hpp"

namespace isobath {

GridShape GridShape::squarest(int ranks) {
  int rows = 1;
  for (int divisor = 1; divisor * divisor <= ranks; ++divisor) {
    if (ranks % divisor == 0) rows = divisor;
  }
  return {rows, ranks / rows};
}

GridShape GridShape::parse(const std::string& text) {
  GridShape shape;
  const char* const end = text.data() + text.size();
  const auto rows = std::from_chars(text.data(), end, shape.rows);
  const bool has_cross = rows.ec == std::errc() && rows.ptr != end && *rows.ptr == 'x';
  const auto cols = has_cross ? std::from_chars(rows.ptr + 1, end, shape.cols) : rows;
  if (!has_cross || cols.ec != std::errc() || cols.ptr != end || shape.rows < 1 || shape.cols < 1) {
    throw UsageError(fmt::format("'{}' is no grid; write rows x columns, for example 2x3", text));
  }
  return shape;
}

std::string GridShape::text() const { return fmt::format("{}x{}", rows, cols); }

}  // namespace isobath
