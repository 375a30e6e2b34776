// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <functional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "reference/adjacency.hpp"
#include "reference/dijkstra.hpp"
#include "sssp/plan.hpp"

namespace isobath::test {

/// A plan for shortest paths of a page: every rank holds all edges and searches alone with the serial
/// reference, in two rounds.
class FakePathPlan final : public SearchPlan {
 public:
  /// @param spoil  spoils all distances before they leave; given the number of the search, from 0
  FakePathPlan(std::int64_t num_vertices, const std::vector<Edge>& all_edges,
               const std::vector<float>& all_weights, const Communicator& world,
               std::function<void(int, std::vector<float>&)> spoil = {})
      : partition_(num_vertices, world.size()),
        rank_(world.rank()),
        spoil_(std::move(spoil)),
        adjacency_(reference::adjacency(num_vertices, all_edges)),
        components_(reference::components(adjacency_)),
        graph_(reference::weighted_adjacency(num_vertices, all_edges, all_weights)) {
    facts_.num_vertices = num_vertices;
    facts_.num_edges = std::ssize(all_edges);
    facts_.keeps_duplicates = true;
  }

  std::string_view name() const override { return "fake"; }
  const BlockPartition& partition() const override { return partition_; }
  const GraphFacts& facts() const override { return facts_; }
  Traffic traffic() const override { return {}; }

  FoundTree search(GlobalVertex root, SearchObserver& observer) override {
    observer.phase(Phase::reset);
    reference::ShortestPathTree tree = reference::dijkstra(graph_, root);
    for (int round = 0; round < 2; ++round) {
      observer.level_started(round, Direction::top_down, round + 1);
      observer.phase(Phase::relax);
      observer.level_finished(round, 10);
    }
    observer.phase(Phase::emit);
    if (spoil_) spoil_(searches_, tree.distances);
    ++searches_;
    const auto first = partition_.first(rank_);
    const auto end = first + partition_.size(rank_);
    parents_.assign(tree.parents.begin() + first, tree.parents.begin() + end);
    distances_.assign(tree.distances.begin() + first, tree.distances.begin() + end);
    return {parents_, distances_};
  }

  TraversedEdges traversed_edges(GlobalVertex root) const override {
    const auto component =
        static_cast<std::size_t>(components_.component_of[static_cast<std::size_t>(raw(root))]);
    return {components_.edges[component], components_.self_loops[component]};
  }

  std::vector<char> has_neighbour(std::span<const GlobalVertex> candidates) const override {
    std::vector<char> answers;
    for (const GlobalVertex v : candidates)
      answers.push_back(adjacency_.neighbours[static_cast<std::size_t>(raw(v))].empty() ? 0 : 1);
    return answers;
  }

 private:
  BlockPartition partition_;
  int rank_;
  std::function<void(int, std::vector<float>&)> spoil_;
  reference::Adjacency adjacency_;
  reference::Components components_;
  reference::WeightedAdjacency graph_;
  GraphFacts facts_;
  int searches_ = 0;
  std::vector<GlobalVertex> parents_;
  std::vector<float> distances_;
};

}  // namespace isobath::test
