// SPDX-License-Identifier: Apache-2.0
#include "graph/heavy_sources.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/expects.hpp"
#include "base/narrow.hpp"

namespace isobath {

HeavySources::HeavySources(std::span<const std::int64_t> originals, std::vector<std::uint32_t> counts,
                           std::span<const std::uint32_t> heavy)
    : counts_(std::move(counts)) {
  ISOBATH_EXPECTS(!counts_.empty() && originals.size() == counts_.size());
  const std::uint32_t most = *std::max_element(counts_.begin(), counts_.end());
  num_keys_ = narrow<std::uint32_t>(std::uint64_t{most} * counts_.size(), "heavy vertices of a grid column");
  if (num_keys_ == 0) return;
  const auto sources =
      static_cast<std::size_t>(std::accumulate(originals.begin(), originals.end(), std::int64_t{0}));
  is_heavy_ = LargeArray<Word>(words_for(sources));
  key_ = LargeArray<std::uint32_t>(1 + sources);
  key_[0] = num_keys_;
  std::size_t first = 0;  // source of the piece
  std::size_t at = 0;     // in `heavy`
  for (std::size_t piece = 0; piece < counts_.size(); ++piece) {
    for (std::size_t local = 0; local < counts_[piece]; ++local) {
      const std::size_t source = first + heavy[at++];
      set_bit(is_heavy_.span(), source);
      key_[1 + source] = static_cast<std::uint32_t>(local * counts_.size() + piece);  // as HeavyFirst::key
    }
    first += static_cast<std::size_t>(originals[piece]);
  }
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
