// SPDX-License-Identifier: Apache-2.0
#include "graph/codes.hpp"

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/narrow.hpp"

namespace isobath {
namespace {

constexpr std::int64_t max_span = std::int64_t{1} << 31;

/// The codes of several blocks, one after the other, each shifted to where its piece begins.
LargeArray<std::uint32_t> gather(const Communicator& comm, const Numbering& numbering,
                                 std::span<const std::int64_t> counts,
                                 std::span<const std::uint32_t> offset) {
  std::int64_t total = 0;
  for (const std::int64_t count : counts) total += count;
  LargeArray<std::uint32_t> codes(static_cast<std::size_t>(total));
  comm.allgatherv<std::uint32_t>(numbering.code.span(), counts, codes.span());
  std::size_t at = 0;
  for (std::size_t piece = 0; piece < counts.size(); ++piece) {
    for (const std::size_t end = at + static_cast<std::size_t>(counts[piece]); at < end; ++at) {
      if (codes[at] < Numbering::leaf) codes[at] += offset[piece];
    }
  }
  return codes;
}

}  // namespace

void check_id_widths(const BlockPartition& blocks, GridShape shape) {
  // The first grid row and column hold the larger blocks.
  std::int64_t col_span = 0;
  for (int row = 0; row < shape.rows; ++row) col_span += blocks.size(shape.rank_at(row, 0));
  std::int64_t row_span = 0;
  for (int col = 0; col < shape.cols; ++col) row_span += blocks.size(shape.rank_at(0, col));
  if (col_span > max_span || row_span > max_span) {
    throw RefusedError(
        fmt::format("on a {} grid one rank names more than 2^31 vertices; use more ranks and a squarer grid",
                    shape.text()));
  }
}

void check_keys(const HeavyFirst& order) {
  if (order.pieces() == 1 || order.max_key() <= Numbering::max_working) return;
  narrow<std::int32_t>(order.max_key(), "positions in a grid column");
}

GridCodes gather_codes(const GridLayout& layout, const Numbering& numbering, const Grid& grid) {
  GridCodes codes;
  if (layout.shape.size() == 1) {
    codes.col = codes.row = numbering.code.span();
    return codes;
  }
  std::vector<std::int64_t> counts;
  for (int piece = 0; piece < layout.shape.rows; ++piece)
    counts.push_back(layout.blocks.size(layout.block_of_col_piece(piece)));
  codes.col_stored = gather(grid.col_comm, numbering, counts, layout.col_offset);
  counts.clear();
  for (int piece = 0; piece < layout.shape.cols; ++piece)
    counts.push_back(layout.blocks.size(layout.block_of_row_piece(piece)));
  codes.row_stored = gather(grid.row_comm, numbering, counts, layout.row_offset);
  codes.col = codes.col_stored.span();
  codes.row = codes.row_stored.span();
  return codes;
}

ArcRouter::ArcRouter(GridShape shape, const BlockPartition& blocks)
    : shape_(shape),
      num_larger_(static_cast<std::uint64_t>(blocks.num_vertices() % blocks.num_blocks())),
      larger_end_(num_larger_ * static_cast<std::uint64_t>(blocks.max_size())),
      by_larger_(static_cast<std::uint64_t>(blocks.max_size())),
      by_base_(static_cast<std::uint64_t>(blocks.num_vertices() / blocks.num_blocks())) {
  std::vector<std::int64_t> row_position(static_cast<std::size_t>(shape.rows), 0);
  for (int block = 0; block < shape.size();
       ++block) {  // along grid columns: every grid row gets its blocks in order
    const int row = shape.row_of(block);
    const int col = shape.col_of(block);
    std::int64_t& position = row_position[static_cast<std::size_t>(row)];
    blocks_.push_back({row, col, blocks.first(block), blocks.first(shape.rank_at(0, col)), position});
    position += blocks.size(block);
  }
}

}  // namespace isobath
