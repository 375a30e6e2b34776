// SPDX-License-Identifier: Apache-2.0
#include "bfs/hybrid/fold.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace isobath {
namespace {

/// Bits of a source in a packed proposal: enough for the originals of the sender's grid column, whose blocks
/// follow each other. A column without vertices proposes nothing.
int source_bits_of(const GridLayout& layout, int grid_col) {
  const std::int64_t last = std::max<std::int64_t>(layout.col_span_of(grid_col) - 1, 0);
  return static_cast<int>(std::bit_width(static_cast<std::uint64_t>(last)));
}

}  // namespace

Fold::Fold(const Graph& graph, const Communicator& row_comm, const Switches& switches,
           std::span<const int> node_of_rank, Parents& parents)
    : layout_(graph.layout),
      first_original_(graph.layout.first_col_original()),
      form_(switches.fold),
      exchange_(make_exchange(switches.exchange.value_or(ExchangeKind::eager), row_comm, node_of_rank)),
      parents_(parents),
      proposed_(graph.layout.row_words()),
      outgoing_(static_cast<std::size_t>(graph.layout.shape.cols)),
      packed_(outgoing_.size()) {}

std::vector<std::span<const std::byte>> Fold::parcels() {
  const int source_bits = source_bits_of(layout_, layout_.grid_col());
  std::vector<std::span<const std::byte>> parcels;
  for (std::size_t col = 0; col < outgoing_.size(); ++col) {
    if (form_ == FoldForm::packed) {
      packed_[col].clear();
      pack_proposals(outgoing_[col], source_bits, packed_[col]);
      parcels.emplace_back(packed_[col]);
    } else {
      parcels.push_back(std::as_bytes(std::span(outgoing_[col])));
    }
  }
  return parcels;
}

std::span<const Proposal> Fold::unpacked(int grid_col, std::span<const std::byte> bytes) {
  arrived_.clear();
  if (form_ == FoldForm::packed) {
    unpack_proposals(bytes, source_bits_of(layout_, grid_col), arrived_);
  } else {
    arrived_.resize(bytes.size() / sizeof(Proposal));
    std::memcpy(arrived_.data(), bytes.data(), bytes.size());
  }
  return arrived_;
}

}  // namespace isobath
