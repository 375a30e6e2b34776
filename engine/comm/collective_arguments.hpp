// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "comm/communicator.hpp"

namespace isobath {

/// Everything that any collective of doubles is given: each call takes what it needs.
struct CollectiveArguments {
  std::vector<double> send;
  std::vector<double> receive;
  int count = 0;                  // elements: of a vector, or of the block of one rank
  std::vector<int> counts;        // `count` for each rank
  std::vector<int> offsets;       // in elements, one block after the other
  std::vector<int> byte_offsets;  // the same for alltoallw
  std::vector<MPI_Datatype> types;
  int root_rank = 0;
  MPI_Comm comm = MPI_COMM_NULL;
};

/// A collective that MPI has in both forms, as exactly the two calls and nothing around them.
struct OverlapCall {
  std::string_view name;  // of the blocking call in lower case without prefix: allreduce
  bool moves_blocks;      // to or from each rank; else one vector
  bool reduces;           // sums
  int (*call)(CollectiveArguments&);
  int (*start)(CollectiveArguments&, MPI_Request*);
};

/// All of them: barrier, bcast, gather, gatherv, scatter, scatterv, allgather, allgatherv, alltoall,
/// alltoallv, alltoallw, reduce, allreduce, reduce_scatter, reduce_scatter_block, scan, exscan.
std::span<const OverlapCall> overlap_calls();

/// @throws UsageError naming those that there are
const OverlapCall& overlap_call(std::string_view name);

/// Buffers for `count` elements on the ranks of `comm`, zeroed; blocks where the call moves blocks.
/// @throws RefusedError where a count does not fit an int
CollectiveArguments arguments_of(const OverlapCall& call, const Communicator& comm, std::int64_t count);

}  // namespace isobath
