// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/arena.hpp"

namespace isobath {

enum class MessageTag : int;

/// Memory that grows and is kept from one use to the next. Its contents are lost when it grows.
class ByteBuffer {
 public:
  std::span<const std::byte> bytes() const { return bytes_.span(); }
  /// At least so many bytes, aligned to a page. nullptr where there never was one.
  std::byte* at_least(std::size_t bytes) {
    if (bytes > bytes_.size()) {
      const std::size_t grown = bytes_.size() + bytes_.size() / 2;
      bytes_ = LargeArray<std::byte>();  // first give back, so that not both exist at once
      bytes_ = LargeArray<std::byte>(bytes > grown ? bytes : grown);
    }
    return bytes_.data();
  }

 private:
  LargeArray<std::byte> bytes_;
};

/// Requests of non-blocking calls that are not complete yet. All functions throw MpiError. Where an exception
/// passes, requests are left in flight: the program ends, and a wait might never.
class Requests {
 public:
  bool empty() const { return requests_.empty(); }
  std::size_t size() const { return requests_.size(); }
  /// Room for one more; the call that begins it fills it in.
  MPI_Request* add() { return &requests_.emplace_back(MPI_REQUEST_NULL); }

  /// One that is complete, if there is one: its index. It is taken out, and the last takes its place.
  std::optional<std::size_t> test_any();
  /// The same, once one is complete. There is at least one.
  std::size_t wait_any();
  /// True when all are complete; then none is left.
  bool test_all();
  void wait_all();

 private:
  void take_out(int index);

  std::vector<MPI_Request> requests_;
  std::vector<MPI_Status> statuses_;
};

/// Begins to send a message to `to`, one request per piece of at most `limit` bytes.
void begin_send(std::span<const std::byte> message, int to, MessageTag tag, std::int64_t limit, MPI_Comm comm,
                Requests& requests);
/// The counterpart for a message whose length is known. Returns the number of pieces.
int begin_receive(std::span<std::byte> message, int from, MessageTag tag, std::int64_t limit, MPI_Comm comm,
                  Requests& requests);

}  // namespace isobath
