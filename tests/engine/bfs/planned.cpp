// SPDX-License-Identifier: Apache-2.0
#include "bfs/planned.hpp"

#include <sstream>

#include "all_shapes.hpp"
#include "base/error.hpp"

namespace isobath::test {

Switches Variant::switches() const {
  AskedSwitches asked_switches;
  std::istringstream words(asked);
  for (std::string word; words >> word;) {
    const std::size_t equals = word.find('=');
    asked_switches[word.substr(0, equals)] = word.substr(equals + 1);
  }
  return switches_for(plan, asked_switches);
}

std::vector<GridShape> shapes_of_plan(const std::string& plan, int ranks) {
  std::vector<GridShape> shapes;
  for (const GridShape shape : shapes_of(ranks)) {
    try {
      require_shape(plan, shape);
      shapes.push_back(shape);
    } catch (const UsageError&) {
      continue;
    }
  }
  return shapes;
}

Planned::Planned(const SampleGraph& graph, const Communicator& world, GridShape shape, const Variant& variant)
    : world_(world), edges_(share_of(graph, world.rank(), world.size())) {
  PhaseObserver nobody;
  PlanOptions options{shape};
  options.switches = variant.switches();
  plan_ = construct_plan(variant.plan, edges_, world, options, nobody);
}

std::vector<GlobalVertex> Planned::parents(GlobalVertex root, SearchObserver& observer) {
  return world_.allgatherv<GlobalVertex>(plan_->search(root, observer).parents);
}

std::vector<GlobalVertex> Planned::parents(GlobalVertex root) {
  SearchObserver nobody;
  return parents(root, nobody);
}

void PhaseTraffic::phase(Phase begun) {
  settle();
  now_ = begun;
}

void PhaseTraffic::level_started(Level level, Direction direction, std::int64_t frontier) {
  settle();
  is_in_order_ = is_in_order_ && level == levels() && level == levels_finished_;
  frontiers_.push_back(frontier);
  directions_.push_back(direction);
}

void PhaseTraffic::level_finished(Level level, std::int64_t arcs_scanned) {
  is_in_order_ = is_in_order_ && level == levels_finished_;
  ++levels_finished_;
  arcs_scanned_ += arcs_scanned;
}

void PhaseTraffic::settle() {
  const Traffic traffic = plan_.traffic();
  by_phase_[static_cast<std::size_t>(now_)] += traffic - last_;
  last_ = traffic;
}

Traffic PhaseTraffic::whole() const {
  Traffic sum;
  for (const Traffic& traffic : by_phase_) sum += traffic;
  return sum;
}

}  // namespace isobath::test
