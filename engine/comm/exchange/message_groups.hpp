// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "base/threads.hpp"
#include "comm/communicator.hpp"

namespace isobath {

/// Whether messages of a rank to itself travel, or stand behind all others and stay.
enum class OwnMessages { travel, stay };

/// Messages of several threads in one buffer, grouped by the rank that they go to, and exchanged: what
/// construction and validation send. Who sends looks twice at what it has: first threads count what they have
/// for each rank, then each puts it where it belongs. So no list grows, and messages of a rank stand by
/// thread, those of a thread in its order.
class MessageGroups {
 public:
  explicit MessageGroups(const Communicator& comm, OwnMessages own = OwnMessages::travel)
      : comm_(comm),
        own_(own),
        counts_(ranks()),
        at_(static_cast<std::size_t>(max_threads()) * entries_of_thread()) {}

  /// Called inside a parallel region by all its threads; each has returned before the messages are complete.
  /// @param count      count(at): adds one to at[r] for each message of this thread to rank r
  /// @param make_room  make_room(n): called by one thread between the two; n messages in all
  /// @param put        put(at): the message to rank r goes to place at[r]++
  template <class Count, class MakeRoom, class Put>
  void group(Count&& count, MakeRoom&& make_room, Put&& put) {
    const std::span<std::int64_t> at = of_thread(static_cast<std::size_t>(thread_id()));
    std::fill(at.begin(), at.end(), 0);
    count(at);
#pragma omp barrier
#pragma omp single
    make_room(static_cast<std::size_t>(place(static_cast<std::size_t>(num_threads()))));
    put(at);
  }

  /// Messages to each rank.
  const std::vector<std::int64_t>& counts() const { return counts_; }

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
    if (own_ == OwnMessages::stay) counts_[own_rank()] = 0;
    return comm_.exchange_counts(counts_);
  }
  template <class Message>
  std::span<const Message> that_travel(std::span<const Message> grouped, const ExchangeCounts& plan) const {
    return grouped.first(static_cast<std::size_t>(plan.send_offsets.back() + plan.send_counts.back()));
  }
  /// So many that entries of two threads never lie in one cache line.
  std::size_t entries_of_thread() const { return ranks() + 64 / sizeof(std::int64_t); }
  std::span<std::int64_t> of_thread(std::size_t thread) {
    return std::span(at_).subspan(thread * entries_of_thread(), ranks());
  }

  /// Turns the counts of threads into where the first message of each to each rank goes; how many there are.
  std::int64_t place(std::size_t threads) {
    std::int64_t next = 0;
    const auto place_group = [&](std::size_t rank) {
      const std::int64_t first = next;
      for (std::size_t thread = 0; thread < threads; ++thread) {
        next += std::exchange(of_thread(thread)[rank], next);
      }
      counts_[rank] = next - first;
    };
    const std::size_t last = own_ == OwnMessages::stay ? own_rank() : ranks();
    for (std::size_t rank = 0; rank < ranks(); ++rank) {
      if (rank != last) place_group(rank);
    }
    if (last < ranks()) place_group(last);
    return next;
  }

  const Communicator& comm_;
  OwnMessages own_;
  std::vector<std::int64_t> counts_;  // to each rank
  std::vector<std::int64_t> at_;      // per thread and rank
};

}  // namespace isobath
