// SPDX-License-Identifier: Apache-2.0
#include "delay/delay_queue.hpp"

#include <algorithm>

namespace isobath {

DelayQueue::DelayQueue(std::size_t senders, std::int64_t latency, std::size_t limit)
    : waiting_(senders), latency_(latency), limit_(limit) {}

bool DelayQueue::push(std::size_t sender, std::int64_t arrived, std::span<const std::byte> frame) {
  std::deque<Kept>& own = waiting_[sender];
  if (own.size() >= limit_ || frame.size() > largest_frame) return false;
  // A clock that was set back must not let a frame overtake the one before.
  const std::int64_t due = std::max(arrived + latency_, own.empty() ? arrived + latency_ : own.back().due);
  Kept& kept = own.emplace_back();
  kept.due = due;
  kept.size = frame.size();
  std::copy(frame.begin(), frame.end(), kept.bytes.begin());
  return true;
}

std::optional<std::int64_t> DelayQueue::next_due() const {
  const auto sender = next_sender();
  if (!sender) return std::nullopt;
  return waiting_[*sender].front().due;
}

std::optional<std::size_t> DelayQueue::next_sender() const {
  std::optional<std::size_t> first;
  for (std::size_t sender = 0; sender < waiting_.size(); ++sender) {
    if (waiting_[sender].empty()) continue;
    if (!first || waiting_[sender].front().due < waiting_[*first].front().due) first = sender;
  }
  return first;
}

}  // namespace isobath
