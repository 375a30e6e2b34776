// SPDX-License-Identifier: Apache-2.0
#include "bfs/grid_search.hpp"
#include "bfs/one_sided.hpp"
#include "bfs/plan.hpp"
#include "bfs/replicated.hpp"
#include "bfs/simple.hpp"
#include "bfs/two_dim.hpp"
#include "graph/codes.hpp"

namespace isobath {

void require_fitting_numbers(std::string_view name, std::int64_t num_vertices, GridShape shape) {
  default_switches(name);  // is there such a plan?
  check_id_widths(BlockPartition(num_vertices, shape.size()), shape);
}

std::unique_ptr<SearchPlan> construct_plan(std::string_view name, const EdgeStream& edges,
                                           const Communicator& world, const PlanOptions& options,
                                           PhaseObserver& observer) {
  default_switches(name);
  require_shape(name, options.shape);
  if (name == "replicated-csr") return std::make_unique<ReplicatedCsr>(edges, world, options, observer);
  if (name == "replicated-csc") return std::make_unique<ReplicatedCsc>(edges, world, options, observer);
  if (name == "simple") return std::make_unique<Simple>(edges, world, options, observer);
  if (name == "one-sided") return std::make_unique<OneSided>(edges, world, options, observer);
  if (name == "two-dim") return std::make_unique<TwoDim>(edges, world, options, observer);
  return std::make_unique<GridSearch>(edges, world, options, observer);
}

}  // namespace isobath
