// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>

#include "base/error.hpp"
#include "sssp/bellman_ford.hpp"
#include "sssp/choose_plan.hpp"
#include "sssp/delta_stepping.hpp"
#include "sssp/landmark_plan.hpp"
#include "sssp/plan.hpp"

namespace isobath {
namespace {

void expect_known(std::string_view name) {
  if (std::find(path_plan_names.begin(), path_plan_names.end(), name) != path_plan_names.end()) return;
  throw UsageError(fmt::format("there is no plan {} for shortest paths; there are {}", name,
                               fmt::join(path_plan_names, ", ")));
}

}  // namespace

std::string_view default_path_plan(bool official) { return official ? "delta-stepping" : "landmark"; }

bool prunes(std::string_view plan, std::string_view asked) {
  expect_known(plan);
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

std::unique_ptr<PathPlan> construct_path_plan(std::string_view name, const WeightedEdgeStream& edges,
                                              const Communicator& world, const PathOptions& options,
                                              PhaseObserver& observer) {
  if (name == any_path_plan) return construct_fitting_path_plan(edges, world, options, observer);
  expect_known(name);
  if (name == "landmark") return std::make_unique<LandmarkPlan>(edges, world, options, observer);
  if (name == "delta-stepping") return std::make_unique<DeltaStepping>(edges, world, options, observer);
  return std::make_unique<BellmanFord>(edges, world, observer);
}

}  // namespace isobath
