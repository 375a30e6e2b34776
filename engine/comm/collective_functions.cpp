// SPDX-License-Identifier: Apache-2.0
#include "comm/collective_functions.hpp"

namespace isobath {

CollectiveFunctions<SmallCounts> small_count_functions() {
  CollectiveFunctions<SmallCounts> all;
  all.barrier.blocking = MPI_Barrier;
  all.barrier.nonblocking = MPI_Ibarrier;
  all.bcast.blocking = MPI_Bcast;
  all.bcast.nonblocking = MPI_Ibcast;
  all.gather.blocking = MPI_Gather;
  all.gather.nonblocking = MPI_Igather;
  all.gatherv.blocking = MPI_Gatherv;
  all.gatherv.nonblocking = MPI_Igatherv;
  all.scatter.blocking = MPI_Scatter;
  all.scatter.nonblocking = MPI_Iscatter;
  all.scatterv.blocking = MPI_Scatterv;
  all.scatterv.nonblocking = MPI_Iscatterv;
  all.allgather.blocking = MPI_Allgather;
  all.allgather.nonblocking = MPI_Iallgather;
  all.allgatherv.blocking = MPI_Allgatherv;
  all.allgatherv.nonblocking = MPI_Iallgatherv;
  all.alltoall.blocking = MPI_Alltoall;
  all.alltoall.nonblocking = MPI_Ialltoall;
  all.alltoallv.blocking = MPI_Alltoallv;
  all.alltoallv.nonblocking = MPI_Ialltoallv;
  all.alltoallw.blocking = MPI_Alltoallw;
  all.alltoallw.nonblocking = MPI_Ialltoallw;
  all.reduce.blocking = MPI_Reduce;
  all.reduce.nonblocking = MPI_Ireduce;
  all.allreduce.blocking = MPI_Allreduce;
  all.allreduce.nonblocking = MPI_Iallreduce;
  all.reduce_scatter.blocking = MPI_Reduce_scatter;
  all.reduce_scatter.nonblocking = MPI_Ireduce_scatter;
  all.scan.blocking = MPI_Scan;
  all.scan.nonblocking = MPI_Iscan;
  all.exscan.blocking = MPI_Exscan;
  all.exscan.nonblocking = MPI_Iexscan;
  all.reduce_scatter_block.blocking = MPI_Reduce_scatter_block;
  all.reduce_scatter_block.nonblocking = MPI_Ireduce_scatter_block;
  all.neighbor_allgather.blocking = MPI_Neighbor_allgather;
  all.neighbor_allgather.nonblocking = MPI_Ineighbor_allgather;
  all.neighbor_allgatherv.blocking = MPI_Neighbor_allgatherv;
  all.neighbor_allgatherv.nonblocking = MPI_Ineighbor_allgatherv;
  all.neighbor_alltoall.blocking = MPI_Neighbor_alltoall;
  all.neighbor_alltoall.nonblocking = MPI_Ineighbor_alltoall;
  all.neighbor_alltoallv.blocking = MPI_Neighbor_alltoallv;
  all.neighbor_alltoallv.nonblocking = MPI_Ineighbor_alltoallv;
  all.neighbor_alltoallw.blocking = MPI_Neighbor_alltoallw;
  all.neighbor_alltoallw.nonblocking = MPI_Ineighbor_alltoallw;
  add_persistent_functions(all);
  return all;
}

}  // namespace isobath
