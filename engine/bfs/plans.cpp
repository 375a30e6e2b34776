// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cstdint>
#include <limits>

#include <fmt/format.h>

#include "base/named_entry.hpp"
#include "bfs/registered_plan.hpp"
#include "graph/codes.hpp"

namespace isobath {

std::span<const RegisteredPlan> search_plans() {
  static const std::array registry = {
      registered_replicated_csr(),  // everybody knows the frontier; by rows
      registered_replicated_csc(),  // the same, by columns
      registered_simple(),          // owners decide; one grid row
      registered_one_sided(),       // owners' memory is written
      registered_two_dim(),         // expand and fold
      registered_hybrid(),          // ours
  };
  return registry;
}

const RegisteredPlan& plan_named(std::string_view name) {
  return entry_named(search_plans(), name, "search plan");
}

std::vector<std::string> plan_names() { return names_of(search_plans()); }

GridShape default_shape(std::string_view plan, int ranks) { return plan_named(plan).shapes.usual(ranks); }

void require_shape(std::string_view plan, GridShape shape) {
  const PlanShapes& shapes = plan_named(plan).shapes;
  if (!shapes.is_the_only_one) return;
  if (std::int64_t{shape.rows} * shape.cols > std::numeric_limits<int>::max()) {
    throw UsageError(fmt::format("no run has as many ranks as --grid {}; leave it out", shape.text()));
  }
  const GridShape usual = shapes.usual(shape.size());
  if (shape == usual) return;
  throw UsageError(fmt::format("the plan {} has the grid {} on {} ranks, not {}; leave --grid out", plan,
                               usual.text(), shape.size(), shape.text()));
}

std::string_view tasks_of(std::string_view plan, const Switches& switches, GridShape shape, int threads) {
  if (!plan_named(plan).has_tasks || switches.exchange || shape.cols == 1) return {};
  return threads > 1 ? "side_by_side" : "in_turn";
}

void require_fitting_numbers(std::string_view name, std::int64_t num_vertices, GridShape shape) {
  const int position_bits = plan_named(name).has_wide_positions ? PlanOptions().position_bits : 0;
  require_positions(BlockPartition(num_vertices, shape.size()), shape, position_bits);
}

std::unique_ptr<SearchPlan> construct_plan(std::string_view name, const EdgeStream& edges,
                                           const Communicator& world, const PlanOptions& options,
                                           PhaseObserver& observer) {
  require_shape(name, options.shape);
  return construct_registered(plan_named(name), edges, world, options, observer);
}

}  // namespace isobath
