// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "base/arena.hpp"
#include "base/threads.hpp"
#include "comm/communicator.hpp"
#include "partition/edge_stream.hpp"

namespace isobath {

/// Room for what one round needs and the next overwrites. Unlike a vector's, its memory goes back to the
/// system with it, and growing copies nothing.
template <class T>
class RoundBuffer {
 public:
  std::span<T> first(std::size_t count) {
    if (room_.size() < count) {
      room_ = {};
      room_ = LargeArray<T>(count);
    }
    return room_.span().first(count);
  }

 private:
  LargeArray<T> room_;
};

/// Messages of one round of edges, grouped by the rank they go to, exchanged, and handed over: the way in
/// which all passes over the edge list meet other ranks with bounded memory.
///
/// Collective over `world` (every rank makes the same number of rounds, however few edges it has).
/// @param route    route(edge, send): calls send(rank, Message) any number of times; called twice for each
///                 edge (to count the messages and to place them), by several threads
/// @param receive  receive(std::span<const Message>): what arrived at this rank in one round
template <class Message, class Route, class Receive>
void exchange_rounds(const EdgeStream& edges, const Communicator& world, Route&& route, Receive&& receive) {
  constexpr std::int64_t edges_per_round = std::int64_t{1} << 18;  // messages of a few megabytes
  const auto ranks = static_cast<std::size_t>(world.size());
  const std::int64_t rounds = world.max((edges.size() + edges_per_round - 1) / edges_per_round);
  LargeArray<Edge> read(static_cast<std::size_t>(std::min(edges_per_round, edges.size())));
  RoundBuffer<Message> outgoing;
  RoundBuffer<Message> incoming;
  std::span<Message> grouped;
  std::vector<std::int64_t> counts(ranks);  // per destination
  // Per thread and destination: messages, then where the first of them goes.
  std::vector<std::int64_t> places(static_cast<std::size_t>(max_threads()) * ranks);
  for (std::int64_t round = 0; round < rounds; ++round) {
    const std::int64_t first = std::min(round * edges_per_round, edges.size());
    const std::int64_t end = std::min(first + edges_per_round, edges.size());
#pragma omp parallel
    {
      const auto [begin, stop] = static_share(end - first, thread_id(), num_threads());
      const std::span<Edge> mine =
          read.span().subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(stop - begin));
      edges.read(first + begin, mine);
      std::vector<std::int64_t> at(ranks, 0);  // of this thread alone: no two threads write one cache line
      for (const Edge& edge : mine) {
        route(edge, [&](int rank, const Message&) { ++at[static_cast<std::size_t>(rank)]; });
      }
      const auto own_places = places.begin() + static_cast<std::ptrdiff_t>(ranks) * thread_id();
      std::copy(at.begin(), at.end(), own_places);
#pragma omp barrier
#pragma omp single
      {
        const auto threads = static_cast<std::size_t>(num_threads());
        std::int64_t place = 0;
        for (std::size_t rank = 0; rank < ranks; ++rank) {
          const std::int64_t first_place = place;
          for (std::size_t thread = 0; thread < threads; ++thread) {
            std::int64_t& of_thread = places[thread * ranks + rank];
            const std::int64_t count = of_thread;
            of_thread = place;
            place += count;
          }
          counts[rank] = place - first_place;
        }
        grouped = outgoing.first(static_cast<std::size_t>(place));
      }
      std::copy_n(own_places, ranks, at.begin());
      for (const Edge& edge : mine) {
        route(edge, [&](int rank, const Message& message) {
          grouped[static_cast<std::size_t>(at[static_cast<std::size_t>(rank)]++)] = message;
        });
      }
    }
    const ExchangeCounts plan = world.exchange_counts(counts);
    const std::span<Message> arrived = incoming.first(static_cast<std::size_t>(plan.receive_total));
    world.alltoallv<Message>(grouped, plan, arrived);
    receive(std::span<const Message>(arrived));
  }
}

}  // namespace isobath
