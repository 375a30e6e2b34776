// SPDX-License-Identifier: Apache-2.0
#pragma once

// The one table of collectives. A row has MPI's name in lower case, the same as C spells it, and what its
// function takes: a function of PassedArguments (collective_functions.hpp). Names, functions with small and
// large counts in their three forms, and calls are all made from it; a new collective is a row.

/// Those with counts, of which MPI 4 has large ones too: first of MPI-2.1, then those that came later.
#define ISOBATH_COUNTING_COLLECTIVES(ROW)                       \
  ROW(bcast, Bcast, one_buffer)                                 \
  ROW(gather, Gather, blocks_of_root)                           \
  ROW(gatherv, Gatherv, receive_counts_of_root)                 \
  ROW(scatter, Scatter, blocks_of_root)                         \
  ROW(scatterv, Scatterv, send_counts_of_root)                  \
  ROW(allgather, Allgather, blocks)                             \
  ROW(allgatherv, Allgatherv, receive_counts)                   \
  ROW(alltoall, Alltoall, blocks)                               \
  ROW(alltoallv, Alltoallv, both_counts)                        \
  ROW(alltoallw, Alltoallw, typed_counts)                       \
  ROW(reduce, Reduce, vector_of_root)                           \
  ROW(allreduce, Allreduce, vector)                             \
  ROW(reduce_scatter, Reduce_scatter, vector_with_counts)       \
  ROW(scan, Scan, vector)                                       \
  ROW(exscan, Exscan, vector)                                   \
  ROW(reduce_scatter_block, Reduce_scatter_block, block)        \
  ROW(neighbor_allgather, Neighbor_allgather, blocks)           \
  ROW(neighbor_allgatherv, Neighbor_allgatherv, receive_counts) \
  ROW(neighbor_alltoall, Neighbor_alltoall, blocks)             \
  ROW(neighbor_alltoallv, Neighbor_alltoallv, both_counts)      \
  ROW(neighbor_alltoallw, Neighbor_alltoallw, addressed_counts)

#define ISOBATH_COLLECTIVES(ROW) ROW(barrier, Barrier, nothing) ISOBATH_COUNTING_COLLECTIVES(ROW)
