// SPDX-License-Identifier: Apache-2.0
// Ranks are arranged as nodes x local ranks. What goes to local rank l of any node travels in two hops:
//
//   hop 1, inside the node     to local rank l of the own node, segments of all nodes' l together
//   hop 2, between nodes       from there to local rank l of the destination's node, segments of all ranks of
//                              the own node together
//
// so that two nodes exchange as many messages as one has ranks, and not the square of it. A hop that would
// end where it begins is left out. Each segment has a header before it, since a message has several.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/expects.hpp"
#include "comm/exchange/exchange_hop.hpp"
#include "comm/exchange/exchange_kinds.hpp"
#include "comm/messages/messages.hpp"

namespace isobath::exchanges {
namespace {

/// @throws UsageError where the nodes do not have equal numbers of ranks
std::vector<std::vector<int>> ranks_of_nodes(std::span<const int> node_of_rank) {
  std::vector<int> names;
  std::vector<std::vector<int>> ranks;  // nodes in the order of their first ranks
  for (std::size_t rank = 0; rank < node_of_rank.size(); ++rank) {
    const auto known = std::find(names.begin(), names.end(), node_of_rank[rank]);
    const auto node = static_cast<std::size_t>(known - names.begin());
    if (known == names.end()) {
      names.push_back(node_of_rank[rank]);
      ranks.emplace_back();
    }
    ranks[node].push_back(static_cast<int>(rank));
  }
  for (std::size_t node = 0; node < ranks.size(); ++node) {
    if (ranks[node].size() == ranks[0].size()) continue;
    throw UsageError(fmt::format(
        "the two-level exchange needs as many ranks on every node, but here node {} has {} and node {} "
        "has {}; start equally many ranks per node, or choose another exchange",
        names[0], ranks[0].size(), names[node], ranks[node].size()));
  }
  return ranks;
}

struct SegmentHeader {
  std::int64_t rank;  // hop 1: the destination; hop 2: the source
  std::int64_t bytes;
};
static_assert(sizeof(SegmentHeader) == 16);

struct Segment {
  int rank;
  std::span<const std::byte> bytes;
};

/// One message per member, each of several segments; in one buffer, which is kept.
class SegmentMessages {
 public:
  /// Begins anew with so many members and no segment.
  void clear(std::size_t members) {
    segments_.clear();
    ends_.assign(members, 0);
    messages_.resize(members);
  }
  /// The bytes are copied by pack().
  void add(std::size_t member, int rank, std::span<const std::byte> bytes) {
    segments_.push_back({member, {rank, bytes}});
    ends_[member] += sizeof(SegmentHeader) + bytes.size();
  }
  std::span<const std::span<const std::byte>> pack() {
    std::size_t total = 0;
    for (std::size_t& end : ends_) {  // from lengths to where each begins
      const std::size_t length = end;
      end = total;
      total += length;
    }
    std::byte* const memory = packed_.at_least(total);
    for (std::size_t m = 0; m < messages_.size(); ++m) {
      const std::size_t next = m + 1 < ends_.size() ? ends_[m + 1] : total;
      messages_[m] = {memory + ends_[m], next - ends_[m]};
    }
    for (const auto& [member, segment] : segments_) {
      const SegmentHeader header = {segment.rank, std::ssize(segment.bytes)};
      std::memcpy(memory + ends_[member], &header, sizeof(header));
      std::copy(segment.bytes.begin(), segment.bytes.end(), memory + ends_[member] + sizeof(header));
      ends_[member] += sizeof(header) + segment.bytes.size();
    }
    return messages_;
  }

 private:
  struct Addressed {
    std::size_t member;
    Segment segment;
  };
  std::vector<Addressed> segments_;
  std::vector<std::size_t> ends_;  // per member: bytes, then where the next segment goes
  std::vector<std::span<const std::byte>> messages_;
  ByteBuffer packed_;
};

template <class Act>
void for_each_segment(std::span<const std::byte> message, const Act& act) {
  while (!message.empty()) {
    SegmentHeader header{};
    ISOBATH_EXPECTS(message.size() >= sizeof(header));
    std::memcpy(&header, message.data(), sizeof(header));
    message = message.subspan(sizeof(header));
    ISOBATH_EXPECTS(header.bytes >= 0 && header.bytes <= std::ssize(message));
    act(Segment{static_cast<int>(header.rank), message.first(static_cast<std::size_t>(header.bytes))});
    message = message.subspan(static_cast<std::size_t>(header.bytes));
  }
}

/// Where ranks are.
struct Arrangement {
  explicit Arrangement(std::span<const int> node_of_rank, int own_rank)
      : ranks(ranks_of_nodes(node_of_rank)), node(node_of_rank.size()), local(node_of_rank.size()) {
    for (std::size_t n = 0; n < ranks.size(); ++n) {
      for (std::size_t l = 0; l < ranks[n].size(); ++l) {
        node[static_cast<std::size_t>(ranks[n][l])] = n;
        local[static_cast<std::size_t>(ranks[n][l])] = l;
      }
    }
    own_node = node[static_cast<std::size_t>(own_rank)];
    own_local = local[static_cast<std::size_t>(own_rank)];
  }
  const std::vector<int>& of_own_node() const { return ranks[own_node]; }
  std::vector<int> of_own_local() const {
    std::vector<int> equal;
    for (const std::vector<int>& of_node : ranks) equal.push_back(of_node[own_local]);
    return equal;
  }

  std::vector<std::vector<int>> ranks;  // [node][local rank]
  std::vector<std::size_t> node;        // per rank
  std::vector<std::size_t> local;
  std::size_t own_node;
  std::size_t own_local;
};

class TwoLevelExchange final : public Exchange {
 public:
  TwoLevelExchange(const Communicator& comm, std::span<const int> node_of_rank)
      : comm_(comm),
        places_(node_of_rank, comm.rank()),
        node_comm_(comm.split(static_cast<int>(places_.own_node), comm.rank())),
        network_comm_(comm.split(static_cast<int>(places_.own_local), static_cast<int>(places_.own_node))) {
    if (node_comm_.size() > 1)
      node_hop_.emplace(comm, node_comm_.handle(), places_.of_own_node(), alltoall_calls);
    if (network_comm_.size() > 1)
      network_hop_.emplace(comm, network_comm_.handle(), places_.of_own_local(), alltoall_calls);
  }

  void run(Outgoing outgoing, const Arrived& arrived, PhaseObserver& observer) override {
    expect_one_per_rank(outgoing, comm_);
    to_node_.clear(places_.of_own_node().size());
    to_network_.clear(places_.ranks.size());
    for (int to = 0; to < comm_.size(); ++to) address(to, outgoing[static_cast<std::size_t>(to)]);
    if (node_hop_) {
      node_hop_->run(to_node_.pack(), observer);
      for (std::size_t local = 0; local < places_.of_own_node().size(); ++local) forward(*node_hop_, local);
    }
    if (network_hop_) network_hop_->run(to_network_.pack(), observer);

    hand_over_own(outgoing, comm_, arrived);
    if (node_hop_) hand_over_from_node(*node_hop_, arrived);
    if (network_hop_) hand_over_from_network(*network_hop_, arrived);
  }

 private:
  /// A segment of this rank, into the message of its first hop.
  void address(int to, std::span<const std::byte> bytes) {
    if (to == comm_.rank() || bytes.empty()) return;
    const auto t = static_cast<std::size_t>(to);
    if (places_.local[t] != places_.own_local) {
      to_node_.add(places_.local[t], to, bytes);
    } else {
      to_network_.add(places_.node[t], comm_.rank(), bytes);
    }
  }

  /// What a rank of this node sent for ranks of other nodes, into the messages of the second hop.
  void forward(const Hop& hop, std::size_t local) {
    const int source = places_.of_own_node()[local];
    for_each_segment(hop.from(local), [&](const Segment& segment) {
      const std::size_t node = places_.node.at(static_cast<std::size_t>(segment.rank));
      if (node != places_.own_node) to_network_.add(node, source, segment.bytes);
    });
  }

  void hand_over_from_node(const Hop& hop, const Arrived& arrived) {
    for (std::size_t local = 0; local < places_.of_own_node().size(); ++local) {
      for_each_segment(hop.from(local), [&](const Segment& segment) {
        if (segment.rank == comm_.rank()) arrived(places_.of_own_node()[local], segment.bytes);
      });
    }
  }

  void hand_over_from_network(const Hop& hop, const Arrived& arrived) {
    for (std::size_t node = 0; node < places_.ranks.size(); ++node) {
      for_each_segment(hop.from(node), [&](const Segment& segment) { arrived(segment.rank, segment.bytes); });
    }
  }

  const Communicator& comm_;
  Arrangement places_;
  Communicator node_comm_;     // ranks of the own node; counts nothing, comm_ does
  Communicator network_comm_;  // ranks of equal local rank, one per node
  std::optional<Hop> node_hop_;
  std::optional<Hop> network_hop_;
  SegmentMessages to_node_;     // per local rank
  SegmentMessages to_network_;  // per node
};

}  // namespace

std::unique_ptr<Exchange> two_level(const Communicator& comm, std::span<const int> node_of_rank) {
  ISOBATH_EXPECTS(std::ssize(node_of_rank) == comm.size());
  return std::make_unique<TwoLevelExchange>(comm, node_of_rank);
}

}  // namespace isobath::exchanges
