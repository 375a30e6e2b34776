// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace isobath {

/// One side of a personalised exchange, in bytes: `counts[r]` bytes at `base + offsets[r]` are rank r's.
template <class Byte>
struct Parcels {
  Byte* base;
  std::span<const std::int64_t> counts;
  std::span<const std::int64_t> offsets;

  Byte* of(int rank) const { return base + offsets[static_cast<std::size_t>(rank)]; }
  std::int64_t bytes(int rank) const { return counts[static_cast<std::size_t>(rank)]; }
};
using SendParcels = Parcels<const std::byte>;
using ReceiveParcels = Parcels<std::byte>;

/// The MPI calls that move data, with 64-bit counts. There are two kinds, large_count_calls() and
/// piece_calls(); all ranks of a communicator use the same. Each function is one operation, complete when it
/// returns. All throw MpiError.
class Calls {
 public:
  Calls() = default;
  Calls(const Calls&) = delete;
  Calls& operator=(const Calls&) = delete;
  virtual ~Calls();

  virtual void broadcast(std::span<std::byte> values, int root_rank, MPI_Comm comm) const = 0;
  /// `count` elements of `type`, each of `element` bytes.
  virtual void allreduce(std::byte* values, std::int64_t count, std::size_t element, MPI_Datatype type,
                         MPI_Op operation, MPI_Comm comm) const = 0;
  /// The own piece lies in its place already; all pieces have bytes_each.
  virtual void allgather(std::byte* all, std::int64_t bytes_each, MPI_Comm comm) const = 0;
  /// The own piece lies in its place already; pieces lie one after the other.
  virtual void allgatherv(std::byte* all, std::span<const std::int64_t> bytes, MPI_Comm comm) const = 0;
  virtual void alltoallv(const SendParcels& send, const ReceiveParcels& receive, MPI_Comm comm) const = 0;
  /// A side without bytes is left out: its partner, who knows the length too, does the same.
  virtual void send_receive(std::span<const std::byte> send, int to, std::span<std::byte> receive, int from,
                            MPI_Comm comm) const = 0;
};

/// The calls of MPI 4 whose names end in _c; nullptr where this MPI lacks them (CMake chooses the file).
std::shared_ptr<const Calls> large_count_calls();

/// Calls of at most `bytes_per_call` bytes each, for any MPI.
std::shared_ptr<const Calls> piece_calls(std::int64_t bytes_per_call);

}  // namespace isobath
