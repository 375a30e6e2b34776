// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "graph/graph.hpp"

namespace isobath {

/// Calls visit(row, source) for rows that found a parent, in their order, with the parent as proposals name
/// it (Graph::source_at). Columns are in no order, so the original numbers of those ahead are prefetched.
/// @param parent_cols  parallel to rows; none is missing
template <class Visit>
void for_each_found(const Graph& graph, std::span<const std::uint32_t> rows,
                    std::span<const std::uint32_t> parent_cols, Visit&& visit) {
  graph.with_rows_by_source([&](const auto& by_source) {
    const auto entry = [&](std::size_t i) { return by_source.entry_of(parent_cols[i]); };
    constexpr std::size_t ahead = 16;
    const std::size_t count = rows.size();
    for (std::size_t i = 0; i < std::min(ahead, count); ++i) graph.column_original.prefetch(entry(i));
    for (std::size_t i = 0; i < count; ++i) {
      if (i + ahead < count) graph.column_original.prefetch(entry(i + ahead));
      visit(rows[i], graph.source_at(entry(i)));
    }
  });
}

}  // namespace isobath
