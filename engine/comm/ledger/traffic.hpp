// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace isobath {

/// What one rank sent to others through one communicator: a rank's message to itself is not counted. These
/// are the bytes that the operation needs, whatever the library does inside and however many pieces there
/// are. On P ranks:
///   barrier                      nothing
///   sum, min, max of b bytes     b to each of the P - 1 others
///   broadcast of b bytes         b to each of the P - 1 others at the root rank, nothing elsewhere
///   allgather(v) of b bytes      b to each of the P - 1 others
///   exchange_counts              8 to each of the P - 1 others
///   alltoallv                    what goes to each other rank
///   send_receive of b bytes      b, unless the destination is this rank
/// Bytes received are counted in the same way: what the operation brings from others, of a reduction b from
/// each of the P - 1 others.
/// Operations made of others (text, unknown counts) count as those. Making communicators counts nothing, and
/// neither does an operation for which MPI is not called: on one rank, or where there is no byte to reduce,
/// broadcast, gather or send.
struct Traffic {
  std::int64_t bytes_sent = 0;
  std::int64_t messages = 0;  // destinations addressed with at least one byte; a collective counts its peers
  std::int64_t calls = 0;
  std::int64_t bytes_received = 0;

  friend Traffic operator-(const Traffic& a, const Traffic& b) {
    return {a.bytes_sent - b.bytes_sent, a.messages - b.messages, a.calls - b.calls,
            a.bytes_received - b.bytes_received};
  }
  Traffic& operator+=(const Traffic& other) {
    bytes_sent += other.bytes_sent;
    messages += other.messages;
    calls += other.calls;
    bytes_received += other.bytes_received;
    return *this;
  }
};

}  // namespace isobath
