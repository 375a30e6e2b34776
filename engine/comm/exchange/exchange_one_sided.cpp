// SPDX-License-Identifier: Apache-2.0
// Every rank has a slot for every other in a window of its own: a header and as many bytes of data as fit.
// Senders put into them, all in rounds between two fences. The longest message of all pairs decides how many
// rounds there are; one reduction before the first tells everybody.
//
//   slot of source s       | 8 bytes unused | header: bytes of the whole message | data of this round |
//
// The header travels once, with the first data; its receiver sets it back to zero, so that a source without a
// message is known by that.
#include <mpi.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

#include "comm/exchange/exchange_kinds.hpp"
#include "comm/messages/messages.hpp"
#include "comm/messages/window.hpp"

namespace isobath::exchanges {

std::int64_t one_sided_slot_bytes(int ranks, std::int64_t limit) {
  constexpr std::int64_t window_bytes = std::int64_t{1} << 24;  // of data, per rank
  constexpr std::int64_t smallest = 4096;
  return std::min(16 * limit, std::max(smallest, window_bytes / ranks));
}

namespace {

constexpr std::int64_t header_bytes = sizeof(std::int64_t);
constexpr std::int64_t data_offset = 16;  // so that data begins at a multiple of 16

class OneSidedExchange final : public Exchange {
 public:
  explicit OneSidedExchange(const Communicator& comm)
      : comm_(comm),
        slot_bytes_(one_sided_slot_bytes(comm.size(), comm.limit().bytes_per_call)),
        stride_(data_offset + (slot_bytes_ + 15) / 16 * 16),
        window_(comm, stride_ * comm.size()),
        headers_(static_cast<std::size_t>(comm.size())),
        lengths_(headers_.size()),
        places_(headers_.size()) {}

  void run(Outgoing outgoing, const Arrived& arrived, PhaseObserver& observer) override {
    expect_one_per_rank(outgoing, comm_);
    observer.phase(Phase::count);
    const std::int64_t longest = comm_.max(longest_of(outgoing));
    observer.phase(Phase::fold);
    for (std::int64_t at = 0; at < longest; at += slot_bytes_) {
      window_fence(MPI_MODE_NOPRECEDE);
      for (int step = 1; step < comm_.size(); ++step) {  // every rank begins with another one
        const int to = (comm_.rank() + step) % comm_.size();
        put(outgoing[static_cast<std::size_t>(to)], at, to);
      }
      closing_fence(at);
      if (at == 0) begin_long_messages();
      take_out(at, arrived);
    }
    hand_over_own(outgoing, comm_, arrived);
  }

 private:
  std::int64_t longest_of(Outgoing outgoing) const {
    std::int64_t longest = 0;
    for (int to = 0; to < comm_.size(); ++to) {
      if (to != comm_.rank()) longest = std::max(longest, std::ssize(outgoing[static_cast<std::size_t>(to)]));
    }
    return longest;
  }

  /// Bytes of a message that travel in the round that begins at `at`.
  std::int64_t in_round(std::int64_t message, std::int64_t at) const {
    return std::clamp<std::int64_t>(message - at, 0, slot_bytes_);
  }
  std::byte* slot_of(int source) const { return window_.memory() + source * stride_; }

  void put(std::span<const std::byte> message, std::int64_t at, int to) {
    const std::int64_t bytes = in_round(std::ssize(message), at);
    if (bytes == 0) return;
    CountedCall call = comm_.counted(CallKind::put, "MPI_Put");
    call.sent(to, bytes + (at == 0 ? header_bytes : 0));
    const std::int64_t slot = comm_.rank() * stride_;
    if (at == 0) {
      std::int64_t& header = headers_[static_cast<std::size_t>(to)];
      header = std::ssize(message);
      window_.put(std::as_bytes(std::span(&header, 1)), to, slot + data_offset - header_bytes);
    }
    const std::int64_t limit = comm_.limit().bytes_per_call;
    for (std::int64_t done = 0; done < bytes; done += limit) {
      const std::int64_t piece = std::min(limit, bytes - done);
      window_.put(message.subspan(static_cast<std::size_t>(at + done), static_cast<std::size_t>(piece)), to,
                  slot + data_offset + done);
    }
  }

  void window_fence(int assertion) const {
    const CountedCall call = comm_.counted(CallKind::win_fence, "MPI_Win_fence");
    window_.fence(assertion);
  }

  void closing_fence(std::int64_t at) {
    CountedCall call = comm_.counted(CallKind::win_fence, "MPI_Win_fence");
    window_.fence(MPI_MODE_NOSUCCEED);
    if (at == 0) read_headers();
    for (int source = 0; source < comm_.size(); ++source) {
      const std::int64_t bytes = in_round(lengths_[static_cast<std::size_t>(source)], at);
      if (bytes != 0) call.received(source, bytes + (at == 0 ? header_bytes : 0));
    }
  }

  void read_headers() {
    for (int source = 0; source < comm_.size(); ++source) {
      std::byte* const header = slot_of(source) + data_offset - header_bytes;
      std::memcpy(&lengths_[static_cast<std::size_t>(source)], header, header_bytes);
      std::memset(header, 0, header_bytes);
    }
  }

  /// Room for the messages that need more than one round; the others are handed over where they lie.
  void begin_long_messages() {
    std::size_t end = 0;
    for (const std::int64_t length : lengths_) end += room(length);
    std::byte* memory = long_messages_.at_least(end);
    for (std::size_t source = 0; source < lengths_.size(); ++source) {
      places_[source] = memory;
      memory += room(lengths_[source]);
    }
  }
  std::size_t room(std::int64_t length) const {
    return length <= slot_bytes_ ? 0 : (static_cast<std::size_t>(length) + 15) / 16 * 16;
  }

  void take_out(std::int64_t at, const Arrived& arrived) {
    for (int source = 0; source < comm_.size(); ++source) {
      const auto s = static_cast<std::size_t>(source);
      const std::int64_t bytes = in_round(lengths_[s], at);
      if (bytes == 0) continue;
      const std::byte* message = slot_of(source) + data_offset;
      if (lengths_[s] > slot_bytes_) {
        std::copy_n(message, bytes, places_[s] + at);
        message = places_[s];
      }
      if (at + bytes == lengths_[s]) arrived(source, {message, static_cast<std::size_t>(lengths_[s])});
    }
  }

  const Communicator& comm_;
  std::int64_t slot_bytes_;
  std::int64_t stride_;
  Window window_;
  std::vector<std::int64_t> headers_;  // per destination, as sent; unchanged until the fence
  std::vector<std::int64_t> lengths_;  // per source, as received
  std::vector<std::byte*> places_;     // per source, in long_messages_
  ByteBuffer long_messages_;
};

}  // namespace

std::unique_ptr<Exchange> one_sided(const Communicator& comm) {
  return std::make_unique<OneSidedExchange>(comm);
}

}  // namespace isobath::exchanges
