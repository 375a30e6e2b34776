// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

// Collectives as the MPI standard defines them: plain loops over the buffers of all ranks, which lie in one
// place here. Elements are integers; counts and offsets are in elements.
namespace isobath::reference {

/// What one rank passes.
struct RankBuffers {
  std::vector<std::int64_t> send;
  std::vector<std::int64_t> receive;
  std::vector<std::int64_t> send_counts;  // by peer, or by neighbour
  std::vector<std::int64_t> send_offsets;
  std::vector<std::int64_t> receive_counts;
  std::vector<std::int64_t> receive_offsets;
  std::vector<int> neighbours;  // -1: none
};
using AllBuffers = std::vector<RankBuffers>;
using Combine = std::function<std::int64_t(std::int64_t, std::int64_t)>;

/// From the receive buffer of the root rank into that of all.
void bcast(AllBuffers& ranks, int root_rank);
/// Everybody's whole send buffer to where the root rank's counts say.
void gatherv(AllBuffers& ranks, int root_rank);
/// Parts of the root rank's send buffer, one for each.
void scatterv(AllBuffers& ranks, int root_rank);
/// Everybody's whole send buffer to where each rank's counts say.
void allgatherv(AllBuffers& ranks);
/// Part j of rank i becomes part i of rank j.
void alltoallv(AllBuffers& ranks);
/// Element by element, to the root rank.
void reduce(AllBuffers& ranks, int root_rank, const Combine& combine);
void allreduce(AllBuffers& ranks, const Combine& combine);
/// Rank r gets the part of the combination that begins behind the receive buffers of the ranks before it.
void reduce_scatter(AllBuffers& ranks, const Combine& combine);
/// Rank r gets the combination of ranks 0 to r, or to r - 1; then rank 0 keeps what it has.
void scan(AllBuffers& ranks, const Combine& combine);
void exscan(AllBuffers& ranks, const Combine& combine);
/// A neighbour's whole send buffer to where it stands among the neighbours.
void neighbor_allgatherv(AllBuffers& ranks);
/// What a neighbour has for this rank, to where that neighbour stands among the neighbours.
void neighbor_alltoallv(AllBuffers& ranks);

}  // namespace isobath::reference
