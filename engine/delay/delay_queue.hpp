// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <vector>

namespace isobath {

/// Room for an Ethernet frame of an MTU of 1500 and what a packet socket writes before it.
inline constexpr std::size_t largest_frame = 1536;

/// Frames on their way: each is kept for the latency and then passed on, those of a sender in the order in
/// which they came. Times are nanoseconds of one clock.
class DelayQueue {
 public:
  /// @param limit  frames that are kept of a sender at once; further ones are lost
  DelayQueue(std::size_t senders, std::int64_t latency, std::size_t limit);

  /// Keeps a frame that arrived at that time. Returns false where it is lost: too many wait, or it is too
  /// long.
  bool push(std::size_t sender, std::int64_t arrived, std::span<const std::byte> frame);

  /// When the next frame is to go on; nothing where none waits.
  std::optional<std::int64_t> next_due() const;

  /// Passes on all that is due at that time, what is due first before the others: send(sender, due, frame).
  template <class Send>
  void send_due(std::int64_t now, Send&& send) {
    for (auto sender = next_sender(); sender; sender = next_sender()) {
      const Kept& kept = waiting_[*sender].front();
      if (kept.due > now) return;
      send(*sender, kept.due, std::span(kept.bytes).first(kept.size));
      waiting_[*sender].pop_front();
    }
  }

 private:
  struct Kept {
    std::int64_t due = 0;
    std::size_t size = 0;
    std::array<std::byte, largest_frame> bytes;
  };

  /// Whose frame is due first; the first sender where two are due at once.
  std::optional<std::size_t> next_sender() const;

  std::vector<std::deque<Kept>> waiting_;  // of each sender, in order
  std::int64_t latency_;
  std::size_t limit_;
};

}  // namespace isobath
