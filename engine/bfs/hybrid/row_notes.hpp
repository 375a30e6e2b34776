// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/arena.hpp"
#include "base/bitmap.hpp"
#include "graph/graph.hpp"

namespace isobath {

/// Room for a bit and a parent of every row stored on a rank, on several grid columns. scan_columns
/// (top-down) and Ring (bottom-up) use it in turn, each for its level; nothing in it has a meaning between
/// levels. Of hypersparse rows those that exist have a parent, by their place; the ring notes nothing of
/// these.
struct RowNotes {
  explicit RowNotes(const Graph& graph)
      : bits(graph.layout.row_words()),
        parent_col(graph.has_hypersparse_rows ? graph.hypersparse_by_target.existing().count()
                                              : graph.layout.row_words() * word_bits) {
#pragma omp parallel for schedule(static)
    for (std::size_t i = 0; i < parent_col.size(); ++i) parent_col[i] = 0;  // first touch
  }

  LargeArray<Word> bits;  // scan_columns: proposed before this level; Ring: found by the first neighbour
  LargeArray<std::uint32_t> parent_col;  // of a row that was found and whose bit is clear
};

}  // namespace isobath
