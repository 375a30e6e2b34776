// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <memory>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/named_entry.hpp"
#include "sssp/delta_stepping.hpp"
#include "sssp/landmark_plan.hpp"
#include "sssp/plan.hpp"
#include "sssp/registered_path_plan.hpp"

namespace isobath {
namespace {

/// Above this part of light edges the first pass of `landmark` is as large as the graph, and weights so alike
/// that no detour is shorter than an edge.
constexpr double most_light = 0.25;
/// Above this part of taken edges `delta-stepping` searches faster (docs/explanation/sssp.md, "Which plan").
constexpr double most_taken = 0.45;

/// Collective. Kernel 1 of `landmark` where it leaves out most edges, else of `delta-stepping`; reason() of
/// the plan says why. Every rank decides the same.
///
/// What is asked is known early: whether weights differ at all (a sample), and what part of the edges the
/// second pass of `landmark` would take (the same sample, after the first pass). The price where
/// delta-stepping wins: a pass that counts end points, and one that takes a sixteenth of the edges.
std::unique_ptr<SearchPlan> construct_fitting_path_plan(const WeightedEdgeStream& edges,
                                                        const Communicator& world, const PathOptions& options,
                                                        PhaseObserver& observer) {
  const auto step_by_delta = [&](std::string reason) {
    auto plan = std::make_unique<DeltaStepping>(edges, world, options, observer);
    plan->because(std::move(reason));
    return plan;
  };
  if (edges.num_vertices() > most_landmark_vertices)
    return step_by_delta("landmark numbers at most 2^31 vertices");
  EdgeSample sample = sample_edges(edges, world);
  const double light = light_weight(sample).part;
  if (light > most_light) {
    return step_by_delta(
        fmt::format("weights are alike: {:.0f} % of a sample are among its lightest", 100 * light));
  }
  double taken = 1;
  {
    LandmarkStart start(edges, world, std::move(sample), observer);
    taken = start.likely_part();
    if (taken <= most_taken) {
      auto plan = std::make_unique<LandmarkPlan>(edges, world, std::move(start), observer);
      plan->because(fmt::format("the landmark leaves out {:.0f} % of a sample of edges", 100 * (1 - taken)));
      return plan;
    }
  }
  return step_by_delta(
      fmt::format("no landmark dominates: it leaves out {:.0f} % of a sample of edges", 100 * (1 - taken)));
}

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

void require_fitting_path_numbers(std::string_view name, std::int64_t num_vertices, GridShape shape) {
  // Of more than landmark numbers, any graph wants delta-stepping, which numbers as many on any grid.
  const RegisteredPathPlan plan = name == any_path_plan ? registered_delta_stepping() : path_plan_named(name);
  if (plan.require_numbers != nullptr) plan.require_numbers(num_vertices, shape);
}

std::unique_ptr<SearchPlan> construct_path_plan(std::string_view name, const WeightedEdgeStream& edges,
                                                const Communicator& world, const PathOptions& options,
                                                PhaseObserver& observer) {
  if (name == any_path_plan) return construct_fitting_path_plan(edges, world, options, observer);
  return construct_registered(path_plan_named(name), edges, world, options, observer);
}

}  // namespace isobath
