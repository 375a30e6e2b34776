// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "base/arena.hpp"
#include "graph/rows.hpp"

namespace isobath {

/// Arcs of every row that stand in streams of their own.
inline constexpr std::size_t num_light = 4;

/// The lightest arcs of every row, transposed, so that a sweep asks 16 rows at a time without touching the
/// rows themselves. Where a row has fewer arcs, the weight is infinite.
struct PullStreams {
  std::array<LargeArray<float>, num_light> weight;
  std::array<LargeArray<std::uint32_t>, num_light> source;
  LargeArray<float> next_weight;  // of the first arc that is in no stream
};

/// @param padded  entries of every stream: the rows, and room for whole vectors
PullStreams make_pull_streams(const WeightSortedRows& rows, std::size_t padded);

}  // namespace isobath
