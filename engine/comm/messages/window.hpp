// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <span>

#include "comm/communicator.hpp"

namespace isobath {

/// An owning handle of memory that the other ranks of a communicator can write to. All functions throw
/// MpiError. The caller counts the calls.
class Window {
 public:
  /// Collective. `bytes` of zeroed memory on this rank, addressed in bytes.
  Window(const Communicator& comm, std::int64_t bytes);
  Window(const Window&) = delete;
  Window& operator=(const Window&) = delete;
  /// Collective. Leaves the window where MPI has ended already, or while an exception passes: freeing waits
  /// for the other ranks.
  ~Window();

  std::byte* memory() const { return memory_; }
  MPI_Win handle() const { return handle_; }

  /// Collective. Completes all puts to and from this rank since the fence before.
  /// @param assertion  of MPI_Win_fence, such as MPI_MODE_NOPRECEDE
  void fence(int assertion) const;
  /// Writes into the memory of `rank` from `offset` bytes on; complete at the next fence, until when `bytes`
  /// stay as they are. At most 2^31 - 1 of them.
  void put(std::span<const std::byte> bytes, int rank, std::int64_t offset) const;
  /// Lowers the number at `offset` bytes in the memory of `rank` to `value`, where it is larger. Complete at
  /// the next fence, until when `value` stays where it is; between fences nobody but accumulates of one kind
  /// touches that number.
  void accumulate_min(const std::int64_t& value, int rank, std::int64_t offset) const;
  /// The same with the bits set that are set in `value`.
  void accumulate_or(const std::uint64_t& value, int rank, std::int64_t offset) const;

 private:
  std::byte* memory_ = nullptr;
  MPI_Win handle_ = MPI_WIN_NULL;
};

}  // namespace isobath
