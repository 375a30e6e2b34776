// SPDX-License-Identifier: Apache-2.0
#include "graph/heavy_sources.hpp"

#include <numeric>
#include <utility>

#include "base/expects.hpp"
#include "base/narrow.hpp"

namespace isobath {

HeavySources::HeavySources(std::span<const std::int64_t> originals, std::vector<std::uint32_t> counts,
                           std::span<const std::uint32_t> heavy)
    : counts_(std::move(counts)) {
  ISOBATH_EXPECTS(!counts_.empty() && originals.size() == counts_.size());
  ISOBATH_EXPECTS(std::accumulate(counts_.begin(), counts_.end(), std::uint64_t{0}) == heavy.size());
  count_ = narrow<std::uint32_t>(heavy.size(), "heavy vertices of a grid column");
  if (count_ == 0) return;
  std::vector<std::size_t> first_source = {0};  // of every piece, and the end
  std::vector<std::size_t> first_heavy = {0};
  for (std::size_t piece = 0; piece < counts_.size(); ++piece) {
    first_source.push_back(first_source.back() + static_cast<std::size_t>(originals[piece]));
    first_heavy.push_back(first_heavy.back() + counts_[piece]);
  }
  is_heavy_ = LargeArray<Word>(words_for(first_source.back()));
  place_ = LargeArray<std::uint32_t>(1 + first_source.back());
  place_[0] = count_;
  std::uint32_t place = 0;
  for_each_heavy(counts_, [&](std::uint32_t piece, std::uint32_t local) {
    const std::size_t source = first_source[piece] + heavy[first_heavy[piece] + local];
    set_bit(is_heavy_.span(), source);
    place_[1 + source] = place++;
  });
}

HeavySources HeavySources::told(const Numbering& numbering, const BlockPartition& blocks, const Grid& grid) {
  ISOBATH_EXPECTS(grid.shape.cols == 1);
  std::vector<std::int64_t> originals;
  for (int piece = 0; piece < grid.shape.rows; ++piece) originals.push_back(blocks.size(piece));
  std::vector<std::uint32_t> counts = grid.col_comm.allgather(numbering.num_heavy());
  const std::span<const std::uint32_t> own = numbering.original.span().first(numbering.num_heavy());
  const std::vector<std::int64_t> lengths(counts.begin(), counts.end());
  std::vector<std::uint32_t> heavy(
      static_cast<std::size_t>(std::accumulate(lengths.begin(), lengths.end(), std::int64_t{0})));
  grid.col_comm.allgatherv<std::uint32_t>(own, lengths, heavy);
  return {originals, std::move(counts), heavy};
}

}  // namespace isobath
