// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/phase.hpp"
#include "comm/calls/calls.hpp"
#include "comm/communicator.hpp"
#include "comm/exchange/exchange.hpp"
#include "comm/messages/messages.hpp"

namespace isobath::exchanges {

/// The two collectives of a hop.
struct HopCalls {
  CallKind counts_kind;
  const char* counts_name;
  int (*counts)(const void*, int, MPI_Datatype, void*, int, MPI_Datatype, MPI_Comm);
  CallKind parcels_kind;
  const char* parcels_name;
  int (*parcels)(const void*, const int*, const int*, MPI_Datatype, void*, const int*, const int*,
                 MPI_Datatype, MPI_Comm);
  bool have_large_counts;  // Calls::alltoallv does the same with counts of 64 bits
};
extern const HopCalls alltoall_calls;

/// Members that are the ranks of the communicator itself.
std::vector<int> all_ranks(const Communicator& comm);

/// A personalised exchange by two collectives: counts, then parcels. It may run on another handle than the
/// communicator that counts it, such as that of a part; peers are counted as ranks of the communicator.
///
/// MPI counts of 31 bits hold while a rank's whole buffer is within the limit. Every rank must know of all
/// whether it is, and learns it without another message: who has a parcel longer than the limit divided by
/// the ranks says so in the sign of all its counts. Where nobody does, no buffer exceeds the limit. Otherwise
/// parcels go in pieces between pairs of ranks.
class Hop {
 public:
  /// @param comm  counts; outlives the hop
  /// @param members  the rank in `comm` of each rank of `handle`
  Hop(const Communicator& comm, MPI_Comm handle, std::vector<int> members, const HopCalls& calls);

  /// Collective over the handle. `outgoing[m]` goes to member m; the own one stays where it is.
  void run(std::span<const std::span<const std::byte>> outgoing, PhaseObserver& observer);

  /// What another member sent in the last run, at a multiple of 16 bytes; valid until the next run. Nothing
  /// for the own one.
  std::span<const std::byte> from(std::size_t member) const;
  /// All of that, source by source, by their ranks in `comm`.
  void hand_over(const Exchange::Arrived& arrived) const;

 private:
  void exchange_counts(std::span<const std::span<const std::byte>> outgoing);
  void exchange_parcels(std::span<const std::span<const std::byte>> outgoing);
  const std::byte* lay_out_parcels(std::span<const std::span<const std::byte>> outgoing);
  std::byte* lay_out_arrivals();
  void call_with_ints(const std::byte* send, std::byte* receive,
                      std::span<const std::span<const std::byte>> outgoing);

  const Communicator& comm_;
  MPI_Comm handle_;
  std::vector<int> members_;
  std::size_t own_;
  HopCalls calls_;
  std::int64_t longest_parcel_;  // above it somebody's buffer might exceed the limit
  std::shared_ptr<const Calls> large_;
  std::shared_ptr<const Calls> pieces_;
  bool any_is_long_ = false;

  // Per member; offsets in bytes.
  std::vector<std::int64_t> send_counts_;
  std::vector<std::int64_t> send_offsets_;
  std::vector<std::int64_t> receive_counts_;
  std::vector<std::int64_t> receive_offsets_;
  std::vector<int> ints_;
  ByteBuffer arrivals_;
  ByteBuffer packed_;
};

}  // namespace isobath::exchanges
