// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "bfs/frontier_work.hpp"
#include "bfs/proposal_codec.hpp"
#include "bfs/published_search.hpp"
#include "bfs/row_pieces.hpp"
#include "bfs/scan_and_send.hpp"
#include "comm/exchange/exchange.hpp"
#include "comm/messages/channel.hpp"

namespace isobath {

/// Parents that are proposed to the owners of their targets, along the grid row, as a WideProposal, or with
/// ids of 32 bits as a Proposal, whose source counts from the first vertex of the sender's grid column: one
/// per arc out of the frontier whose target is owned by another rank, or with `dedup` one per such target and
/// search. Own targets are adopted where they are met.
class Proposals {
 public:
  /// @param search    outlives this
  /// @param of_first  what thread 0 does while messages travel: communicate alone, or scan beside it. The
  ///                  other threads scan; without others thread 0 does both
  Proposals(PublishedSearch& search, const PlanOptions& options, Duty of_first);

  /// Forgets what was proposed in the search before.
  void forget() { clear_words(proposed_.span()); }
  /// Collective along the grid row. Scans the frontier's columns and folds what is proposed, in the way that
  /// was asked for: while messages travel in a channel, or by an exchange afterwards. Returns the arcs
  /// scanned.
  std::int64_t scan_and_fold(std::span<const std::uint32_t> frontier, SearchObserver& observer);

 private:
  class Tasks;

  /// Calls put(grid column of the owner, proposal) for every one. Returns the arcs of the columns.
  template <class Put>
  std::int64_t scan(std::span<const std::uint32_t> columns, Put&& put);
  template <class Tuple, class Put>
  std::int64_t scan_as(std::span<const std::uint32_t> columns, Put&& put);
  template <class Tuple>
  void adopt_as(int grid_col, std::span<const std::byte> proposals);
  std::size_t proposal_bytes() const {
    return search_.switches.id_bits == 64 ? sizeof(WideProposal) : sizeof(Proposal);
  }
  void scan_alone(FrontierWork& work);
  void scan_some_into_channel(FrontierWork& work, int thread);
  void scan_and_send(FrontierWork& work, SearchObserver& observer);
  void adopt_arrived(int grid_col, std::span<const std::byte> proposals);
  Channel::Arrived adopting();
  void exchange_after_scanning(FrontierWork& work, SearchObserver& observer);

  PublishedSearch& search_;
  Duty of_first_;
  RowPieces pieces_;
  LargeArray<Word> proposed_;         // rows proposed in this search, with dedup
  std::unique_ptr<Channel> channel_;  // where that is the way, and anybody folds
  std::unique_ptr<Exchange> exchange_;
  std::vector<std::vector<std::byte>> outgoing_;  // by grid column of the owner
};

}  // namespace isobath
