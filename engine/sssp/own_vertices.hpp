// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/arena.hpp"
#include "partition/block_partition.hpp"
#include "sssp/kept_edges.hpp"
#include "sssp/upper_graph.hpp"

namespace isobath {

/// How this rank's vertices get their distances once those of the upper graph are final. They stand in
/// original order without the isolated ones, so that emit reads and writes memory in order. The distance of
/// each is one that is known already plus a weight:
///  - of a vertex that the first round of peeling took with one arc: that of the upper vertex at the arc's
///    other end, plus the arc's weight;
///  - of a vertex of the upper graph, or one that hangs on several arcs: its own, *computed* before, plus 0.
class OwnVertices {
 public:
  static constexpr std::size_t group = 16;    // vertices of one pair of masks
  static constexpr std::size_t block = 2048;  // vertices; where a thread may begin

  OwnVertices() = default;
  /// @param first  original number of own vertex 0
  OwnVertices(const KeptEdges& kept, std::int64_t first, const UpperGraph& upper,
              const UpperNumbers& numbers);

  std::size_t size() const { return size_; }
  std::size_t num_blocks() const { return (size_ + block - 1) / block; }
  bool is_isolated(std::size_t own) const { return (present[own / group] >> (own % group) & 1) == 0; }
  /// The arcs by which own vertex `own`, not isolated, hangs from upper vertices; for an upper vertex: a way
  /// of length 0 to itself.
  std::vector<WeightedArc> ways_up(std::size_t own) const;
  /// Some upper vertex of its component.
  std::uint32_t way_up(std::size_t own) const { return upper_of(rank_of(own)); }
  /// visit(own, upper) for every own vertex that is not isolated, in order, with some upper vertex of its
  /// component.
  template <class Visit>
  void for_each_present(Visit&& visit) const {
    std::size_t at = 0;
    for (std::size_t v = 0; v < size_; ++v) {
      if (!is_isolated(v)) visit(v, upper_of(at++));
    }
  }

  LargeArray<std::uint16_t> present;   // per group: not isolated
  LargeArray<std::uint16_t> computed;  // per group: computed before
  LargeArray<std::uint32_t> before;    // per block: present vertices before it
  // Streams of the present vertices, a group longer than they need.
  LargeArray<std::uint32_t> from;         // upper number, or upper vertices + row of `several`
  LargeArray<float> by;                   // weight
  LargeArray<std::uint32_t> from_parent;  // original number of what it hangs from; nothing where computed
  WeightedRows several;                   // of vertices that hang on several arcs, to upper numbers

 private:
  std::size_t rank_of(std::size_t own) const;
  std::uint32_t upper_of(std::size_t at) const {
    return from[at] < num_upper_ ? from[at] : several.of(from[at] - num_upper_).front().to;
  }
  std::size_t size_ = 0;
  std::uint32_t num_upper_ = 0;
};

}  // namespace isobath
