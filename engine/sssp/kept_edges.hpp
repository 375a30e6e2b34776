// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/arena.hpp"
#include "base/phase.hpp"
#include "comm/communicator.hpp"
#include "comm/exchange/message_lists.hpp"
#include "partition/block_partition.hpp"
#include "partition/edge_stream.hpp"
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

/// What rounding may add to the sums that pruning compares: an edge or a detour that is longer than another
/// way by more than this is longer in float32 too, from every root. Proof: docs/explanation/sssp.md.
///
/// @param most_arcs  of a path from the landmark that gave a distance
/// @param largest    distance from the landmark
double rounding_margin(std::uint32_t most_arcs, float largest);

/// The edges that some shortest path may need: an edge (u, v) is left out where going by the landmark is
/// shorter, w > d(u) + d(v) + margin. Distances between vertices do not change by that, bit for bit.
struct KeptEdges {
  WeightedRows rows;           // own vertices; targets are original numbers
  LargeArray<float> distance;  // of every vertex of the graph from the landmark; infinity where not reached
  double margin = 0;
};

/// A few thousand edges spread over the edge list.
struct EdgeSample {
  std::vector<Edge> edges;     // of this rank's share
  std::vector<float> weights;  // theirs
  std::vector<float> all;      // weights of all ranks
};
/// Collective.
EdgeSample sample_edges(const WeightedEdgeStream& edges, const Communicator& world);
/// The weight up to which the lightest sixteenth of the sample lies, and the part of it that is no heavier:
/// more than a sixteenth where weights are alike.
struct LightWeight {
  float limit = 0;
  double part = 1;
};
LightWeight light_weight(const EdgeSample& sample);

/// Leaves edges out in two passes over the edge list. The light edges give distances from the landmark that
/// are nearly right, and those say which of the others can matter; between the passes it is known about how
/// many that will be.
class LandmarkPruning {
 public:
  /// Collective. The first pass. @param edges, world  outlive this
  /// @param landmark  a vertex that many shortest paths pass: that of highest degree
  LandmarkPruning(const WeightedEdgeStream& edges, const BlockPartition& blocks, const Communicator& world,
                  GlobalVertex landmark, EdgeSample sample, PhaseObserver& observer);

  /// Collective. The part of the sample that the second pass would take.
  double likely_part() const;
  /// Collective. The second pass; once.
  KeptEdges keep(PhaseObserver& observer);

 private:
  float first_guess() const;
  double margin_of(float largest) const;

  const WeightedEdgeStream& edges_;
  const Communicator& world_;
  BlockPartition blocks_;
  EdgeSample sample_;
  LandmarkDistances distances_;
  LargeArray<float> distance_;  // of every vertex, as far as it is known
};

}  // namespace isobath
