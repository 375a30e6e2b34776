// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "sssp/plan.hpp"

namespace isobath {

/// Collective. Kernel 1 of `landmark` where it leaves out most edges, else of `delta-stepping`; reason() of
/// the plan says why. Every rank decides the same.
///
/// What is asked is known early: whether weights differ at all (a sample), and what part of the edges the
/// second pass of `landmark` would take (the same sample, after the first pass). The price where
/// delta-stepping wins: a pass that counts end points, and one that takes a sixteenth of the edges.
std::unique_ptr<SearchPlan> construct_fitting_path_plan(const WeightedEdgeStream& edges,
                                                        const Communicator& world, const PathOptions& options,
                                                        PhaseObserver& observer);

}  // namespace isobath
