// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "bfs/grid_search.hpp"
#include "bfs/plan.hpp"

namespace isobath {

std::unique_ptr<SearchPlan> construct_plan(std::string_view name, const EdgeStream& edges,
                                           const Communicator& world, const PlanOptions& options,
                                           PhaseObserver& observer) {
  if (name == "hybrid") return std::make_unique<GridSearch>(edges, world, options, observer);
  throw UsageError(fmt::format("there is no search plan '{}'; there is: hybrid", name));
}

}  // namespace isobath
