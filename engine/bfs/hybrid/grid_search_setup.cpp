// SPDX-License-Identifier: Apache-2.0
// The plan `hybrid` among the registered plans, and what its search is made of: construction, once. Levels
// are in grid_search.cpp.
#include <array>

#include "bfs/hybrid/grid_search.hpp"
#include "bfs/registered_plan.hpp"

namespace isobath {
namespace {

/// To here hybrid in one column is fastest, for it sends no parents (ADR 0022).
constexpr int most_ranks_in_one_column = 16;

/// Few ranks in one column; else the squarest rectangle with rows >= columns: squarest() has them the other
/// way round.
GridShape hybrid_shape(int ranks) {
  const GridShape squarest = GridShape::squarest(ranks);
  return ranks <= most_ranks_in_one_column ? GridShape{ranks, 1} : GridShape{squarest.cols, squarest.rows};
}

constexpr std::array<SwitchChoice, 13> hybrid_choices = {{{"exchange", any_exchange},
                                                          {"duplicates", "drop"},
                                                          {"ids", "32"},
                                                          {"dedup", "local"},
                                                          {"frontier", "packed bitmap list smaller"},
                                                          {"fold", "packed plain"},
                                                          {"relabel", "on classes off"},
                                                          {"leaves", "out in"},
                                                          {"likely-parents", "on off"},
                                                          {"hubs", "on few off"},
                                                          {"streams", "on off"},
                                                          {"overlap", "on off"},
                                                          {"direction", "policy top-down bottom-up"}}};

BottomUpSteps steps_for(const Graph& graph, const Switches& switches) {
  const InstructionSet set = best_instruction_set();
  return {switches.streams ? bottom_up_step(set) : bottom_up_rows,
          graph.hubs.empty() ? nullptr : bottom_up_few_step(set)};
}

}  // namespace

RegisteredPlan registered_hybrid() {
  return {.name = "hybrid",
          .shapes = {hybrid_shape},
          .choices = hybrid_choices,
          .has_wide_positions = true,
          .construct = construct_as<GridSearch, EdgeStream, PlanOptions>};
}

GridSearch::GridSearch(const EdgeStream& edges, const Communicator& world, const PlanOptions& options,
                       PhaseObserver& observer)
    : built_(edges, world, options, observer),
      direction_(built_, options),
      frontier_(built_.graph),
      expand_(built_.graph, built_.grid.col_comm, options.switches.frontier),
      emit_(built_) {
  const BottomUpSteps steps = steps_for(built_.graph, options.switches);
  if (options.shape.cols == 1) {
    one_column_.emplace(built_.graph, steps);
  } else {
    several_columns_.emplace(built_, options, steps);
  }
  // The main component is what a search without a root visits from the vertex of highest degree.
  built_.label_components(observer, [this](const Location& first) -> std::span<const Word> {
    SearchObserver silent;
    const SearchStart start{no_vertex, first, first, Components::none};
    reset();
    search_levels(start, silent);
    return frontier_.visited();
  });
  // What the labelling search visited is the main component, and still stands in the frontier; it is none
  // where no vertex has a neighbour.
  if (options.switches.likely_parents && can_have_likely_parents(built_.graph)) {
    built_.facts.prepared.likely_parents = world.sum(emit_.prepare_likely_parents(frontier_.visited()));
  }
}

}  // namespace isobath
