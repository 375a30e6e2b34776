// SPDX-License-Identifier: Apache-2.0
// Compiled where the MPI library has persistent collectives (MPI 4).
#include "comm/collective_functions.hpp"

namespace isobath {

void add_persistent_functions(CollectiveFunctions<SmallCounts>& all) {
  all.barrier.persistent = MPI_Barrier_init;
  all.bcast.persistent = MPI_Bcast_init;
  all.gather.persistent = MPI_Gather_init;
  all.gatherv.persistent = MPI_Gatherv_init;
  all.scatter.persistent = MPI_Scatter_init;
  all.scatterv.persistent = MPI_Scatterv_init;
  all.allgather.persistent = MPI_Allgather_init;
  all.allgatherv.persistent = MPI_Allgatherv_init;
  all.alltoall.persistent = MPI_Alltoall_init;
  all.alltoallv.persistent = MPI_Alltoallv_init;
  all.alltoallw.persistent = MPI_Alltoallw_init;
  all.reduce.persistent = MPI_Reduce_init;
  all.allreduce.persistent = MPI_Allreduce_init;
  all.reduce_scatter.persistent = MPI_Reduce_scatter_init;
  all.scan.persistent = MPI_Scan_init;
  all.exscan.persistent = MPI_Exscan_init;
  all.reduce_scatter_block.persistent = MPI_Reduce_scatter_block_init;
  all.neighbor_allgather.persistent = MPI_Neighbor_allgather_init;
  all.neighbor_allgatherv.persistent = MPI_Neighbor_allgatherv_init;
  all.neighbor_alltoall.persistent = MPI_Neighbor_alltoall_init;
  all.neighbor_alltoallv.persistent = MPI_Neighbor_alltoallv_init;
  all.neighbor_alltoallw.persistent = MPI_Neighbor_alltoallw_init;
}

}  // namespace isobath
