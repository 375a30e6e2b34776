// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "base/threads.hpp"
#include "base/vertex.hpp"

namespace isobath {

/// The edges that one rank contributes, by position 0 .. size()-1 in its share; all ranks' shares together
/// are the edge list in index order. Construction and validation know edges only in this way, never where
/// they come from.
class EdgeStream {
 public:
  EdgeStream() = default;
  EdgeStream(const EdgeStream&) = delete;
  EdgeStream& operator=(const EdgeStream&) = delete;
  virtual ~EdgeStream() = default;

  /// Edges in this rank's share.
  virtual std::int64_t size() const = 0;
  /// Vertices of the whole graph, 2^scale.
  virtual std::int64_t num_vertices() const = 0;
  /// Fills `edges` with those at positions first, first + 1, ... Called by several threads at once.
  /// @throws EnvironmentError when they cannot be read
  virtual void read(std::int64_t first, std::span<Edge> edges) const = 0;
};

/// Edges that have lengths: for shortest paths.
class WeightedEdgeStream : public EdgeStream {
 public:
  /// As read(), and fills `weights`, which is as long as `edges`, with theirs.
  virtual void read_weighted(std::int64_t first, std::span<Edge> edges, std::span<float> weights) const = 0;
};

/// The share of `rank`: {first index, end index} of `num_edges` edges dealt in contiguous ranges over
/// `ranks`.
constexpr std::pair<std::int64_t, std::int64_t> edge_share(std::int64_t num_edges, int rank, int ranks) {
  return static_share(num_edges, rank, ranks);
}

/// Edges held by the caller; tests write four by hand.
class SpanEdgeStream final : public EdgeStream {
 public:
  SpanEdgeStream(std::int64_t num_vertices, std::span<const Edge> edges)
      : num_vertices_(num_vertices), edges_(edges) {}
  std::int64_t size() const override { return static_cast<std::int64_t>(edges_.size()); }
  std::int64_t num_vertices() const override { return num_vertices_; }
  void read(std::int64_t first, std::span<Edge> edges) const override {
    for (std::size_t i = 0; i < edges.size(); ++i) edges[i] = edges_[static_cast<std::size_t>(first) + i];
  }

 private:
  std::int64_t num_vertices_;
  std::span<const Edge> edges_;
};

/// The same with weights; weights[i] belongs to edges[i].
class SpanWeightedEdgeStream final : public WeightedEdgeStream {
 public:
  SpanWeightedEdgeStream(std::int64_t num_vertices, std::span<const Edge> edges,
                         std::span<const float> weights)
      : edges_(num_vertices, edges), weights_(weights) {}
  std::int64_t size() const override { return edges_.size(); }
  std::int64_t num_vertices() const override { return edges_.num_vertices(); }
  void read(std::int64_t first, std::span<Edge> edges) const override { edges_.read(first, edges); }
  void read_weighted(std::int64_t first, std::span<Edge> edges, std::span<float> weights) const override {
    edges_.read(first, edges);
    for (std::size_t i = 0; i < weights.size(); ++i)
      weights[i] = weights_[static_cast<std::size_t>(first) + i];
  }

 private:
  SpanEdgeStream edges_;
  std::span<const float> weights_;
};

/// Calls visit(std::span<const Edge>) for batches of [first, end) that fit the first cache level.
template <class Visit>
void for_each_batch(const EdgeStream& stream, std::int64_t first, std::int64_t end, Visit&& visit) {
  constexpr std::int64_t batch = 1024;
  Edge edges[batch];
  for (std::int64_t at = first; at < end; at += batch) {
    const auto count = static_cast<std::size_t>(end - at < batch ? end - at : batch);
    stream.read(at, std::span<Edge>(edges, count));
    visit(std::span<const Edge>(edges, count));
  }
}

/// Calls visit(std::span<const Edge>, std::span<const float>) likewise.
template <class Visit>
void for_each_weighted_batch(const WeightedEdgeStream& stream, std::int64_t first, std::int64_t end,
                             Visit&& visit) {
  constexpr std::int64_t batch = 1024;
  Edge edges[batch];
  float weights[batch];
  for (std::int64_t at = first; at < end; at += batch) {
    const auto count = static_cast<std::size_t>(end - at < batch ? end - at : batch);
    stream.read_weighted(at, std::span<Edge>(edges, count), std::span<float>(weights, count));
    visit(std::span<const Edge>(edges, count), std::span<const float>(weights, count));
  }
}

}  // namespace isobath
