// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "base/phase.hpp"
#include "comm/communicator.hpp"
#include "partition/edge_stream.hpp"

namespace isobath {

/// Collective. How many vertices a Kronecker graph has, from its edge list alone, as kernel 1 must find out:
/// the least power of two above the largest number in the list. It is 2^scale unless no edge ends in the
/// upper half of the vertices, which only tiny graphs can have; what is left out then has no edge at all.
std::int64_t count_vertices(const EdgeStream& list, const Communicator& world, PhaseObserver& observer);

/// A list under the number of vertices that was found in it. The list outlives this.
class CountedEdges final : public EdgeStream {
 public:
  CountedEdges(const EdgeStream& list, std::int64_t num_vertices)
      : list_(list), num_vertices_(num_vertices) {}
  std::int64_t size() const override { return list_.size(); }
  std::int64_t num_vertices() const override { return num_vertices_; }
  void read(std::int64_t first, std::span<Edge> edges) const override { list_.read(first, edges); }

 private:
  const EdgeStream& list_;
  std::int64_t num_vertices_;
};

/// The same with weights.
class CountedWeightedEdges final : public WeightedEdgeStream {
 public:
  CountedWeightedEdges(const WeightedEdgeStream& list, std::int64_t num_vertices)
      : list_(list), num_vertices_(num_vertices) {}
  std::int64_t size() const override { return list_.size(); }
  std::int64_t num_vertices() const override { return num_vertices_; }
  void read(std::int64_t first, std::span<Edge> edges) const override { list_.read(first, edges); }
  void read_weighted(std::int64_t first, std::span<Edge> edges, std::span<float> weights) const override {
    list_.read_weighted(first, edges, weights);
  }

 private:
  const WeightedEdgeStream& list_;
  std::int64_t num_vertices_;
};

}  // namespace isobath
