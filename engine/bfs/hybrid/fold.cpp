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

template <class AnyProposal>
void copy_plain(std::span<const std::byte> bytes, std::vector<AnyProposal>& proposals) {
  proposals.resize(bytes.size() / sizeof(AnyProposal));
  std::memcpy(proposals.data(), bytes.data(), bytes.size());
}

}  // namespace

Fold::Fold(const Graph& graph, const Communicator& row_comm, const Switches& switches,
           std::span<const int> node_of_rank, Parents& parents)
    : graph_(graph),
      layout_(graph.layout),
      first_original_(graph.layout.first_col_original()),
      form_(switches.fold),
      exchange_(make_exchange(switches.exchange.value_or(ExchangeKind::eager), row_comm, node_of_rank)),
      parents_(parents),
      proposed_(graph.layout.row_words()),
      outgoing_(static_cast<std::size_t>(graph.layout.shape.cols)),
      packed_(outgoing_.size()) {}

std::vector<std::span<const std::byte>> Fold::parcels() {
  const int source_bits = source_bits_of(layout_, layout_.grid_col());
  const bool are_wide = graph_.column_original.are_wide();
  std::vector<std::span<const std::byte>> parcels;
  for (std::size_t col = 0; col < outgoing_.size(); ++col) {
    std::vector<Proposal>& proposals = outgoing_[col];
    std::vector<std::byte>& packed = packed_[col];
    if (form_ == FoldForm::plain && !are_wide) {
      parcels.push_back(std::as_bytes(std::span(proposals)));
      continue;
    }
    packed.clear();
    if (form_ == FoldForm::plain) {
      const std::vector<WideProposal> wide = with_originals(proposals);
      const auto bytes = std::as_bytes(std::span(wide));
      packed.assign(bytes.begin(), bytes.end());
    } else if (are_wide) {
      pack_proposals(proposals, graph_.column_original, source_bits, packed);
    } else {
      pack_proposals(proposals, source_bits, packed);
    }
    parcels.emplace_back(packed);
  }
  return parcels;
}

std::vector<WideProposal> Fold::with_originals(std::span<const Proposal> proposals) const {
  std::vector<WideProposal> wide;
  wide.reserve(proposals.size());
  for (const auto& [target, source] : proposals) {
    wide.push_back({target, first_original_ + graph_.original_of_source(source)});
  }
  return wide;
}

std::span<const Proposal> Fold::unpacked(int grid_col, std::span<const std::byte> bytes) {
  arrived_.clear();
  if (form_ == FoldForm::packed) {
    unpack_proposals(bytes, source_bits_of(layout_, grid_col), arrived_);
  } else {
    copy_plain(bytes, arrived_);
  }
  return arrived_;
}

std::span<const WideProposal> Fold::unpacked_wide(int grid_col, std::span<const std::byte> bytes) {
  arrived_wide_.clear();
  if (form_ == FoldForm::packed) {
    unpack_proposals(bytes, source_bits_of(layout_, grid_col), first_original_of(grid_col), arrived_wide_);
  } else {
    copy_plain(bytes, arrived_wide_);
  }
  return arrived_wide_;
}

}  // namespace isobath
