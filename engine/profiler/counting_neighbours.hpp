// SPDX-License-Identifier: Apache-2.0
// Bytes of neighbourhood collectives: to and from the neighbours in the communicator's process topology.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>

#include "profiler/bytes.hpp"
#include "profiler/call.hpp"

namespace isobath::profiler {

/// Counts one block for each neighbour. A rank may be its own neighbour: that block is kept.
/// @param bytes_to, bytes_from  bytes of block i
template <class To, class From>
void count_neighbours(Call& call, MPI_Comm comm, To bytes_to, From bytes_from) {
  call.belongs_to(TrafficClass::collective);
  if (!call.on(comm)) return;
  const Communicator& communicator = call.session().neighbours(comm, call.number());
  std::int64_t total = 0;
  for (std::size_t i = 0; i < communicator.destinations.size(); ++i) {
    const int peer = communicator.destinations[i];
    if (peer < 0) continue;
    const std::int64_t bytes = bytes_to(i);
    total += bytes;
    if (peer == communicator.rank) {
      call.kept(bytes);
    } else {
      call.sent(peer, bytes);
    }
  }
  for (std::size_t i = 0; i < communicator.sources.size(); ++i) {
    const int peer = communicator.sources[i];
    if (peer >= 0 && peer != communicator.rank) call.received(peer, bytes_from(i));
  }
  call.traffic().scanned(
      static_cast<std::int64_t>(communicator.sources.size() + communicator.destinations.size()));
  call.traffic().argument(total);
}

namespace count_before {

template <class Count>
void neighbor_allgather(Call& call, const void*, Count sendcount, MPI_Datatype sendtype, const void*,
                        Count recvcount, MPI_Datatype recvtype, MPI_Comm comm) {
  count_neighbours(
      call, comm, [&](std::size_t) { return bytes_of(sendcount, sendtype); },
      [&](std::size_t) { return bytes_of(recvcount, recvtype); });
}

template <class Count, class Offset>
void neighbor_allgatherv(Call& call, const void*, Count sendcount, MPI_Datatype sendtype, const void*,
                         const Count recvcounts[], const Offset*, MPI_Datatype recvtype, MPI_Comm comm) {
  count_neighbours(
      call, comm, [&](std::size_t) { return bytes_of(sendcount, sendtype); },
      [&](std::size_t i) { return bytes_of(recvcounts[i], recvtype); });
}

template <class Count>
void neighbor_alltoall(Call& call, const void*, Count sendcount, MPI_Datatype sendtype, const void*,
                       Count recvcount, MPI_Datatype recvtype, MPI_Comm comm) {
  count_neighbours(
      call, comm, [&](std::size_t) { return bytes_of(sendcount, sendtype); },
      [&](std::size_t) { return bytes_of(recvcount, recvtype); });
}

template <class Count, class Offset>
void neighbor_alltoallv(Call& call, const void*, const Count sendcounts[], const Offset*,
                        MPI_Datatype sendtype, const void*, const Count recvcounts[], const Offset*,
                        MPI_Datatype recvtype, MPI_Comm comm) {
  count_neighbours(
      call, comm, [&](std::size_t i) { return bytes_of(sendcounts[i], sendtype); },
      [&](std::size_t i) { return bytes_of(recvcounts[i], recvtype); });
}

template <class Count>
void neighbor_alltoallw(Call& call, const void*, const Count sendcounts[], const MPI_Aint*,
                        const MPI_Datatype sendtypes[], const void*, const Count recvcounts[],
                        const MPI_Aint*, const MPI_Datatype recvtypes[], MPI_Comm comm) {
  count_neighbours(
      call, comm, [&](std::size_t i) { return bytes_of(sendcounts[i], sendtypes[i]); },
      [&](std::size_t i) { return bytes_of(recvcounts[i], recvtypes[i]); });
}

}  // namespace count_before
}  // namespace isobath::profiler
