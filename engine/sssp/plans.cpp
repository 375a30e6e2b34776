// SPDX-License-Identifier: Apache-2.0
#include <array>

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/named_entry.hpp"
#include "sssp/bellman_ford.hpp"
#include "sssp/choose_plan.hpp"
#include "sssp/delta_stepping.hpp"
#include "sssp/landmark_plan.hpp"
#include "sssp/plan.hpp"

namespace isobath {
namespace {

using Constructor = std::unique_ptr<SearchPlan> (*)(const WeightedEdgeStream&, const Communicator&,
                                                    const PathOptions&, PhaseObserver&);
struct RegisteredPlan {
  std::string_view name;
  Constructor construct;
};

template <class Plan>
std::unique_ptr<SearchPlan> make(const WeightedEdgeStream& edges, const Communicator& world,
                                 const PathOptions& options, PhaseObserver& observer) {
  return std::make_unique<Plan>(edges, world, options, observer);
}

/// It has nothing to choose.
std::unique_ptr<SearchPlan> make_bellman_ford(const WeightedEdgeStream& edges, const Communicator& world,
                                              const PathOptions&, PhaseObserver& observer) {
  return std::make_unique<BellmanFord>(edges, world, observer);
}

constexpr std::array<RegisteredPlan, 3> registered = {{
    {"landmark", make<LandmarkPlan>},
    {"delta-stepping", make<DeltaStepping>},
    {"bellman-ford", make_bellman_ford},
}};
static_assert(are_named(registered, path_plan_names));

const RegisteredPlan& plan_named(std::string_view name) {
  return entry_named(registered, name, "plan for shortest paths");
}

}  // namespace

std::string_view default_path_plan(bool official) { return official ? "delta-stepping" : "landmark"; }

bool prunes(std::string_view plan, std::string_view asked) {
  plan_named(plan);
  const bool it_does = plan == "landmark";
  if (asked == "on" && !it_does) {
    throw UsageError(
        fmt::format("--sssp-prune on is nothing that plan {} can do; use --sssp-plan landmark", plan));
  }
  if (asked == "off" && it_does) {
    throw UsageError("--sssp-prune off is nothing that plan landmark can do; use --sssp-plan delta-stepping");
  }
  return it_does;
}

void expect_takes_delta(std::string_view plan) {
  if (plan != "delta-stepping") {
    throw UsageError("--sssp-delta is of one plan; add --sssp-plan delta-stepping");
  }
}

std::unique_ptr<SearchPlan> construct_path_plan(std::string_view name, const WeightedEdgeStream& edges,
                                                const Communicator& world, const PathOptions& options,
                                                PhaseObserver& observer) {
  if (name == any_path_plan) return construct_fitting_path_plan(edges, world, options, observer);
  return plan_named(name).construct(edges, world, options, observer);
}

}  // namespace isobath
