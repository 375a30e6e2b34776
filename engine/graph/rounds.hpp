// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
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

/// Room for the edges of one round, read by several threads, each its own part.
class EdgesOfRound {
 public:
  EdgesOfRound(const EdgeStream& stream, std::int64_t room)
      : stream_(stream), edges_(static_cast<std::size_t>(room)) {}
  void read(std::int64_t first, std::int64_t at, std::int64_t count) {
    stream_.read(first, edges_.span().subspan(static_cast<std::size_t>(at), static_cast<std::size_t>(count)));
  }
  template <class Route, class Send>
  void route(std::int64_t at, Route&& route, Send&& send) const {
    route(edges_[static_cast<std::size_t>(at)], send);
  }

 private:
  const EdgeStream& stream_;
  LargeArray<Edge> edges_;
};

/// The same with weights.
class WeightedEdgesOfRound {
 public:
  WeightedEdgesOfRound(const WeightedEdgeStream& stream, std::int64_t room)
      : stream_(stream), edges_(static_cast<std::size_t>(room)), weights_(static_cast<std::size_t>(room)) {}
  void read(std::int64_t first, std::int64_t at, std::int64_t count) {
    const auto begin = static_cast<std::size_t>(at);
    const auto length = static_cast<std::size_t>(count);
    stream_.read_weighted(first, edges_.span().subspan(begin, length),
                          weights_.span().subspan(begin, length));
  }
  template <class Route, class Send>
  void route(std::int64_t at, Route&& route, Send&& send) const {
    route(edges_[static_cast<std::size_t>(at)], weights_[static_cast<std::size_t>(at)], send);
  }

 private:
  const WeightedEdgeStream& stream_;
  LargeArray<Edge> edges_;
  LargeArray<float> weights_;
};

/// Messages of one round of edges, grouped by the rank they go to, exchanged, and handed over: the way in
/// which all passes over the edge list meet other ranks with bounded memory. Those to this rank itself stand
/// behind all others and are handed over as they stand.
///
/// Collective over `world` (every rank makes the same number of rounds, however few edges it has).
/// @tparam RoundEdges  EdgesOfRound, or WeightedEdgesOfRound
/// @param route    route(edge, send), or route(edge, weight, send): calls send(rank, Message) any number of
///                 times; called twice for each edge (to count the messages and to place them), by several
///                 threads
/// @param receive  receive(std::span<const Message>): what arrived at this rank in one round, in two parts
template <class Message, class RoundEdges, class Stream, class Route, class Receive>
void exchange_rounds_of(const Stream& edges, const Communicator& world, Route&& route, Receive&& receive) {
  constexpr std::int64_t edges_per_round = std::int64_t{1} << 18;  // messages of a few megabytes
  const auto ranks = static_cast<std::size_t>(world.size());
  const auto own = static_cast<std::size_t>(world.rank());
  const std::int64_t rounds = world.max((edges.size() + edges_per_round - 1) / edges_per_round);
  RoundEdges read(edges, std::min(edges_per_round, edges.size()));
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
      read.read(first + begin, begin, stop - begin);
      std::vector<std::int64_t> at(ranks, 0);  // of this thread alone: no two threads write one cache line
      for (std::int64_t i = begin; i < stop; ++i) {
        read.route(i, route, [&](int rank, const Message&) { ++at[static_cast<std::size_t>(rank)]; });
      }
      const auto own_places = places.begin() + static_cast<std::ptrdiff_t>(ranks) * thread_id();
      std::copy(at.begin(), at.end(), own_places);
#pragma omp barrier
#pragma omp single
      {
        const auto threads = static_cast<std::size_t>(num_threads());
        std::int64_t place = 0;
        for (std::size_t k = 0; k < ranks; ++k) {
          const std::size_t rank = k + 1 == ranks ? own : k + (k < own ? 0 : 1);
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
      for (std::int64_t i = begin; i < stop; ++i) {
        read.route(i, route, [&](int rank, const Message& message) {
          grouped[static_cast<std::size_t>(at[static_cast<std::size_t>(rank)]++)] = message;
        });
      }
    }
    const auto own_count = static_cast<std::size_t>(std::exchange(counts[own], 0));
    const ExchangeCounts plan = world.exchange_counts(counts);
    const std::span<Message> arrived = incoming.first(static_cast<std::size_t>(plan.receive_total));
    world.alltoallv<Message>(grouped, plan, arrived);
    receive(std::span<const Message>(grouped.last(own_count)));
    receive(std::span<const Message>(arrived));
  }
}

/// Edges without their weights.
template <class Message, class Route, class Receive>
void exchange_rounds(const EdgeStream& edges, const Communicator& world, Route&& route, Receive&& receive) {
  exchange_rounds_of<Message, EdgesOfRound>(edges, world, route, receive);
}

/// Edges with their weights.
template <class Message, class Route, class Receive>
void exchange_weighted_rounds(const WeightedEdgeStream& edges, const Communicator& world, Route&& route,
                              Receive&& receive) {
  exchange_rounds_of<Message, WeightedEdgesOfRound>(edges, world, route, receive);
}

}  // namespace isobath
