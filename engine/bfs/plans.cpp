// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "base/named_entry.hpp"
#include "bfs/grid_search.hpp"
#include "bfs/one_sided.hpp"
#include "bfs/plan.hpp"
#include "bfs/replicated.hpp"
#include "bfs/simple.hpp"
#include "bfs/two_dim.hpp"
#include "graph/codes.hpp"

namespace isobath {
namespace {

using Constructor = std::unique_ptr<SearchPlan> (*)(const EdgeStream&, const Communicator&,
                                                    const PlanOptions&, PhaseObserver&);
struct RegisteredPlan {
  std::string_view name;
  Constructor construct;
};

template <class Plan>
std::unique_ptr<SearchPlan> make(const EdgeStream& edges, const Communicator& world,
                                 const PlanOptions& options, PhaseObserver& observer) {
  return std::make_unique<Plan>(edges, world, options, observer);
}

/// A plan is a line here, and its defaults and choices in switches.cpp.
constexpr std::array<RegisteredPlan, 6> registered = {{
    {"replicated-csr", make<ReplicatedCsr>},
    {"replicated-csc", make<ReplicatedCsc>},
    {"simple", make<Simple>},
    {"one-sided", make<OneSided>},
    {"two-dim", make<TwoDim>},
    {"hybrid", make<GridSearch>},
}};
static_assert(are_named(registered, plan_names));

}  // namespace

void require_fitting_numbers(std::string_view name, std::int64_t num_vertices, GridShape shape) {
  default_switches(name);  // is there such a plan?
  check_id_widths(BlockPartition(num_vertices, shape.size()), shape);
}

std::unique_ptr<SearchPlan> construct_plan(std::string_view name, const EdgeStream& edges,
                                           const Communicator& world, const PlanOptions& options,
                                           PhaseObserver& observer) {
  default_switches(name);
  require_shape(name, options.shape);
  return entry_named(registered, name, "search plan").construct(edges, world, options, observer);
}

}  // namespace isobath
