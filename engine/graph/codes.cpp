// SPDX-License-Identifier: Apache-2.0
#include "graph/codes.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "base/arena.hpp"
#include "base/narrow.hpp"
#include "graph/ask_owners.hpp"

namespace isobath {
namespace {

/// A grid row or column: who it is, where its blocks begin, and where their pieces do.
struct Line {
  const Communicator& comm;
  std::vector<std::size_t> first;  // position of the first original of each block, and the end
  std::span<const std::uint32_t> offset;
};

template <class BlockOfPiece>
Line line_of(const Communicator& comm, const GridLayout& layout, std::span<const std::uint32_t> offset,
             BlockOfPiece&& block_of_piece) {
  Line line{comm, {0}, offset};
  for (int piece = 0; piece < comm.size(); ++piece) {
    line.first.push_back(line.first.back() +
                         static_cast<std::size_t>(layout.blocks.size(block_of_piece(piece))));
  }
  return line;
}
Line column_of(const GridLayout& layout, const Grid& grid) {
  return line_of(grid.col_comm, layout, layout.col_offset,
                 [&](int piece) { return layout.block_of_col_piece(piece); });
}
Line row_of(const GridLayout& layout, const Grid& grid) {
  return line_of(grid.row_comm, layout, layout.row_offset,
                 [&](int piece) { return layout.block_of_row_piece(piece); });
}

/// Codes of one block come from its owner: they are shifted to where its piece begins.
void shift(std::span<std::uint32_t> codes, std::uint32_t offset) {
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < codes.size(); ++i) {
    if (codes[i] < Numbering::leaf) codes[i] += offset;
  }
}

/// Everybody is told everything.
OriginalCodes codes_of_all(const Line& line, const Numbering& numbering) {
  std::vector<std::int64_t> counts;
  for (std::size_t piece = 0; piece + 1 < line.first.size(); ++piece) {
    counts.push_back(static_cast<std::int64_t>(line.first[piece + 1] - line.first[piece]));
  }
  LargeArray<std::uint32_t> codes(line.first.back());
  line.comm.allgatherv<std::uint32_t>(numbering.code.span(), counts, codes.span());
  for (std::size_t piece = 0; piece < counts.size(); ++piece) {
    shift(codes.span().subspan(line.first[piece], line.first[piece + 1] - line.first[piece]),
          line.offset[piece]);
  }
  return OriginalCodes(std::move(codes));
}

/// Everybody asks for what occurs there. Who has codes of all among ranks that have not asks for all.
OriginalCodes codes_asked_for(const Line& line, const Numbering& numbering,
                              std::optional<SparseMembers> occurring) {
  if (!line.comm.any(occurring.has_value())) return codes_of_all(line, numbering);
  const auto codes_of = [&](const auto& asked) {
    LargeArray<std::uint32_t> codes(asked.count());
    ask_owners(line.comm, asked, line.first, numbering.code.span(), codes.span());
    for (std::size_t piece = 0; piece + 1 < line.first.size(); ++piece) {
      const std::size_t begin = asked_before(asked, line.first[piece]);
      const std::size_t end = asked_before(asked, line.first[piece + 1]);
      shift(codes.span().subspan(begin, end - begin), line.offset[piece]);
    }
    return codes;
  };
  if (!occurring) return OriginalCodes(codes_of(AllAsked(line.first.back())));
  LargeArray<std::uint32_t> codes = codes_of(*occurring);
  return {std::move(*occurring), std::move(codes)};
}

}  // namespace

void check_keys(const HeavyFirst& order) {
  if (order.pieces() == 1 || order.max_key() <= Numbering::max_working) return;
  narrow<std::int32_t>(order.max_key(), "positions in a grid column");
}

std::optional<SparseMembers> members_if_few(Hypersparse asked, LargeArray<Word> occurring, std::size_t all) {
  if (!are_few_codes(asked, count_bits(occurring.span()), all)) return std::nullopt;
  return SparseMembers(occurring.span());
}

std::optional<SparseMembers> members_if_few(Hypersparse asked, std::size_t all, std::size_t at_a_time,
                                            const MarkEnds& mark) {
  SparseMembers::Builder members(words_for(all));
  std::size_t first = 0;
  do {
    const EndRange range{.first = first, .end = std::min(first + at_a_time, all), .all = all};
    const LargeArray<Word> bits = mark(range, enough_codes(asked, all) - members.count());
    // Not few: so many among some of them say it, too.
    if (!are_few_codes(asked, members.count() + count_bits(bits.span()), all)) return std::nullopt;
    members.append(bits.span());
    first = range.end;
  } while (first < all);
  return members.take();
}

GridCodes gather_codes(const GridLayout& layout, const Numbering& numbering, const Grid& grid) {
  if (layout.shape.size() == 1) {
    return {OriginalCodes(numbering.code.span()), OriginalCodes(numbering.code.span())};
  }
  return {codes_of_all(column_of(layout, grid), numbering), codes_of_all(row_of(layout, grid), numbering)};
}

GridCodes gather_codes(const GridLayout& layout, const Numbering& numbering, const Grid& grid,
                       OccurringOriginals occurring) {
  OriginalCodes col = codes_asked_for(column_of(layout, grid), numbering, std::move(occurring.col));
  OriginalCodes row = codes_asked_for(row_of(layout, grid), numbering, std::move(occurring.row));
  return {std::move(col), std::move(row)};
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
