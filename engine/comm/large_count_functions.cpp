// SPDX-License-Identifier: Apache-2.0
// Compiled where the MPI library has large-count calls (MPI 4). A barrier has no counts.
#include "comm/collective_functions.hpp"

namespace isobath {

CollectiveFunctions<LargeCounts> large_count_functions() {
  CollectiveFunctions<LargeCounts> all;
  all.bcast.blocking = MPI_Bcast_c;
  all.bcast.nonblocking = MPI_Ibcast_c;
  all.bcast.persistent = MPI_Bcast_init_c;
  all.gather.blocking = MPI_Gather_c;
  all.gather.nonblocking = MPI_Igather_c;
  all.gather.persistent = MPI_Gather_init_c;
  all.gatherv.blocking = MPI_Gatherv_c;
  all.gatherv.nonblocking = MPI_Igatherv_c;
  all.gatherv.persistent = MPI_Gatherv_init_c;
  all.scatter.blocking = MPI_Scatter_c;
  all.scatter.nonblocking = MPI_Iscatter_c;
  all.scatter.persistent = MPI_Scatter_init_c;
  all.scatterv.blocking = MPI_Scatterv_c;
  all.scatterv.nonblocking = MPI_Iscatterv_c;
  all.scatterv.persistent = MPI_Scatterv_init_c;
  all.allgather.blocking = MPI_Allgather_c;
  all.allgather.nonblocking = MPI_Iallgather_c;
  all.allgather.persistent = MPI_Allgather_init_c;
  all.allgatherv.blocking = MPI_Allgatherv_c;
  all.allgatherv.nonblocking = MPI_Iallgatherv_c;
  all.allgatherv.persistent = MPI_Allgatherv_init_c;
  all.alltoall.blocking = MPI_Alltoall_c;
  all.alltoall.nonblocking = MPI_Ialltoall_c;
  all.alltoall.persistent = MPI_Alltoall_init_c;
  all.alltoallv.blocking = MPI_Alltoallv_c;
  all.alltoallv.nonblocking = MPI_Ialltoallv_c;
  all.alltoallv.persistent = MPI_Alltoallv_init_c;
  all.alltoallw.blocking = MPI_Alltoallw_c;
  all.alltoallw.nonblocking = MPI_Ialltoallw_c;
  all.alltoallw.persistent = MPI_Alltoallw_init_c;
  all.reduce.blocking = MPI_Reduce_c;
  all.reduce.nonblocking = MPI_Ireduce_c;
  all.reduce.persistent = MPI_Reduce_init_c;
  all.allreduce.blocking = MPI_Allreduce_c;
  all.allreduce.nonblocking = MPI_Iallreduce_c;
  all.allreduce.persistent = MPI_Allreduce_init_c;
  all.reduce_scatter.blocking = MPI_Reduce_scatter_c;
  all.reduce_scatter.nonblocking = MPI_Ireduce_scatter_c;
  all.reduce_scatter.persistent = MPI_Reduce_scatter_init_c;
  all.scan.blocking = MPI_Scan_c;
  all.scan.nonblocking = MPI_Iscan_c;
  all.scan.persistent = MPI_Scan_init_c;
  all.exscan.blocking = MPI_Exscan_c;
  all.exscan.nonblocking = MPI_Iexscan_c;
  all.exscan.persistent = MPI_Exscan_init_c;
  all.reduce_scatter_block.blocking = MPI_Reduce_scatter_block_c;
  all.reduce_scatter_block.nonblocking = MPI_Ireduce_scatter_block_c;
  all.reduce_scatter_block.persistent = MPI_Reduce_scatter_block_init_c;
  all.neighbor_allgather.blocking = MPI_Neighbor_allgather_c;
  all.neighbor_allgather.nonblocking = MPI_Ineighbor_allgather_c;
  all.neighbor_allgather.persistent = MPI_Neighbor_allgather_init_c;
  all.neighbor_allgatherv.blocking = MPI_Neighbor_allgatherv_c;
  all.neighbor_allgatherv.nonblocking = MPI_Ineighbor_allgatherv_c;
  all.neighbor_allgatherv.persistent = MPI_Neighbor_allgatherv_init_c;
  all.neighbor_alltoall.blocking = MPI_Neighbor_alltoall_c;
  all.neighbor_alltoall.nonblocking = MPI_Ineighbor_alltoall_c;
  all.neighbor_alltoall.persistent = MPI_Neighbor_alltoall_init_c;
  all.neighbor_alltoallv.blocking = MPI_Neighbor_alltoallv_c;
  all.neighbor_alltoallv.nonblocking = MPI_Ineighbor_alltoallv_c;
  all.neighbor_alltoallv.persistent = MPI_Neighbor_alltoallv_init_c;
  all.neighbor_alltoallw.blocking = MPI_Neighbor_alltoallw_c;
  all.neighbor_alltoallw.nonblocking = MPI_Ineighbor_alltoallw_c;
  all.neighbor_alltoallw.persistent = MPI_Neighbor_alltoallw_init_c;
  return all;
}

}  // namespace isobath
