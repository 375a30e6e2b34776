// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "partition/block_partition.hpp"
#include "partition/grid_shape.hpp"
#include "reference/dijkstra.hpp"
#include "sssp/weighted_graphs.hpp"

namespace isobath::test {

/// The slow twin of what a descent sends: all ranks at once, every arc in every round. It holds where no row
/// of one grid column takes in a sweep what the same sweep found before.
class DescentTwin {
 public:
  /// @param radius  distances from `root` below it are known to all, others to nobody
  DescentTwin(const WeightedGraph& sample, GridShape shape, std::int64_t root, double radius)
      : shape_(shape),
        blocks_(sample.graph.num_vertices, shape.size()),
        arcs_(static_cast<std::size_t>(sample.graph.num_vertices)),
        distance_(arcs_.size(), reference::no_distance),
        parent_col_(arcs_.size(), -1) {
    for (std::size_t i = 0; i < sample.graph.edges.size(); ++i) {
      const auto [u, v] = sample.graph.edges[i];
      arcs_[static_cast<std::size_t>(raw(u))].push_back({raw(v), sample.weights[i]});
      arcs_[static_cast<std::size_t>(raw(v))].push_back({raw(u), sample.weights[i]});
    }
    distance_[static_cast<std::size_t>(root)] = 0;
    for (const auto& [spoke, weight] : arcs_[static_cast<std::size_t>(root)]) {
      if (double{weight} < radius && !is_leaf(spoke)) distance_[static_cast<std::size_t>(spoke)] = weight;
    }
    bound_.assign(static_cast<std::size_t>(shape.cols), distance_);
    known_ = distance_;
  }

  /// What `rank` sends until nothing changes.
  std::int64_t bytes_of(int rank) {
    rank_ = rank;
    bytes_ = 0;
    while (round()) {
    }
    if (shape_.cols > 1) add_parents_and_leaves();
    return bytes_;
  }

 private:
  bool is_leaf(std::int64_t v) const { return arcs_[static_cast<std::size_t>(v)].size() == 1; }
  int owner_of(std::int64_t v) const { return blocks_.block_of(GlobalVertex{v}); }
  int col_of(std::int64_t v) const { return shape_.col_of(owner_of(v)); }
  std::int64_t searched(int block) const {
    std::int64_t count = 0;
    for (std::int64_t v = blocks_.first(block); v < blocks_.first(block) + blocks_.size(block); ++v) {
      count += is_leaf(v) ? 0 : 1;
    }
    return count;
  }
  /// As short as a list of 8 bytes each, bits and 4 bytes each, or 4 bytes for all can be.
  std::int64_t bytes_of_distances(std::int64_t count, std::int64_t of) const {
    return std::min({8 * count, (of + 31) / 32 * 4 + 4 * count, 4 * of});
  }
  static std::int64_t parcel(std::int64_t bytes) { return (8 + bytes + 7) / 8 * 8; }

  bool round() {
    const std::vector<float> before = distance_;
    std::vector<std::int64_t> offers(static_cast<std::size_t>(shape_.size()), 0);  // of this rank, by owner
    for (std::int64_t v = 0; v < std::ssize(distance_); ++v) {
      if (is_leaf(v)) continue;
      const auto at = static_cast<std::size_t>(v);
      const int owner = owner_of(v);
      const auto look = [&](int col) {
        float& bound = bound_[static_cast<std::size_t>(col)][at];
        float best = col == shape_.col_of(owner) ? distance_[at] : bound;
        bool is_lower = false;
        for (const auto& [u, weight] : arcs_[at]) {
          const float offer = known_[static_cast<std::size_t>(u)] + weight;
          if (is_leaf(u) || col_of(u) != col || !(offer < best)) continue;
          best = offer;
          is_lower = true;
        }
        if (is_lower) bound = best;
        return is_lower;
      };
      const auto adopt = [&](int col) {
        const float offer = bound_[static_cast<std::size_t>(col)][at];
        if (!(offer < distance_[at])) return;
        distance_[at] = offer;
        parent_col_[at] = col;
      };
      const int own_col = shape_.col_of(owner);
      if (look(own_col)) adopt(own_col);
      for (int col = 0; col < shape_.cols; ++col) {
        if (col == own_col || !look(col)) continue;
        adopt(col);
        if (shape_.rank_at(shape_.row_of(owner), col) == rank_) ++offers[static_cast<std::size_t>(owner)];
      }
    }
    std::int64_t lowered = 0;
    std::int64_t lowered_here = 0;
    for (std::size_t v = 0; v < distance_.size(); ++v) {
      if (!(distance_[v] < before[v])) continue;
      ++lowered;
      lowered_here += owner_of(static_cast<std::int64_t>(v)) == rank_ ? 1 : 0;
    }
    known_ = distance_;
    for (std::size_t owner = 0; owner < offers.size(); ++owner) {
      if (offers[owner] > 0) {
        bytes_ += parcel(bytes_of_distances(offers[owner], searched(static_cast<int>(owner))));
      }
    }
    if (shape_.cols > 1) bytes_ += 8 * (shape_.cols - 1);                             // sizes of offers
    bytes_ += 16 * (shape_.rows - 1 + shape_.cols - 1);                               // the agreement
    bytes_ += (shape_.rows - 1) * bytes_of_distances(lowered_here, searched(rank_));  // what is told
    return lowered > 0;
  }

  void add_parents_and_leaves() {
    const int grid_row = shape_.row_of(rank_);
    std::vector<std::int64_t> asked(static_cast<std::size_t>(shape_.cols), 0);
    for (std::int64_t v = 0; v < std::ssize(distance_); ++v) {
      const int owner = owner_of(v);
      const int parent_col = parent_col_[static_cast<std::size_t>(v)];
      if (owner == rank_ && parent_col >= 0 && parent_col != shape_.col_of(owner)) {
        ++asked[static_cast<std::size_t>(parent_col)];
      }
      if (shape_.row_of(owner) != grid_row || owner == rank_) continue;
      if (parent_col == shape_.col_of(rank_)) bytes_ += 4;  // the answer
      if (is_leaf(v) && col_of(arcs_[static_cast<std::size_t>(v)].front().first) == shape_.col_of(rank_)) {
        bytes_ += 4;  // how far it is
      }
    }
    bytes_ += 8 * (shape_.cols - 1);  // sizes of questions
    for (const std::int64_t count : asked) {
      if (count > 0) bytes_ += parcel(std::min(4 * count, (searched(rank_) + 31) / 32 * 4));
    }
  }

  GridShape shape_;
  BlockPartition blocks_;
  std::vector<std::vector<std::pair<std::int64_t, float>>> arcs_;
  std::vector<float> distance_;            // at the owner
  std::vector<float> known_;               // as it was told to the grid column
  std::vector<int> parent_col_;            // grid column whose arc gave the distance
  std::vector<std::vector<float>> bound_;  // by grid column, by row
  int rank_ = 0;
  std::int64_t bytes_ = 0;
};

}  // namespace isobath::test
