// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "sssp/owner_graph.hpp"
#include "sssp/plan.hpp"
#include "sssp/registered_path_plan.hpp"

namespace isobath {
namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();

/// `target` is so far from the root by way of `source`.
struct PathOffer {
  GlobalVertex target;
  GlobalVertex source;
  float distance;
};

/// The plan `bellman-ford` (Bellman 1958, Ford 1956), as simple as a distributed one can be: in each round
/// every vertex whose distance changed offers what it gives its neighbours to their owners, who take what is
/// less, until nothing changes. No edge is left out, nothing is relabelled, one thread. The baseline, and the
/// parallel twin of the other plans.
///
/// Parents make no circle, whatever the weights: who takes an offer has a larger distance than it, hence
/// than the sender, and distances only fall (Cormen et al., "Introduction to Algorithms", lemma 24.16; sums
/// in float32 never fall below their terms).
class BellmanFord final : public SearchPlan {
 public:
  /// Collective. Kernel 1. @param world  outlives the plan
  BellmanFord(const WeightedEdgeStream& edges, const Communicator& world, const PathOptions& options,
              PhaseObserver& observer);

  std::string_view name() const override { return "bellman-ford"; }
  const BlockPartition& partition() const override { return graph_.blocks; }
  const GraphFacts& facts() const override { return graph_.facts; }
  FoundTree search(GlobalVertex root, SearchObserver& observer) override;
  TraversedEdges traversed_edges(GlobalVertex root) const override {
    return graph_.edges_of_component(world_, root);
  }
  std::vector<char> has_neighbour(std::span<const GlobalVertex> candidates) const override;
  Traffic traffic() const override { return world_.traffic(); }

 private:
  std::int64_t relax_round(SearchObserver& observer);

  const Communicator& world_;
  OwnerGraph graph_;
  std::vector<GlobalVertex> parents_;  // of own vertices
  std::vector<float> distances_;
  std::vector<std::size_t> changed_;  // own vertices, in the last round
  std::vector<char> is_changed_;      // own vertices, in this round
};

BellmanFord::BellmanFord(const WeightedEdgeStream& edges, const Communicator& world,
                         const PathOptions& /*options*/, PhaseObserver& observer)
    : world_(world),
      graph_(edges, world, observer),
      parents_(graph_.labels.size(), no_vertex),
      distances_(graph_.labels.size(), infinity),
      is_changed_(graph_.labels.size(), 0) {}

FoundTree BellmanFord::search(GlobalVertex root, SearchObserver& observer) {
  observer.phase(Phase::reset);
  std::fill(parents_.begin(), parents_.end(), no_vertex);
  std::fill(distances_.begin(), distances_.end(), infinity);
  changed_.clear();
  if (graph_.owns(root)) {
    parents_[graph_.local(root)] = root;
    distances_[graph_.local(root)] = 0;
    changed_.push_back(graph_.local(root));
  }
  std::int64_t active = 1;
  for (int round = 0; active > 0; ++round) {
    observer.level_started(round, Direction::top_down, active);
    const std::int64_t relaxed = relax_round(observer);
    observer.phase(Phase::reduce);
    active = world_.sum(static_cast<std::int64_t>(changed_.size()));
    observer.level_finished(round, relaxed);
  }
  observer.phase(Phase::emit);  // they are in original numbering
  return {parents_, distances_};
}

/// Collective. Returns the arcs that this rank relaxed.
std::int64_t BellmanFord::relax_round(SearchObserver& observer) {
  const std::vector<std::size_t> sources = std::exchange(changed_, {});
  std::size_t at = 0;
  std::int64_t relaxed = 0;
  exchange_in_pieces<PathOffer>(
      world_,
      [&](MessageLists<PathOffer>& lists) {
        observer.phase(Phase::relax);
        for (std::size_t made = 0; at < sources.size() && made < exchange_piece; ++at) {
          const std::size_t own = sources[at];
          const GlobalVertex source{graph_.first + static_cast<std::int64_t>(own)};
          for (const OwnerGraph::Arc& arc : graph_.arcs_of(own)) {
            lists.add(graph_.blocks.block_of(arc.to), {arc.to, source, distances_[own] + arc.weight});
          }
          made += graph_.arcs_of(own).size();
          relaxed += static_cast<std::int64_t>(graph_.arcs_of(own).size());
        }
        observer.phase(Phase::fold);
        return at < sources.size();
      },
      [&](std::span<const PathOffer> arrived) {
        observer.phase(Phase::adopt);
        for (const PathOffer& offer : arrived) {
          const std::size_t own = graph_.local(offer.target);
          if (!(offer.distance < distances_[own])) continue;
          distances_[own] = offer.distance;
          parents_[own] = offer.source;
          if (is_changed_[own] == 0) changed_.push_back(own);
          is_changed_[own] = 1;
        }
      });
  for (const std::size_t own : changed_) is_changed_[own] = 0;
  return relaxed;
}

std::vector<char> BellmanFord::has_neighbour(std::span<const GlobalVertex> candidates) const {
  std::vector<std::int64_t> found;
  for (const GlobalVertex v : candidates)
    found.push_back(graph_.owns(v) && !graph_.arcs_of(graph_.local(v)).empty() ? 1 : 0);
  world_.max(std::span(found));
  return {found.begin(), found.end()};
}

}  // namespace

RegisteredPathPlan registered_bellman_ford() {
  return {.name = "bellman-ford", .construct = construct_as<BellmanFord, WeightedEdgeStream, PathOptions>};
}

}  // namespace isobath
