// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "base/vertex.hpp"
#include "bfs/plan.hpp"
#include "graph500/protocol.hpp"

namespace isobath {

/// Collective. The keys that a run searches from: those that were given, or sampled ones.
/// @throws UsageError when no vertex can be searched from, or a given root cannot
std::vector<GlobalVertex> keys_of_run(const Benchmark& benchmark, const SearchPlan& plan);

}  // namespace isobath
