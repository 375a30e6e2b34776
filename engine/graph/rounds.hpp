// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "base/threads.hpp"
#include "comm/communicator.hpp"
#include "partition/edge_stream.hpp"

namespace isobath {

/// Messages of one round of edges, grouped by the rank they go to, exchanged, and handed over: the way in
/// which all passes over the edge list meet other ranks with bounded memory.
///
/// Collective over `world` (every rank makes the same number of rounds, however few edges it has).
/// @param route    route(edge, send): calls send(rank, Message) any number of times; called by several
/// threads
/// @param receive  receive(std::span<const Message>): what arrived at this rank in one round
template <class Message, class Route, class Receive>
void exchange_rounds(const EdgeStream& edges, const Communicator& world, Route&& route, Receive&& receive) {
  constexpr std::int64_t edges_per_round = std::int64_t{1} << 20;
  const auto ranks = static_cast<std::size_t>(world.size());
  const std::int64_t rounds = world.max((edges.size() + edges_per_round - 1) / edges_per_round);
  const auto threads = static_cast<std::size_t>(max_threads());
  std::vector<std::vector<std::vector<Message>>> outgoing(threads, std::vector<std::vector<Message>>(ranks));
  std::vector<Message> grouped;
  std::vector<std::int64_t> counts(ranks);
  for (std::int64_t round = 0; round < rounds; ++round) {
    const std::int64_t first = std::min(round * edges_per_round, edges.size());
    const std::int64_t end = std::min(first + edges_per_round, edges.size());
#pragma omp parallel
    {
      auto& mine = outgoing[static_cast<std::size_t>(thread_id())];
      for (auto& messages : mine) messages.clear();
      const auto [begin, stop] = static_share(end - first, thread_id(), num_threads());
      for_each_batch(edges, first + begin, first + stop, [&](std::span<const Edge> batch) {
        for (const Edge& edge : batch) {
          route(edge, [&](int rank, const Message& message) {
            mine[static_cast<std::size_t>(rank)].push_back(message);
          });
        }
      });
    }
    grouped.clear();
    for (std::size_t rank = 0; rank < ranks; ++rank) {
      counts[rank] = 0;
      for (const auto& of_thread : outgoing) {
        grouped.insert(grouped.end(), of_thread[rank].begin(), of_thread[rank].end());
        counts[rank] += static_cast<std::int64_t>(of_thread[rank].size());
      }
    }
    const std::vector<Message> arrived = world.alltoallv<Message>(grouped, counts);
    receive(std::span<const Message>(arrived));
  }
}

}  // namespace isobath
