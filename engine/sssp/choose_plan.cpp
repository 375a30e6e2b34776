// SPDX-License-Identifier: Apache-2.0
#include "sssp/choose_plan.hpp"

#include <string>
#include <utility>

#include <fmt/format.h>

#include "sssp/delta_stepping.hpp"
#include "sssp/landmark_plan.hpp"

namespace isobath {
namespace {

/// Above this part of light edges the first pass of `landmark` is as large as the graph, and weights so alike
/// that no detour is shorter than an edge.
constexpr double most_light = 0.25;
/// Above this part of taken edges `delta-stepping` searches faster (docs/explanation/sssp.md, "Which plan").
constexpr double most_taken = 0.45;

}  // namespace

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

}  // namespace isobath
