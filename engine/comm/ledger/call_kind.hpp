// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace isobath {

/// The MPI calls that the engine makes, as its records name them: MPI's names in lower case without prefix.
/// A name ending in _c is the same call. isend_all is several: MPI_Isend to and MPI_Irecv from every other
/// rank of the communicator, and MPI_Waitall for them.
enum class CallKind : unsigned char {
  barrier,
  bcast,
  allreduce,
  allgather,
  allgatherv,
  alltoall,
  alltoallv,
  neighbor_alltoall,
  neighbor_alltoallv,
  ibarrier,
  isend_all,
  win_fence,
  sendrecv,
  isend,
  issend,
  irecv,
  start,  // of persistent requests
  iprobe,
  test,
  wait,
  waitall,
  waitany,
  waitsome,
  put,
  accumulate,
  win_flush,
};

inline constexpr std::array<std::string_view, 26> call_names = {"barrier",
                                                                "bcast",
                                                                "allreduce",
                                                                "allgather",
                                                                "allgatherv",
                                                                "alltoall",
                                                                "alltoallv",
                                                                "neighbor_alltoall",
                                                                "neighbor_alltoallv",
                                                                "ibarrier",
                                                                "isend_all",
                                                                "win_fence",
                                                                "sendrecv",
                                                                "isend",
                                                                "issend",
                                                                "irecv",
                                                                "start",
                                                                "iprobe",
                                                                "test",
                                                                "wait",
                                                                "waitall",
                                                                "waitany",
                                                                "waitsome",
                                                                "put",
                                                                "accumulate",
                                                                "win_flush"};

inline constexpr std::size_t num_call_kinds = call_names.size();
static_assert(static_cast<std::size_t>(CallKind::win_flush) + 1 == num_call_kinds);

constexpr std::string_view name_of(CallKind kind) { return call_names[static_cast<std::size_t>(kind)]; }

/// Calls that every rank of the communicator makes, in the same order on all of them.
constexpr bool is_collective(CallKind kind) { return kind <= CallKind::win_fence; }

}  // namespace isobath
