// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string_view>
#include <vector>

#include "bfs/published_search.hpp"

namespace isobath {

/// A published plan: it has a graph, the search in it, and a step that searches one level. Levels follow each
/// other until none finds anything.
class PublishedPlan final : public SearchPlan {
 public:
  /// Makes the step of a plan.
  using MakeStep = std::function<std::unique_ptr<LevelStep>(PublishedSearch&)>;

  /// Collective. Kernel 1, components included. @param world  outlives the plan
  PublishedPlan(std::string_view name, const MakeStep& make_step, const EdgeStream& edges,
                const Communicator& world, const PlanOptions& options, PhaseObserver& observer);

  std::string_view name() const override { return name_; }
  const BlockPartition& partition() const override { return built_.graph.layout.blocks; }
  const GraphFacts& facts() const override { return built_.facts; }
  FoundTree search(GlobalVertex root, SearchObserver& observer) override;
  TraversedEdges traversed_edges(GlobalVertex root) const override { return built_.edges_of_component(root); }
  std::vector<char> has_neighbour(std::span<const GlobalVertex> candidates) const override {
    return built_.are_connected(candidates);
  }
  Traffic traffic() const override { return built_.sent(); }
  std::optional<ConstructionCheck> check_construction(const EdgeStream& edges) const override {
    return built_.check(edges);
  }

 private:
  void search_levels(const Root& root, SearchObserver& observer);

  std::string_view name_;
  ConstructedGraph built_;
  PublishedSearch search_;
  std::unique_ptr<LevelStep> step_;
};

/// The constructor of a published plan for the registry. `Step` has its plan's name and is made of a
/// PublishedSearch and PlanOptions.
template <class Step>
std::unique_ptr<SearchPlan> construct_published(const EdgeStream& edges, const Communicator& world,
                                                const PlanOptions& options, PhaseObserver& observer) {
  const auto make_step = [&](PublishedSearch& search) { return std::make_unique<Step>(search, options); };
  return std::make_unique<PublishedPlan>(Step::plan_name, make_step, edges, world, options, observer);
}

}  // namespace isobath
