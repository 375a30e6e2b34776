// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/arena.hpp"
#include "base/bitmap.hpp"
#include "base/threads.hpp"
#include "graph/graph.hpp"

namespace isobath {

/// Room for a bit and a parent of every row stored on a rank, on several grid columns. A level is top-down
/// (scan_columns) or bottom-up (Ring), and nothing here has a meaning between levels: so both use the same
/// bits, under a name each. Of hypersparse rows neither notes anything: both list those that are found.
class RowNotes {
 public:
  explicit RowNotes(const Graph& graph)
      : bits_(graph.has_hypersparse_rows ? 0 : graph.layout.row_words()),
        parent_col_(bits_.size() * word_bits) {
    fill_by_team(parent_col_.span(), 0U);
  }

  /// Top-down: rows that were proposed before the level.
  std::span<Word> proposed_before() { return bits_.span(); }
  /// Bottom-up: rows found in the level whose parent is their first neighbour on this rank.
  std::span<Word> by_first_neighbour() { return bits_.span(); }
  /// Column of the parent of a row found in the level; bottom-up only where by_first_neighbour() has no bit.
  std::uint32_t* parent_col() { return parent_col_.data(); }

 private:
  LargeArray<Word> bits_;
  LargeArray<std::uint32_t> parent_col_;
};

}  // namespace isobath
