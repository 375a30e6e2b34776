// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "comm/communicator.hpp"
#include "comm/messages/messages.hpp"

namespace isobath {

/// A message to one rank and one from another that travel while their rank computes. One at a time per
/// object; several objects on one communicator need different tags.
class PendingTransfer {
 public:
  /// @param comm  outlives the object
  PendingTransfer(const Communicator& comm, MessageTag tag) : comm_(&comm), tag_(static_cast<int>(tag)) {}
  PendingTransfer(const PendingTransfer&) = delete;
  PendingTransfer& operator=(const PendingTransfer&) = delete;

  /// Starts both; the buffers stay as they are until wait(). On the own rank the bytes are copied.
  template <Transferable T>
  void start(std::span<const T> send, int to, std::span<T> receive, int from) {
    start_bytes(std::as_bytes(send), to, std::as_writable_bytes(receive), from);
  }
  /// Until both are done.
  void wait();

 private:
  void start_bytes(std::span<const std::byte> send, int to, std::span<std::byte> receive, int from);

  const Communicator* comm_;
  int tag_;
  int from_ = 0;
  std::int64_t arriving_ = 0;
  std::vector<MPI_Request> requests_;
  std::vector<MPI_Status> statuses_;
};

}  // namespace isobath
