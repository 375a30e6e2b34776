// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <utility>

#include "graph/vertex_count.hpp"
#include "partition/edge_stream.hpp"

namespace isobath {

/// The edge list of a run, with weights where kernel 3 runs. After construction it is shown under the number
/// of vertices that construction found: what follows is shared out as the graph is.
class RunEdges {
 public:
  RunEdges() = default;
  explicit RunEdges(std::unique_ptr<EdgeStream> list) : list_(std::move(list)) {}
  explicit RunEdges(std::unique_ptr<WeightedEdgeStream> list)
      : weighted_(list.get()), list_(std::move(list)) {}

  const EdgeStream& list() const {
    if (found_) return *found_;
    return *list_;
  }
  /// Only where there are weights.
  const WeightedEdgeStream& weighted() const {
    if (found_weighted_) return *found_weighted_;
    return *weighted_;
  }

  void take_found(std::int64_t num_vertices) {
    if (num_vertices == list().num_vertices()) return;
    found_ = std::make_unique<CountedEdges>(*list_, num_vertices);
    if (weighted_ != nullptr) {
      found_weighted_ = std::make_unique<CountedWeightedEdges>(*weighted_, num_vertices);
    }
  }

 private:
  const WeightedEdgeStream* weighted_ = nullptr;  // the same as list_
  std::unique_ptr<EdgeStream> list_;
  std::unique_ptr<CountedEdges> found_;
  std::unique_ptr<CountedWeightedEdges> found_weighted_;
};

}  // namespace isobath
