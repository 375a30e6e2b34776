// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "comm/communicator.hpp"

namespace isobath {

/// One message to each other rank of a communicator and one from each, waited for together: a word, then a
/// parcel where that is short. Named after the eager protocol of MPI libraries, whose data goes with its
/// envelope: where counts would go first and data second, ranks wait twice; here once. Long ones are not
/// sent.
class EagerMessages {
 public:
  /// Ranks among which everybody writes to everybody. Among more, a library tells lengths in log P steps.
  static constexpr int most_ranks = 16;
  /// Bytes of a parcel that goes with its word.
  static constexpr std::int64_t most_bytes = 4096;

  /// Whether the communicator is small enough, and its calls may carry a word with a parcel (CountLimit).
  static bool suit(const Communicator& comm);
  static constexpr bool carry(std::int64_t bytes) { return bytes <= most_bytes; }

  /// @param comm  suits; outlives the object
  explicit EagerMessages(const Communicator& comm);

  /// Collective. words[r] goes to rank r, and parcels[r] with it if carry() says so.
  void exchange(std::span<const std::int64_t> words, std::span<const std::span<const std::byte>> parcels);

  // Of the last exchange, from another rank; valid until the next.
  std::int64_t word_from(std::size_t rank) const;
  /// What came with the word; at a multiple of 8.
  std::span<const std::byte> parcel_from(std::size_t rank) const;

 private:
  static constexpr std::int64_t word_bytes = sizeof(std::int64_t);
  static constexpr std::int64_t message_bytes = word_bytes + most_bytes;

  void begin_receives();
  void begin_send(int to, std::int64_t word, std::span<const std::byte> parcel, CountedCall& call);

  const Communicator& comm_;
  // By rank, at multiples of message_bytes.
  std::vector<std::byte> sent_;
  std::vector<std::byte> received_;
  std::vector<std::int64_t> received_bytes_;
  std::vector<MPI_Request> requests_;  // receives first, in the order of from_
  std::vector<MPI_Status> statuses_;
  std::vector<int> from_;
};

}  // namespace isobath
