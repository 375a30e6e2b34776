// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "base/groups.hpp"
#include "comm/communicator.hpp"

namespace isobath {

/// Whether messages of a rank to itself travel, or stand behind all others and stay.
enum class OwnMessages { travel, stay };

/// Messages of several threads in one buffer, grouped by the rank that they go to (Groups), and exchanged:
/// what construction and validation send.
class MessageGroups {
 public:
  explicit MessageGroups(const Communicator& comm, OwnMessages own = OwnMessages::travel)
      : comm_(comm), own_(own), groups_(ranks(), own == OwnMessages::stay ? own_rank() : ranks()) {}

  /// See Groups::group(), where groups are ranks.
  template <class Count, class MakeRoom, class Put>
  void group(Count&& count, MakeRoom&& make_room, Put&& put) {
    groups_.group(count, make_room, put);
  }

  /// Messages to each rank.
  const std::vector<std::int64_t>& counts() const { return groups_.counts(); }

  /// Collective. Sends what was grouped. What arrives lies by sender in what room_for(n) returns.
  template <Transferable Message, class RoomFor>
  std::span<const Message> send(std::span<const Message> grouped, RoomFor&& room_for) {
    const ExchangeCounts plan = told_counts();
    const std::span<Message> arrived = room_for(static_cast<std::size_t>(plan.receive_total));
    comm_.alltoallv<Message>(that_travel(grouped, plan), plan, arrived);
    return arrived;
  }

  /// Collective. The same where a longer list of each rank arrives in several goes: what rank r sends goes to
  /// all[next[r]] and behind it, and next[r] becomes its end.
  template <Transferable Message>
  void send_more(std::span<const Message> grouped, std::span<Message> all, std::span<std::int64_t> next) {
    ExchangeCounts plan = told_counts();
    for (std::size_t rank = 0; rank < ranks(); ++rank) {
      plan.receive_offsets[rank] = std::exchange(next[rank], next[rank] + plan.receive_counts[rank]);
    }
    comm_.alltoallv<Message>(that_travel(grouped, plan), plan, all);
  }

 private:
  std::size_t ranks() const { return static_cast<std::size_t>(comm_.size()); }
  std::size_t own_rank() const { return static_cast<std::size_t>(comm_.rank()); }
  /// What every rank will receive, and where it lies by sender.
  ExchangeCounts told_counts() {
    if (own_ == OwnMessages::stay) groups_.counts()[own_rank()] = 0;
    return comm_.exchange_counts(groups_.counts());
  }
  template <class Message>
  std::span<const Message> that_travel(std::span<const Message> grouped, const ExchangeCounts& plan) const {
    return grouped.first(static_cast<std::size_t>(plan.send_offsets.back() + plan.send_counts.back()));
  }

  const Communicator& comm_;
  OwnMessages own_;
  Groups groups_;
};

}  // namespace isobath
