// SPDX-License-Identifier: Apache-2.0
#include "graph/column_originals.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "comm/grid.hpp"
#include "graph/ask_owners.hpp"
#include "graph/graph.hpp"

namespace isobath {
namespace {

/// The columns that have an entry here, where these are few; of a weighted graph those that are present.
const PlacedBits* few_columns(const Graph& graph) {
  if (graph.has_hypersparse_cols) return &graph.hypersparse_by_source.existing();
  return graph.weighted_cols.are_all() ? nullptr : &graph.weighted_cols.members();
}

/// Originals as their owners count them, from the first of their block: they have 32 bits on any grid.
class OwnersOriginals {
 public:
  OwnersOriginals(const Graph& graph, const Grid& grid) : graph_(graph), grid_(grid) {}

  /// Everybody tells everything.
  LargeArray<std::uint32_t> of_all() const {
    const GridLayout& layout = graph_.layout;
    LargeArray<std::uint32_t> all(layout.num_cols() + piece_bits);
    std::vector<std::int64_t> counts;
    for (std::size_t piece = 0; piece + 1 < layout.col_offset.size(); ++piece) {
      counts.push_back(layout.col_offset[piece + 1] - layout.col_offset[piece]);
    }
    const std::span<std::uint32_t> cols = all.span().first(layout.num_cols());
    const auto own = cols.subspan(
        layout.own_col(), static_cast<std::size_t>(counts[static_cast<std::size_t>(layout.grid_row())]));
    write_own(own);
    if (layout.shape.rows > 1) grid_.col_comm.allgatherv<std::uint32_t>(own, counts, cols);
    return all;
  }
  /// Everybody asks for those that have an entry; who has all of them for all.
  LargeArray<std::uint32_t> asked_for(const PlacedBits* few) const {
    const GridLayout& layout = graph_.layout;
    const std::vector<std::size_t> first(layout.col_offset.begin(), layout.col_offset.end());
    LargeArray<std::uint32_t> own(layout.own_words() * word_bits);
    write_own(own.span());
    if (few != nullptr) {
      LargeArray<std::uint32_t> told(few->count());
      ask_owners(grid_.col_comm, *few, first, own.span(), told.span());
      return told;
    }
    LargeArray<std::uint32_t> told(layout.num_cols() + piece_bits);
    ask_owners(grid_.col_comm, AllAsked(layout.num_cols()), first, own.span(),
               told.span().first(layout.num_cols()));
    return told;
  }

 private:
  /// @param piece  the own columns, up to a whole piece
  void write_own(std::span<std::uint32_t> piece) const {
    const auto own = graph_.numbering.original.span().first(graph_.layout.own_searched());
    std::ranges::copy(own, piece.begin());
  }

  const Graph& graph_;
  const Grid& grid_;
};

/// Of what owners told: calls visit(first, end, shift) for the entries of every piece of the columns, whose
/// block begins `shift` behind the first original of the grid column.
template <class Visit>
void for_each_piece(const Graph& graph, const PlacedBits* few, Visit&& visit) {
  const GridLayout& layout = graph.layout;
  const auto entry_of = [&](std::size_t col) { return few == nullptr ? col : asked_before(*few, col); };
  for (int piece = 0; piece < layout.shape.rows; ++piece) {
    const auto at = static_cast<std::size_t>(piece);
    const std::int64_t shift =
        layout.blocks.first(layout.block_of_col_piece(piece)) - layout.first_col_original();
    visit(entry_of(layout.col_offset[at]), entry_of(layout.col_offset[at + 1]),
          static_cast<std::uint64_t>(shift));
  }
}

/// Counted from the first of the grid column.
ColumnOriginals of_grid_column(const Graph& graph, const PlacedBits* few, LargeArray<std::uint32_t> told) {
  if (!graph.positions.is_wide()) {
    for_each_piece(graph, few, [&](std::size_t first, std::size_t end, std::uint64_t shift) {
      if (shift == 0) return;  // the first piece, which on one grid row is all
#pragma omp parallel for schedule(static)
      for (std::size_t i = first; i < end; ++i) told[i] += static_cast<std::uint32_t>(shift);
    });
    return ColumnOriginals(std::move(told));
  }
  const PositionSplit split = graph.positions.split();
  LargeArray<std::uint8_t> high(told.size());
  for_each_piece(graph, few, [&](std::size_t first, std::size_t end, std::uint64_t shift) {
#pragma omp parallel for schedule(static)
    for (std::size_t i = first; i < end; ++i) {
      const std::uint64_t position = shift + told[i];
      told[i] = split.low(position);
      high[i] = split.high(position);
    }
  });
  return {std::move(told), std::move(high), split};
}

}  // namespace

void build_column_originals(Graph& graph, const Grid& grid) {
  const bool may_ask = graph.options.hypersparse != Hypersparse::never && !graph.layout.rows_are_complete();
  const PlacedBits* const few = few_columns(graph);
  const OwnersOriginals of_owners(graph, grid);
  const bool ask = may_ask && grid.col_comm.any(few != nullptr);
  graph.column_original = of_grid_column(graph, few, ask ? of_owners.asked_for(few) : of_owners.of_all());
}

}  // namespace isobath
