// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "bfs/plan.hpp"
#include "reference/adjacency.hpp"
#include "reference/bfs.hpp"

namespace isobath::test {

/// What a FakePlan does wrong, or tells.
struct FakeBehaviour {
  /// Spoils the parents of all vertices before they leave; given the number of the search, from 0.
  std::function<void(int, std::vector<GlobalVertex>&)> spoil;
  std::int64_t edges_too_many = 0;  // in traversed_edges()
  std::int64_t missing_arcs = 0;    // in check_construction(), and so fewer stored
  std::int64_t invented_arcs = 0;   // in check_construction(): stored, no edge found
  std::int64_t dropped_arcs = 0;    // in check_construction(): neither stored nor looked for
  std::function<void(int)> begins;  // told of each search, inside it
};

/// A search plan of a page: every rank holds all edges and searches alone with the serial reference. It goes
/// through the phases of a real one, one level of the frontier at a time, and pretends to send 8 bytes in
/// each expand.
class FakePlan final : public SearchPlan {
 public:
  FakePlan(std::int64_t num_vertices, std::vector<Edge> all_edges, const Communicator& world,
           FakeBehaviour behaviour = {})
      : partition_(num_vertices, world.size()),
        rank_(world.rank()),
        behaviour_(std::move(behaviour)),
        graph_(reference::adjacency(num_vertices, all_edges)),
        components_(reference::components(graph_)) {
    facts_.num_vertices = num_vertices;
    facts_.num_edges = std::ssize(all_edges);
    facts_.self_loops = graph_.num_self_loops();
    facts_.distinct_edges = graph_.num_distinct_edges();
    facts_.stored_arcs = 2 * facts_.distinct_edges;
    facts_.max_stored_arcs_per_rank = facts_.stored_arcs;
  }

  std::string_view name() const override { return "fake"; }
  const BlockPartition& partition() const override { return partition_; }
  const GraphFacts& facts() const override { return facts_; }
  Traffic traffic() const override { return traffic_; }

  FoundTree search(GlobalVertex root, SearchObserver& observer) override {
    observer.phase(Phase::reset);
    if (behaviour_.begins) behaviour_.begins(searches_);
    reference::BfsTree tree = reference::bfs(graph_, root);
    const Level depth = *std::max_element(tree.levels.begin(), tree.levels.end());
    for (Level level = 0; level <= depth; ++level) {
      observer.level_started(level, level == 1 ? Direction::bottom_up : Direction::top_down,
                             std::count(tree.levels.begin(), tree.levels.end(), level));
      observer.phase(Phase::expand);
      traffic_ += {.bytes_sent = 8, .messages = 1, .calls = 1};
      observer.phase(Phase::top_down);
      observer.phase(Phase::reduce);
      observer.level_finished(level, 10 * (level + 1));
    }
    observer.phase(Phase::emit);
    if (behaviour_.spoil) behaviour_.spoil(searches_, tree.parents);
    ++searches_;
    const auto first = tree.parents.begin() + partition_.first(rank_);
    own_.assign(first, first + partition_.size(rank_));
    return {.parents = own_};
  }

  TraversedEdges traversed_edges(GlobalVertex root) const override {
    const auto component =
        static_cast<std::size_t>(components_.component_of[static_cast<std::size_t>(raw(root))]);
    return {components_.edges[component] + behaviour_.edges_too_many, components_.self_loops[component]};
  }

  std::vector<char> has_neighbour(std::span<const GlobalVertex> candidates) const override {
    std::vector<char> answers;
    for (const GlobalVertex v : candidates) {
      answers.push_back(graph_.neighbours[static_cast<std::size_t>(raw(v))].empty() ? 0 : 1);
    }
    return answers;
  }

  std::optional<ConstructionCheck> check_construction(const EdgeStream&) const override {
    const std::int64_t met = facts_.stored_arcs - behaviour_.missing_arcs - behaviour_.dropped_arcs;
    return ConstructionCheck{
        behaviour_.missing_arcs, met + behaviour_.invented_arcs, met,
        behaviour_.missing_arcs > 0 ? Edge{GlobalVertex{1}, GlobalVertex{2}} : Edge{no_vertex, no_vertex}};
  }

 private:
  BlockPartition partition_;
  int rank_;
  FakeBehaviour behaviour_;
  reference::Adjacency graph_;
  reference::Components components_;
  GraphFacts facts_;
  Traffic traffic_;
  int searches_ = 0;
  std::vector<GlobalVertex> own_;
};

}  // namespace isobath::test
