// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/bitmap.hpp"
#include "base/narrow.hpp"
#include "partition/block_partition.hpp"
#include "partition/grid_shape.hpp"

namespace isobath {

/// Where the searched vertices of every block stand in the numberings of this rank (Yoo et al., SC 2005).
///
/// A *column* index names a source that this rank stores arcs of: the blocks of its grid column, one piece
/// after the other. A *row* index names a target: the blocks of its grid row. Pieces are padded to whole
/// cache lines of bitmap (piece_bits); one more piece of padding at the end of the columns holds a bit that
/// is never set, which rows with fewer neighbours than planes point to. On a 1 x 1 grid row, column and
/// working number are the same.
struct GridLayout {
  GridShape shape;
  int rank = 0;
  BlockPartition blocks{1, 1};
  std::vector<std::uint32_t> searched;          // searched vertices per block, all ranks
  std::vector<std::uint32_t> col_offset;        // first column index of piece k; shape.rows + 1 of them
  std::vector<std::uint32_t> row_offset;        // first row index of piece k; shape.cols + 1 of them
  std::vector<std::uint32_t> heavy_of_piece{};  // heavy vertices of piece k of the columns, where families
                                                // need them all in front of every row; else nothing

  int grid_row() const { return shape.row_of(rank); }
  int grid_col() const { return shape.col_of(rank); }
  int block_of_col_piece(int piece) const { return shape.rank_at(piece, grid_col()); }
  int block_of_row_piece(int piece) const { return shape.rank_at(grid_row(), piece); }
  std::uint32_t num_cols() const { return col_offset.back(); }
  std::uint32_t num_rows() const { return row_offset.back(); }
  std::uint32_t missing_col() const { return num_cols(); }  // its bit is never set
  std::size_t col_words() const { return (num_cols() + piece_bits) / word_bits; }
  std::size_t row_words() const { return num_rows() / word_bits; }
  std::uint32_t own_searched() const { return searched[static_cast<std::size_t>(rank)]; }
  std::uint32_t own_col() const { return col_offset[static_cast<std::size_t>(grid_row())]; }
  std::uint32_t own_row() const { return row_offset[static_cast<std::size_t>(grid_col())]; }
  std::size_t own_words() const { return padded_bits(own_searched()) / word_bits; }
  /// Words of a bitmap of the columns that each of their pieces has.
  std::vector<std::int64_t> words_of_col_pieces() const {
    std::vector<std::int64_t> words;
    for (std::size_t piece = 0; piece + 1 < col_offset.size(); ++piece) {
      words.push_back(std::int64_t{col_offset[piece + 1] - col_offset[piece]} /
                      static_cast<std::int64_t>(word_bits));
    }
    return words;
  }
  /// All arcs that end at own vertices are stored here: parents need not travel.
  bool rows_are_complete() const { return shape.cols == 1; }

  /// Searched vertices of the grid column, and of the grid row: columns and rows without padding.
  std::size_t searched_of_col() const {
    std::size_t sum = 0;
    for (int piece = 0; piece < shape.rows; ++piece) {
      sum += searched[static_cast<std::size_t>(block_of_col_piece(piece))];
    }
    return sum;
  }
  std::size_t searched_of_row() const {
    std::size_t sum = 0;
    for (int piece = 0; piece < shape.cols; ++piece) {
      sum += searched[static_cast<std::size_t>(block_of_row_piece(piece))];
    }
    return sum;
  }

  /// First original vertex of this rank's columns, and how many originals they span.
  std::int64_t first_col_original() const { return blocks.first(shape.rank_at(0, grid_col())); }
  std::int64_t col_span() const { return col_span_of(grid_col()); }
  std::int64_t col_span_of(int col) const {
    const int last = shape.rank_at(shape.rows - 1, col);
    return blocks.first(last) + blocks.size(last) - blocks.first(shape.rank_at(0, col));
  }

  /// How many originals its rows span: the blocks of the grid row, one after the other.
  std::int64_t row_span() const {
    std::int64_t span = 0;
    for (int piece = 0; piece < shape.cols; ++piece) span += blocks.size(block_of_row_piece(piece));
    return span;
  }

  static GridLayout make(GridShape shape, int rank, const BlockPartition& blocks,
                         std::vector<std::uint32_t> searched_per_block) {
    GridLayout layout{shape, rank, blocks, std::move(searched_per_block), {0}, {0}};
    std::uint64_t cols = 0;
    for (int piece = 0; piece < shape.rows; ++piece) {
      cols += padded_bits(layout.searched[static_cast<std::size_t>(layout.block_of_col_piece(piece))]);
      layout.col_offset.push_back(narrow<std::uint32_t>(cols, "a column of vertices"));
    }
    std::uint64_t rows = 0;
    for (int piece = 0; piece < shape.cols; ++piece) {
      rows += padded_bits(layout.searched[static_cast<std::size_t>(layout.block_of_row_piece(piece))]);
      layout.row_offset.push_back(narrow<std::uint32_t>(rows, "a row of vertices"));
    }
    return layout;
  }
};

}  // namespace isobath
