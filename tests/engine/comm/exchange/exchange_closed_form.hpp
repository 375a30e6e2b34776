// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "comm/exchange/exchange_kinds.hpp"
#include "exchanges.hpp"

namespace isobath::test {

/// Bytes to or from each peer.
using PerPeer = std::vector<std::int64_t>;

/// One direction of what a rank should count in one phase.
struct Side {
  explicit Side(int ranks) : bytes(static_cast<std::size_t>(ranks)) {}

  void add(int peer, std::int64_t count, std::int64_t in_messages = 1) {
    if (count == 0) return;
    bytes[static_cast<std::size_t>(peer)] += count;
    messages += in_messages;
  }
  std::int64_t total() const { return std::accumulate(bytes.begin(), bytes.end(), std::int64_t{0}); }

  PerPeer bytes;
  std::int64_t messages = 0;
};

struct ExpectedPhase {
  explicit ExpectedPhase(int ranks) : sent(ranks), received(ranks) {}
  Side sent;
  Side received;
  std::int64_t calls = 0;
};

/// What one run should count, from the matrix of bytes: docs/explanation/exchanges.md as code.
class ClosedForm {
 public:
  ClosedForm(const ExchangeCase& exchange, const ByteMatrix& bytes, int rank)
      : counts(static_cast<int>(bytes.size())),
        fold(static_cast<int>(bytes.size())),
        bytes_(bytes),
        rank_(rank),
        ranks_(static_cast<int>(bytes.size())) {
    const std::int64_t limit = exchange.limit.bytes_per_call;
    if (ranks_ == 1) return;
    const bool is_eager = exchange.kind == ExchangeKind::eager && limit >= 8 + longest_with_count;
    switch (is_eager || exchange.kind != ExchangeKind::eager ? exchange.kind : ExchangeKind::alltoallv) {
      case ExchangeKind::eager:
        count_with_short_parcels();
        break;
      case ExchangeKind::alltoallv:
      case ExchangeKind::neighbour:
        count_to_each_other();
        counts.calls = 1;
        every_parcel();
        fold.calls = 1;
        break;
      case ExchangeKind::pairwise:
        count_to_each_other();
        counts.calls = ranks_ - 1;
        every_parcel();
        fold.calls = busy_steps();
        break;
      case ExchangeKind::sparse:
        every_parcel();
        // probes that find a piece, and its receive; arrivals; the sends' end, the barrier's begin and end
        fold.calls = fold.sent.messages + 2 * incoming_pieces(limit) + fold.received.messages + 3;
        break;
      case ExchangeKind::persistent:
        count_to_each_other();
        counts.calls = 2;
        every_parcel();
        fold.calls = fold.sent.messages + 2 * fold.received.messages + (fold.sent.messages != 0 ? 1 : 0);
        break;
      case ExchangeKind::one_sided:
        count_to_each_other();
        counts.calls = 1;
        in_rounds(exchanges::one_sided_slot_bytes(ranks_, limit));
        break;
      case ExchangeKind::two_level:
        in_two_hops(exchange.nodes.of(ranks_));
        break;
    }
  }

  ExpectedPhase counts;
  ExpectedPhase fold;

 private:
  static constexpr std::int64_t longest_with_count = 4096;

  std::int64_t parcel(int from, int to) const {
    return bytes_[static_cast<std::size_t>(from)][static_cast<std::size_t>(to)];
  }

  void count_to_each_other() {
    for (int peer = 0; peer < ranks_; ++peer) {
      if (peer == rank_) continue;
      counts.sent.add(peer, 8);
      counts.received.add(peer, 8);
    }
  }

  void every_parcel() {
    for (int peer = 0; peer < ranks_; ++peer) {
      if (peer == rank_) continue;
      fold.sent.add(peer, parcel(rank_, peer));
      fold.received.add(peer, parcel(peer, rank_));
    }
  }

  /// One message to every other rank; where the parcel is too long for that, another one.
  void count_with_short_parcels() {
    std::int64_t sends = 0;
    std::int64_t receives = 0;
    for (int peer = 0; peer < ranks_; ++peer) {
      if (peer == rank_) continue;
      const std::int64_t out = parcel(rank_, peer);
      const std::int64_t in = parcel(peer, rank_);
      fold.sent.add(peer, 8 + out, out > longest_with_count ? 2 : 1);
      fold.received.add(peer, 8 + in);
      sends += out > longest_with_count ? 1 : 0;
      receives += in > longest_with_count ? 1 : 0;
    }
    fold.calls = 1 + sends + receives + (sends + receives > 0 ? 1 : 0);
  }

  std::int64_t busy_steps() const {
    std::int64_t busy = 0;
    for (int step = 1; step < ranks_; ++step) {
      const int to = (rank_ + step) % ranks_;
      const int from = (rank_ - step + ranks_) % ranks_;
      if (parcel(rank_, to) != 0 || parcel(from, rank_) != 0) ++busy;
    }
    return busy;
  }

  std::int64_t incoming_pieces(std::int64_t limit) const {
    std::int64_t pieces = 0;
    for (int from = 0; from < ranks_; ++from) {
      if (from != rank_ && parcel(from, rank_) != 0) pieces += parcel(from, rank_) / limit + 1;
    }
    return pieces;
  }

  void in_rounds(std::int64_t slot) {
    const auto rounds_of = [slot](std::int64_t bytes) { return (bytes + slot - 1) / slot; };
    std::int64_t rounds = 0;
    for (int from = 0; from < ranks_; ++from) {
      for (int to = 0; to < ranks_; ++to) {
        if (from != to) rounds = std::max(rounds, rounds_of(parcel(from, to)));
      }
    }
    for (int peer = 0; peer < ranks_; ++peer) {
      const std::int64_t out = parcel(rank_, peer);
      const std::int64_t in = parcel(peer, rank_);
      if (peer != rank_ && out != 0) fold.sent.add(peer, 8 + out, rounds_of(out));
      if (peer != rank_ && in != 0) fold.received.add(peer, 8 + in, rounds_of(in));
    }
    fold.calls = 2 * rounds + fold.sent.messages;
  }

  void in_two_hops(const std::vector<int>& nodes) {
    const auto node = [&](int r) { return nodes[static_cast<std::size_t>(r)]; };
    const auto local = [&](int r) { return std::count(nodes.begin(), nodes.begin() + r, node(r)); };
    const auto with_header = [&](int from, int to) {
      const std::int64_t bytes = from == to ? 0 : parcel(from, to);
      return bytes == 0 ? 0 : 16 + bytes;
    };
    bool has_node_peer = false;
    bool has_network_peer = false;
    for (int peer = 0; peer < ranks_; ++peer) {
      if (peer == rank_) continue;
      const bool in_node = node(peer) == node(rank_);
      const bool in_network = local(peer) == local(rank_);
      has_node_peer = has_node_peer || in_node;
      has_network_peer = has_network_peer || in_network;
      if (in_node || in_network) {
        counts.sent.add(peer, 8);
        counts.received.add(peer, 8);
      }
      std::int64_t out = 0;
      std::int64_t in = 0;
      for (int other = 0; other < ranks_; ++other) {
        if (in_node && local(other) == local(peer)) out += with_header(rank_, other);
        if (in_node && local(other) == local(rank_)) in += with_header(peer, other);
        if (in_network && node(other) == node(rank_)) out += with_header(other, peer);
        if (in_network && node(other) == node(peer)) in += with_header(other, rank_);
      }
      fold.sent.add(peer, out);
      fold.received.add(peer, in);
    }
    counts.calls = int{has_node_peer} + int{has_network_peer};
    fold.calls = counts.calls;
  }

  const ByteMatrix& bytes_;
  int rank_;
  int ranks_;
};

}  // namespace isobath::test
