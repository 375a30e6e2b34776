// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstring>
#include <vector>

#include "bfs/grid_search.hpp"

namespace isobath {

/// Bits of a source in a packed proposal: enough for the originals of the sender's grid column.
inline int source_bits_of(const GridLayout& layout, int grid_col) {
  return static_cast<int>(std::bit_width(static_cast<std::uint64_t>(layout.col_span_of(grid_col) - 1)));
}

template <class Adopt>
void GridSearch::fold(SearchObserver& observer, Adopt&& adopt_one) {
  const GridLayout& layout = built_.graph.layout;
  const auto first_of = [&](int col) { return layout.blocks.first(layout.shape.rank_at(0, col)); };
  std::vector<Proposal>& own = outgoing_[static_cast<std::size_t>(layout.grid_col())];
  for (const Proposal& proposal : own) adopt_one(proposal, first_of(layout.grid_col()));
  own.clear();  // what does not travel is not packed either
  pack_outgoing();
  std::vector<std::span<const std::byte>> parcels;
  for (std::size_t col = 0; col < outgoing_.size(); ++col) {
    if (switches_.fold == FoldForm::packed) {
      parcels.emplace_back(packed_[col]);
    } else {
      parcels.push_back(std::as_bytes(std::span<const Proposal>(outgoing_[col])));
    }
  }
  const auto arrived = [&](int col, std::span<const std::byte> bytes) {
    const std::int64_t base = first_of(col);
    arrived_.clear();
    if (switches_.fold == FoldForm::packed) {
      unpack_proposals(bytes, source_bits_of(layout, col), arrived_);
    } else {
      arrived_.resize(bytes.size() / sizeof(Proposal));
      std::memcpy(arrived_.data(), bytes.data(), bytes.size());
    }
    for (const Proposal& proposal : arrived_) adopt_one(proposal, base);
  };
  exchange_->run(parcels, arrived, observer);
}

}  // namespace isobath
