// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/arena.hpp"
#include "base/threads.hpp"
#include "comm/communicator.hpp"
#include "comm/exchange/message_groups.hpp"
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
      room_ = LargeArray<T>(count + count / 8);  // for rounds are of about the same length
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

/// Edges of one round, the same on every rank: 2^18, messages of a few megabytes; where ranks are many, 32
/// for each of them, as every round tells every rank a count, which should not be more than what follows it;
/// but no more than 16 MB of messages, one for each edge (most passes send two, the check of arcs four).
constexpr std::int64_t edges_of_round(int ranks, std::size_t message_bytes) {
  constexpr std::int64_t fewest = std::int64_t{1} << 18;
  const std::int64_t most = (std::int64_t{1} << 24) / static_cast<std::int64_t>(message_bytes);
  return std::max(fewest, std::min(32 * std::int64_t{ranks}, most));
}

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
void exchange_rounds_of(const Stream& edges, const Communicator& world, Route&& route, Receive&& receive,
                        std::int64_t edges_per_round) {
  const std::int64_t rounds = world.max((edges.size() + edges_per_round - 1) / edges_per_round);
  RoundEdges read(edges, std::min(edges_per_round, edges.size()));
  RoundBuffer<Message> outgoing;
  RoundBuffer<Message> incoming;
  std::span<Message> grouped;
  MessageGroups groups(world, OwnMessages::stay);
  for (std::int64_t round = 0; round < rounds; ++round) {
    const std::int64_t first = std::min(round * edges_per_round, edges.size());
    const std::int64_t end = std::min(first + edges_per_round, edges.size());
#pragma omp parallel
    {
      const auto [begin, stop] = static_share(end - first, thread_id(), num_threads());
      read.read(first + begin, begin, stop - begin);
      groups.group(
          [&, begin = begin, stop = stop](std::span<std::int64_t> at) {
            for (std::int64_t i = begin; i < stop; ++i) {
              read.route(i, route, [&](int rank, const Message&) { ++at[static_cast<std::size_t>(rank)]; });
            }
          },
          [&](std::size_t count) { grouped = outgoing.first(count); },
          [&, begin = begin, stop = stop](std::span<std::int64_t> at) {
            for (std::int64_t i = begin; i < stop; ++i) {
              // By value: of one in memory halves would be written and the whole read, which waits.
              read.route(i, route, [&](int rank, Message message) {
                grouped[static_cast<std::size_t>(at[static_cast<std::size_t>(rank)]++)] = message;
              });
            }
          });
    }
    const auto own = static_cast<std::size_t>(groups.counts()[static_cast<std::size_t>(world.rank())]);
    const std::span<const Message> arrived = groups.send(
        std::span<const Message>(grouped), [&](std::size_t count) { return incoming.first(count); });
    receive(std::span<const Message>(grouped.last(own)));
    receive(arrived);
  }
}

/// Edges without their weights.
/// @param edges_per_round  the same on every rank
template <class Message, class Route, class Receive>
void exchange_rounds(const EdgeStream& edges, const Communicator& world, Route&& route, Receive&& receive,
                     std::int64_t edges_per_round) {
  exchange_rounds_of<Message, EdgesOfRound>(edges, world, route, receive, edges_per_round);
}
template <class Message, class Route, class Receive>
void exchange_rounds(const EdgeStream& edges, const Communicator& world, Route&& route, Receive&& receive) {
  exchange_rounds<Message>(edges, world, route, receive, edges_of_round(world.size(), sizeof(Message)));
}

/// Edges with their weights.
template <class Message, class Route, class Receive>
void exchange_weighted_rounds(const WeightedEdgeStream& edges, const Communicator& world, Route&& route,
                              Receive&& receive) {
  exchange_rounds_of<Message, WeightedEdgesOfRound>(edges, world, route, receive,
                                                    edges_of_round(world.size(), sizeof(Message)));
}

}  // namespace isobath
