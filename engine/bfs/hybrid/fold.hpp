// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "base/arena.hpp"
#include "base/bitmap.hpp"
#include "base/phase.hpp"
#include "bfs/hybrid/parents.hpp"
#include "bfs/proposal_codec.hpp"
#include "bfs/switches.hpp"
#include "comm/exchange/exchange.hpp"
#include "graph/graph.hpp"

namespace isobath {

/// Fold (Buluc and Madduri, SC 2011), on several grid columns: parents that this rank found in a level are
/// collected by owner of the target; run() sends them along the grid row to the owners, who adopt them.
class Fold {
 public:
  /// Collective. @param graph, row_comm, parents  outlive this
  Fold(const Graph& graph, const Communicator& row_comm, const Switches& switches,
       std::span<const int> node_of_rank, Parents& parents);

  /// Before a search.
  void reset() { clear_words(proposed_.span()); }
  /// Rows that this rank need not propose: proposed before in this search, or known to be visited. Who finds
  /// many rows at once, or learns that they are visited, sets bits here.
  std::span<Word> proposed() { return proposed_.span(); }

  // Three ways to hand in a parent. propose(): of a row, whose bit it sets in proposed(). append(): what the
  // ring has held back; it takes the owner's numbers, and the ring has set the bits. adopter(): of own
  // vertices; nothing is sent.
  //
  // `source` names the parent in a proposal (Graph::source_at): its original number, counted from the first
  // of this grid column; where that may need more than 32 bits, the index of its column in
  // Graph::column_original instead. That index is entry_of(column): the column itself, or, where columns are
  // hypersparse, its position among those that have an arc here.

  /// @param piece   of the row: the grid column of its owner
  /// @param row     stored here, counted over all pieces
  void propose(std::size_t piece, std::uint32_t row, std::uint32_t source) {
    set_bit(proposed_.span(), row);
    outgoing_[piece].push_back({row - layout_.row_offset[piece], source});
  }
  /// Behind all that was proposed for this piece: targets are larger, so that packing need not sort.
  void append(std::size_t piece, std::span<const Proposal> proposals) {
    outgoing_[piece].insert(outgoing_[piece].end(), proposals.begin(), proposals.end());
  }
  /// For the ring, where nobody else finds a parent of the vertices.
  /// @returns adopt(target, source), of the thread that asks; valid until the next search
  auto adopter() {
    return [parents = parents_.writer(), this](std::uint32_t target, std::uint32_t source) {
      parents.write(target, first_original_ + graph_.original_of_source(source));
    };
  }
  /// For tests: what was proposed for a piece of the rows since the last run, in that order.
  std::span<const Proposal> outgoing(std::size_t piece) const { return outgoing_[piece]; }
  /// Collective along the grid row. Delivers what was proposed, own targets first; their owner adopts a
  /// parent where takes(target) returns true.
  template <class Takes>
  void run(PhaseObserver& observer, Takes&& takes) {
    const auto adopt_all = [&](const auto& proposals, auto&& parent_of) {
      const Parents::Writer parents = parents_.writer();
      for (const auto& proposal : proposals) {
        const auto target = static_cast<std::uint32_t>(proposal.target);
        if (takes(target)) parents.write(target, parent_of(proposal));
      }
    };
    observer.phase(Phase::fold);
    std::vector<Proposal>& own = outgoing_[static_cast<std::size_t>(layout_.grid_col())];
    adopt_all(own, [&](const Proposal& proposal) {
      return first_original_ + graph_.original_of_source(proposal.source);
    });
    own.clear();  // what does not travel is not packed either
    exchange_->run(
        parcels(),
        [&](int grid_col, std::span<const std::byte> bytes) {
          if (graph_.column_original.are_wide()) {
            return adopt_all(unpacked_wide(grid_col, bytes),
                             [](const WideProposal& proposal) { return proposal.parent; });
          }
          // Sources count from the first original number of the sender's grid column.
          adopt_all(unpacked(grid_col, bytes),
                    [first = first_original_of(grid_col)](const Proposal& proposal) {
                      return first + proposal.source;
                    });
        },
        observer);
    for (auto& proposals : outgoing_) proposals.clear();
  }

 private:
  std::vector<std::span<const std::byte>> parcels();
  std::vector<WideProposal> with_originals(std::span<const Proposal> proposals) const;
  std::span<const Proposal> unpacked(int grid_col, std::span<const std::byte> bytes);
  std::span<const WideProposal> unpacked_wide(int grid_col, std::span<const std::byte> bytes);
  std::int64_t first_original_of(int grid_col) const {
    return layout_.blocks.first(layout_.shape.rank_at(0, grid_col));
  }

  const Graph& graph_;
  const GridLayout& layout_;
  std::int64_t first_original_;  // of this grid column
  FoldForm form_;
  std::unique_ptr<Exchange> exchange_;
  Parents& parents_;                             // of own vertices
  LargeArray<Word> proposed_;                    // rows
  std::vector<std::vector<Proposal>> outgoing_;  // by grid column of the target's owner
  std::vector<std::vector<std::byte>> packed_;   // the same, as they travel
  std::vector<Proposal> arrived_;
  std::vector<WideProposal> arrived_wide_;  // in its place where originals are wide
};

}  // namespace isobath
