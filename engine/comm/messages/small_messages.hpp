// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <vector>

#include "comm/communicator.hpp"

namespace isobath {

/// Messages of at most 256 bytes between any ranks, sent without waiting and received in the order in which
/// they come; those of one sender in the order in which it sent them. For protocols that answer each message.
class SmallMessages {
 public:
  static constexpr std::size_t most_bytes = 256;

  /// A message; its bytes are valid until the next call of receive() or poll().
  struct Arrived {
    int source = 0;
    std::span<const std::byte> bytes;
  };

  /// Collective: takes a communicator of its own. @param posted  receives under way at any time, > 0
  SmallMessages(const Communicator& comm, int posted);
  SmallMessages(const SmallMessages&) = delete;
  SmallMessages& operator=(const SmallMessages&) = delete;
  /// What nobody received is dropped; the messages of this rank are on their way already.
  ~SmallMessages();

  /// Copies the message. Not to the own rank.
  void send(int to, std::span<const std::byte> message);
  /// The next one, if it is there.
  std::optional<Arrived> poll();
  /// The next one, once it is there.
  Arrived receive();
  /// Have all been handed over to the library, so that their memory is free? Makes progress.
  bool all_sent();

  const Communicator& comm() const { return comm_; }

 private:
  struct Parcel {
    std::array<std::byte, most_bytes> bytes;
    MPI_Request request = MPI_REQUEST_NULL;
  };
  void post(Parcel& parcel);
  Arrived take(const MPI_Status& status);

  Communicator comm_;
  std::vector<Parcel> receives_;  // a ring, posted in order
  std::size_t oldest_ = 0;
  std::optional<std::size_t> taken_;  // handed out; posted again when the next is asked for
  std::deque<Parcel> sends_;          // those under way first in, first out
  std::vector<std::size_t> free_sends_;
};

}  // namespace isobath
