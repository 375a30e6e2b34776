// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "base/threads.hpp"
#include "comm/communicator.hpp"
#include "partition/block_partition.hpp"
#include "partition/edge_stream.hpp"
#include "sssp/weighted_rows.hpp"

namespace isobath {

namespace select_rows_detail {

/// One end of a selected edge on its way to the vertex's owner.
struct End {
  std::int64_t vertex;
  WeightedArc arc;
};

/// Threads read edges [first, end) of the share; take(thread, edge, weight) for each that is kept.
template <class Keep, class Take>
void scan(const WeightedEdgeStream& edges, std::int64_t first, std::int64_t end, Keep&& keep, Take&& take) {
#pragma omp parallel
  {
    constexpr std::int64_t batch = 1024;
    std::array<Edge, batch> read;
    std::array<float, batch> weights;
    const auto me = static_cast<std::size_t>(thread_id());
    const auto [begin, stop] = static_share(end - first, thread_id(), num_threads());
    for (std::int64_t at = first + begin; at < first + stop; at += batch) {
      const auto count = static_cast<std::size_t>(std::min(batch, first + stop - at));
      edges.read_weighted(at, std::span(read).first(count), std::span(weights).first(count));
      for (std::size_t i = 0; i < count; ++i) keep.prefetch(read[i]);
      for (std::size_t i = 0; i < count; ++i) {
        if (read[i].u != read[i].v && keep(read[i], weights[i])) take(me, read[i], weights[i]);
      }
    }
  }
}

}  // namespace select_rows_detail

/// Collective. Rows of the own vertices, with the edges for which keep(edge, weight) holds; self-loops never.
/// Targets are original numbers, copies of an edge stay. `keep` is told of an edge before it is asked:
/// prefetch(edge). Another pass over the edge list; memory beyond what is kept is bounded.
template <class Keep>
WeightedRows select_rows(const WeightedEdgeStream& edges, const BlockPartition& blocks,
                         const Communicator& world, Keep&& keep) {
  using select_rows_detail::End;
  const auto threads = static_cast<std::size_t>(max_threads());
  const auto own = static_cast<std::size_t>(blocks.size(world.rank()));
  const auto target = [](GlobalVertex v) { return static_cast<std::uint32_t>(raw(v)); };
  std::vector<PieceList<RowArc>> lists(threads);
  if (world.size() == 1) {
    select_rows_detail::scan(edges, 0, edges.size(), keep,
                             [&](std::size_t me, const Edge& edge, float weight) {
                               lists[me].add({target(edge.u), {target(edge.v), weight}});
                               lists[me].add({target(edge.v), {target(edge.u), weight}});
                             });
    return make_rows(own, std::move(lists));
  }

  constexpr std::int64_t edges_per_round = std::int64_t{1} << 20;
  const auto ranks = static_cast<std::size_t>(world.size());
  const std::int64_t rounds = world.max((edges.size() + edges_per_round - 1) / edges_per_round);
  std::vector<std::vector<std::vector<End>>> outgoing(threads, std::vector<std::vector<End>>(ranks));
  for (std::int64_t round = 0; round < rounds; ++round) {
    const std::int64_t first = std::min(round * edges_per_round, edges.size());
    const auto send = [&](std::size_t me, GlobalVertex to, GlobalVertex other, float weight) {
      outgoing[me][static_cast<std::size_t>(blocks.block_of(to))].push_back(
          {raw(to), {target(other), weight}});
    };
    select_rows_detail::scan(edges, first, std::min(first + edges_per_round, edges.size()), keep,
                             [&](std::size_t me, const Edge& edge, float weight) {
                               send(me, edge.u, edge.v, weight);
                               send(me, edge.v, edge.u, weight);
                             });
    std::vector<End> grouped;
    std::vector<std::int64_t> counts(ranks, 0);
    for (std::size_t rank = 0; rank < ranks; ++rank) {
      for (auto& of_thread : outgoing) {
        counts[rank] += static_cast<std::int64_t>(of_thread[rank].size());
        grouped.insert(grouped.end(), of_thread[rank].begin(), of_thread[rank].end());
        of_thread[rank].clear();
      }
    }
    for (const End& end : world.alltoallv<End>(grouped, counts)) {
      lists[0].add({static_cast<std::uint32_t>(end.vertex - blocks.first(world.rank())), end.arc});
    }
  }
  return make_rows(own, std::move(lists));
}

}  // namespace isobath
