// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "bfs/grid_search.hpp"
#include "bfs/plan.hpp"
#include "graph/codes.hpp"

namespace isobath {
namespace {

[[noreturn]] void refuse_name(std::string_view name) {
  throw UsageError(fmt::format("there is no search plan '{}'; there is: hybrid", name));
}

}  // namespace

void require_fitting_numbers(std::string_view name, std::int64_t num_vertices, GridShape shape) {
  if (name != "hybrid") refuse_name(name);
  check_id_widths(BlockPartition(num_vertices, shape.size()), shape);
}

std::unique_ptr<SearchPlan> construct_plan(std::string_view name, const EdgeStream& edges,
                                           const Communicator& world, const PlanOptions& options,
                                           PhaseObserver& observer) {
  if (name == "hybrid") return std::make_unique<GridSearch>(edges, world, options, observer);
  refuse_name(name);
}

}  // namespace isobath
