// SPDX-License-Identifier: Apache-2.0
// Bytes of collective calls: those that the operation needs, whatever the library does inside. A broadcast of
// b bytes is b from the root to every other rank, a reduction b from every other rank to the root, an
// allreduce b to every other rank; a rank's own block is kept, no message. Each function takes the arguments
// of its calls in MPI's order.
#pragma once

#include <mpi.h>

#include <cstdint>

#include "profiler/bytes.hpp"
#include "profiler/call.hpp"
#include "profiler/handles.hpp"

namespace isobath::profiler {

/// What a rank is in a rooted collective.
enum class Role { root, member, idle };

/// Between two groups the root names itself MPI_ROOT and its companions do nothing.
inline Role role_in(Call& call, int root) {
  call.has_root(root);
  const Communicator& communicator = call.communicator();
  if (!communicator.is_inter) return root == communicator.rank ? Role::root : Role::member;
  if (root == MPI_ROOT) return Role::root;
  return root == MPI_PROC_NULL ? Role::idle : Role::member;
}

inline bool begin_collective(Call& call, MPI_Comm comm) {
  call.belongs_to(TrafficClass::collective);
  return call.on(comm);
}

/// The counts of one side of a call, one for each peer; the own one is kept (counted once, on the sending
/// side).
template <class Count>
void count_blocks(Call& call, const Count counts[], MPI_Datatype type, bool are_sent) {
  const Communicator& communicator = call.communicator();
  const auto peers = static_cast<int>(communicator.peers.size());
  const std::int64_t each = type_bytes(type);
  call.traffic().scanned(peers);
  for (int peer = 0; peer < peers; ++peer) {
    const std::int64_t block = static_cast<std::int64_t>(counts[peer]) * each;
    if (block == 0) continue;
    if (communicator.has_self() && peer == communicator.rank) {
      if (are_sent) call.kept(block);
    } else if (are_sent) {
      call.sent(peer, block);
    } else {
      call.received(peer, block);
    }
  }
}

/// The same, each block with a type of its own.
template <class Count>
void count_typed_blocks(Call& call, const Count counts[], const MPI_Datatype types[], bool are_sent) {
  const Communicator& communicator = call.communicator();
  const auto peers = static_cast<int>(communicator.peers.size());
  call.traffic().scanned(peers);
  for (int peer = 0; peer < peers; ++peer) {
    const std::int64_t block = bytes_of(counts[peer], types[peer]);
    if (block == 0) continue;
    if (communicator.has_self() && peer == communicator.rank) {
      if (are_sent) call.kept(block);
    } else if (are_sent) {
      call.sent(peer, block);
    } else {
      call.received(peer, block);
    }
  }
}

inline void keep_own(Call& call, std::int64_t bytes) {
  if (call.communicator().has_self()) call.kept(bytes);
}

namespace count_before {

inline void barrier(Call& call, MPI_Comm comm) { begin_collective(call, comm); }

template <class Count>
void bcast(Call& call, const void*, Count count, MPI_Datatype type, int root, MPI_Comm comm) {
  if (!begin_collective(call, comm)) return;
  const std::int64_t bytes = bytes_of(count, type);
  const Role role = role_in(call, root);
  if (role == Role::root) call.sent(Traffic::everybody, bytes);
  if (role == Role::member) call.received(root, bytes);
  call.traffic().argument(bytes);
}

template <class Count>
void gather(Call& call, const void* sendbuf, Count sendcount, MPI_Datatype sendtype, const void*,
            Count recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm) {
  if (!begin_collective(call, comm)) return;
  const Role role = role_in(call, root);
  if (role == Role::root) {
    const std::int64_t each = bytes_of(recvcount, recvtype);
    call.received(Traffic::everybody, each);
    keep_own(call, each);
  }
  const bool sends = sendbuf != MPI_IN_PLACE && (role == Role::member || call.communicator().has_self());
  const std::int64_t bytes = sends ? bytes_of(sendcount, sendtype) : 0;
  if (role == Role::member) call.sent(root, bytes);
  call.traffic().argument(bytes);
}

template <class Count, class Offset>
void gatherv(Call& call, const void* sendbuf, Count sendcount, MPI_Datatype sendtype, const void*,
             const Count recvcounts[], const Offset*, MPI_Datatype recvtype, int root, MPI_Comm comm) {
  if (!begin_collective(call, comm)) return;
  const Role role = role_in(call, root);
  if (role == Role::root) {
    count_blocks(call, recvcounts, recvtype, false);
    if (call.communicator().has_self()) call.kept(bytes_of(recvcounts[call.communicator().rank], recvtype));
  }
  const bool sends = sendbuf != MPI_IN_PLACE && (role == Role::member || call.communicator().has_self());
  const std::int64_t bytes = sends ? bytes_of(sendcount, sendtype) : 0;
  if (role == Role::member) call.sent(root, bytes);
  call.traffic().argument(bytes);
}

template <class Count>
void scatter(Call& call, const void*, Count sendcount, MPI_Datatype sendtype, const void* recvbuf,
             Count recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm) {
  if (!begin_collective(call, comm)) return;
  const Role role = role_in(call, root);
  if (role == Role::root) {
    const std::int64_t each = bytes_of(sendcount, sendtype);
    call.sent(Traffic::everybody, each);
    keep_own(call, each);
    call.traffic().argument(each);
  } else if (role == Role::member && recvbuf != MPI_IN_PLACE) {
    const std::int64_t bytes = bytes_of(recvcount, recvtype);
    call.received(root, bytes);
    call.traffic().argument(bytes);
  }
}

template <class Count, class Offset>
void scatterv(Call& call, const void*, const Count sendcounts[], const Offset*, MPI_Datatype sendtype,
              const void* recvbuf, Count recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm) {
  if (!begin_collective(call, comm)) return;
  const Role role = role_in(call, root);
  if (role == Role::root) {
    count_blocks(call, sendcounts, sendtype, true);
    const Communicator& communicator = call.communicator();
    call.traffic().argument(communicator.has_self() ? bytes_of(sendcounts[communicator.rank], sendtype) : 0);
  } else if (role == Role::member && recvbuf != MPI_IN_PLACE) {
    const std::int64_t bytes = bytes_of(recvcount, recvtype);
    call.received(root, bytes);
    call.traffic().argument(bytes);
  }
}

template <class Count>
void allgather(Call& call, const void* sendbuf, Count sendcount, MPI_Datatype sendtype, const void*,
               Count recvcount, MPI_Datatype recvtype, MPI_Comm comm) {
  if (!begin_collective(call, comm)) return;
  const std::int64_t from_each = bytes_of(recvcount, recvtype);
  const std::int64_t mine = sendbuf == MPI_IN_PLACE ? from_each : bytes_of(sendcount, sendtype);
  call.sent(Traffic::everybody, mine);
  call.received(Traffic::everybody, from_each);
  keep_own(call, mine);
  call.traffic().argument(mine);
}

template <class Count, class Offset>
void allgatherv(Call& call, const void* sendbuf, Count sendcount, MPI_Datatype sendtype, const void*,
                const Count recvcounts[], const Offset*, MPI_Datatype recvtype, MPI_Comm comm) {
  if (!begin_collective(call, comm)) return;
  const bool in_place = sendbuf == MPI_IN_PLACE;
  const std::int64_t mine =
      in_place ? bytes_of(recvcounts[call.communicator().rank], recvtype) : bytes_of(sendcount, sendtype);
  call.sent(Traffic::everybody, mine);
  count_blocks(call, recvcounts, recvtype, false);
  keep_own(call, mine);
  call.traffic().argument(mine);
}

template <class Count>
void alltoall(Call& call, const void* sendbuf, Count sendcount, MPI_Datatype sendtype, const void*,
              Count recvcount, MPI_Datatype recvtype, MPI_Comm comm) {
  if (!begin_collective(call, comm)) return;
  const std::int64_t from_each = bytes_of(recvcount, recvtype);
  const std::int64_t to_each = sendbuf == MPI_IN_PLACE ? from_each : bytes_of(sendcount, sendtype);
  call.sent(Traffic::everybody, to_each);
  call.received(Traffic::everybody, from_each);
  keep_own(call, to_each);
  call.traffic().argument(to_each);
}

template <class Count, class Offset>
void alltoallv(Call& call, const void* sendbuf, const Count sendcounts[], const Offset*,
               MPI_Datatype sendtype, const void*, const Count recvcounts[], const Offset*,
               MPI_Datatype recvtype, MPI_Comm comm) {
  if (!begin_collective(call, comm)) return;
  const bool in_place = sendbuf == MPI_IN_PLACE;
  count_blocks(call, in_place ? recvcounts : sendcounts, in_place ? recvtype : sendtype, true);
  count_blocks(call, recvcounts, recvtype, false);
  call.traffic().argument(call.traffic().kept());
}

template <class Count, class Offset>
void alltoallw(Call& call, const void* sendbuf, const Count sendcounts[], const Offset*,
               const MPI_Datatype sendtypes[], const void*, const Count recvcounts[], const Offset*,
               const MPI_Datatype recvtypes[], MPI_Comm comm) {
  if (!begin_collective(call, comm)) return;
  const bool in_place = sendbuf == MPI_IN_PLACE;
  count_typed_blocks(call, in_place ? recvcounts : sendcounts, in_place ? recvtypes : sendtypes, true);
  count_typed_blocks(call, recvcounts, recvtypes, false);
  call.traffic().argument(call.traffic().kept());
}

template <class Count>
void reduce(Call& call, const void*, const void*, Count count, MPI_Datatype type, MPI_Op, int root,
            MPI_Comm comm) {
  if (!begin_collective(call, comm)) return;
  const std::int64_t bytes = bytes_of(count, type);
  const Role role = role_in(call, root);
  if (role == Role::root) {
    call.received(Traffic::everybody, bytes);
    keep_own(call, bytes);
  }
  if (role == Role::member) call.sent(root, bytes);
  call.traffic().argument(bytes);
}

template <class Count>
void allreduce(Call& call, const void*, const void*, Count count, MPI_Datatype type, MPI_Op, MPI_Comm comm) {
  if (!begin_collective(call, comm)) return;
  const std::int64_t bytes = bytes_of(count, type);
  call.sent(Traffic::everybody, bytes);
  call.received(Traffic::everybody, bytes);
  keep_own(call, bytes);
  call.traffic().argument(bytes);
}

/// Block j of the own vector goes to rank j. Between two groups only the total is known: it is shared evenly.
template <class Count>
void reduce_scatter(Call& call, const void*, const void*, const Count recvcounts[], MPI_Datatype type, MPI_Op,
                    MPI_Comm comm) {
  if (!begin_collective(call, comm)) return;
  const Communicator& communicator = call.communicator();
  const std::int64_t mine = bytes_of(recvcounts[communicator.rank], type);
  call.received(Traffic::everybody, mine);
  if (communicator.is_inter) {
    std::int64_t total = 0;
    for (int rank = 0; rank < communicator.size; ++rank) total += bytes_of(recvcounts[rank], type);
    call.sent(Traffic::everybody, total / communicator.others());
  } else {
    count_blocks(call, recvcounts, type, true);
  }
  call.traffic().argument(mine);
}

template <class Count>
void reduce_scatter_block(Call& call, const void*, const void*, Count recvcount, MPI_Datatype type, MPI_Op,
                          MPI_Comm comm) {
  if (!begin_collective(call, comm)) return;
  const Communicator& communicator = call.communicator();
  const std::int64_t mine = bytes_of(recvcount, type);
  call.received(Traffic::everybody, mine);
  call.sent(Traffic::everybody,
            communicator.is_inter ? mine * communicator.size / communicator.others() : mine);
  keep_own(call, mine);
  call.traffic().argument(mine);
}

/// One vector to the next rank: what a rank needs is the sum of those before it.
template <class Count>
void scan(Call& call, const void*, const void*, Count count, MPI_Datatype type, MPI_Op, MPI_Comm comm) {
  if (!begin_collective(call, comm)) return;
  const Communicator& communicator = call.communicator();
  const std::int64_t bytes = bytes_of(count, type);
  if (communicator.rank + 1 < communicator.size) call.sent(communicator.rank + 1, bytes);
  if (communicator.rank > 0) call.received(communicator.rank - 1, bytes);
  call.kept(bytes);
  call.traffic().argument(bytes);
}

}  // namespace count_before

namespace count_after {

/// A persistent collective: what was counted happens at each start.
inline void plan(Call& call, const MPI_Request* request) {
  call.is_plan();
  Request known;
  known.communicator = call.number();
  known.is_persistent = true;
  known.traffic_class = TrafficClass::collective;
  known.plan = std::make_shared<const Traffic>(call.traffic());
  call.session().requests().insert(key_of(*request), std::move(known));
}

}  // namespace count_after
}  // namespace isobath::profiler
