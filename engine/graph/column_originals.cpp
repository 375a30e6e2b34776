// SPDX-License-Identifier: Apache-2.0
#include "graph/column_originals.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "graph/ask_owners.hpp"

namespace isobath {
namespace {

/// Of the own columns, up to a whole piece.
void write_own(const Graph& graph, std::span<std::uint32_t> piece) {
  const GridLayout& layout = graph.layout;
  const std::int64_t shift = layout.blocks.first(layout.rank) - layout.first_col_original();
  for (std::size_t i = 0; i < layout.own_searched(); ++i) {
    piece[i] = static_cast<std::uint32_t>(shift + static_cast<std::int64_t>(graph.numbering.original[i]));
  }
}

/// Everybody is told everything.
void tell_all(Graph& graph, const Grid& grid) {
  const GridLayout& layout = graph.layout;
  graph.column_original = LargeArray<std::uint32_t>(layout.num_cols() + piece_bits);
  const std::span<std::uint32_t> all = graph.column_original.span().first(layout.num_cols());
  std::vector<std::int64_t> counts;
  for (std::size_t piece = 0; piece + 1 < layout.col_offset.size(); ++piece) {
    counts.push_back(layout.col_offset[piece + 1] - layout.col_offset[piece]);
  }
  const auto own = all.subspan(layout.own_col(),
                               static_cast<std::size_t>(counts[static_cast<std::size_t>(layout.grid_row())]));
  write_own(graph, own);
  if (layout.shape.rows > 1) grid.col_comm.allgatherv<std::uint32_t>(own, counts, all);
}

/// The columns that exist here, where these are few; of a weighted graph those that are present.
const PlacedBits* few_columns(const Graph& graph) {
  if (graph.has_hypersparse_cols) return &graph.hypersparse_by_source.existing();
  return graph.weighted_cols.are_all() ? nullptr : &graph.weighted_cols.members();
}

/// Everybody asks for the columns that exist there; who has all of them for all.
void ask_for_existing(Graph& graph, const Grid& grid, const PlacedBits* existing) {
  const GridLayout& layout = graph.layout;
  const std::vector<std::size_t> first(layout.col_offset.begin(), layout.col_offset.end());
  LargeArray<std::uint32_t> own(layout.own_words() * word_bits);
  write_own(graph, own.span());
  if (existing != nullptr) {
    graph.column_original = LargeArray<std::uint32_t>(existing->count());
    ask_owners(grid.col_comm, *existing, first, own.span(), graph.column_original.span());
  } else {
    graph.column_original = LargeArray<std::uint32_t>(layout.num_cols() + piece_bits);
    ask_owners(grid.col_comm, PlacedBits(all_bits(layout.num_cols())), first, own.span(),
               graph.column_original.span().first(layout.num_cols()));
  }
}

}  // namespace

void build_column_originals(Graph& graph, const Grid& grid) {
  const bool may_ask = graph.options.hypersparse != Hypersparse::never && !graph.layout.rows_are_complete();
  const PlacedBits* const existing = few_columns(graph);
  if (may_ask && grid.col_comm.any(existing != nullptr)) {
    ask_for_existing(graph, grid, existing);
  } else {
    tell_all(graph, grid);
  }
}

}  // namespace isobath
