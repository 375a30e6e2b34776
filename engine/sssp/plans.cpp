// SPDX-License-Identifier: Apache-2.0
#include <array>

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/named_entry.hpp"
#include "sssp/choose_plan.hpp"
#include "sssp/registered_path_plan.hpp"

namespace isobath {
namespace {

std::span<const RegisteredPathPlan> path_plans() {
  static const std::array registry = {
      registered_landmark(),        // leaves edges out
      registered_delta_stepping(),  // buckets of distance
      registered_bellman_ford(),    // the baseline
  };
  return registry;
}

const RegisteredPathPlan& path_plan_named(std::string_view name) {
  return entry_named(path_plans(), name, "plan for shortest paths");
}

}  // namespace

std::vector<std::string> path_plan_names() { return names_of(path_plans()); }

std::string_view default_path_plan(bool official) { return official ? "delta-stepping" : "landmark"; }

bool prunes(std::string_view plan, std::string_view asked) {
  const bool it_does = path_plan_named(plan).prunes;
  if (asked == "on" && !it_does) {
    throw UsageError(
        fmt::format("--sssp-prune on is nothing that plan {} can do; use --sssp-plan landmark", plan));
  }
  if (asked == "off" && it_does) {
    throw UsageError(
        fmt::format("--sssp-prune off is nothing that plan {} can do; use --sssp-plan delta-stepping", plan));
  }
  return it_does;
}

void expect_takes_delta(std::string_view plan) {
  if (plan == any_path_plan || !path_plan_named(plan).takes_delta) {
    throw UsageError("--sssp-delta is of one plan; add --sssp-plan delta-stepping");
  }
}

std::unique_ptr<SearchPlan> construct_path_plan(std::string_view name, const WeightedEdgeStream& edges,
                                                const Communicator& world, const PathOptions& options,
                                                PhaseObserver& observer) {
  if (name == any_path_plan) return construct_fitting_path_plan(edges, world, options, observer);
  return construct_registered(path_plan_named(name), edges, world, options, observer);
}

}  // namespace isobath
