// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/arena.hpp"
#include "comm/communicator.hpp"
#include "comm/exchange/message_lists.hpp"
#include "partition/block_partition.hpp"
#include "sssp/weighted_rows.hpp"

namespace isobath {

/// Distances of all vertices from the landmark, by label correction: rounds in which every vertex that came
/// nearer relaxes its arcs, until none does. Used in construction alone; a search never sees them.
class LandmarkDistances {
 public:
  /// Nothing is reached but the landmark.
  LandmarkDistances(const Communicator& world, const BlockPartition& blocks, GlobalVertex landmark);

  /// Collective. Relaxes the arcs of `rows` (own vertices, original numbers) from all that is reached, until
  /// nothing changes; distances only fall. May be called again with more arcs.
  void relax(const WeightedRows& rows);

  /// Collective. Distance of every vertex of the graph, infinity where not reached: float32 sums in the
  /// order of some path of relaxed arcs.
  LargeArray<float> of_all() const;
  /// Collective. No path that gave a distance has more arcs.
  std::uint32_t most_arcs() const;
  /// Collective. The largest finite distance.
  float largest() const;

 private:
  /// Distance and arcs of the path that gave it in one word: the nearer, then the shorter, is the smaller.
  using Label = std::uint64_t;
  struct Offer {
    std::int64_t vertex;
    Label label;
  };
  bool adopt(std::size_t own, Label label);
  void relax_from(const WeightedRows& rows, std::uint32_t vertex, std::size_t me);
  void exchange_offers();
  std::int64_t collect_changed();

  const Communicator& world_;
  BlockPartition blocks_;
  std::int64_t first_;
  LargeArray<Label> label_;                          // own vertices
  LargeArray<std::uint8_t> is_changed_;              // own vertices that wait in `changed_`
  std::vector<std::vector<std::uint32_t>> changed_;  // per thread
  std::vector<std::uint32_t> frontier_;
  MessageLists<Offer> offers_;  // of each thread to owners
};

}  // namespace isobath
