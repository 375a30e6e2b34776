// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "apps/loaded_graph.hpp"
#include "apps/search_options.hpp"
#include "base/error.hpp"
#include "comm/communicator.hpp"

namespace isobath {

/// Validates what somebody else found from a root and prints a sentence: every rule holds, or the first that
/// does not and where, with vertices as the file calls them. One rank alone.
/// @throws UsageError for more ranks, or a root or a claim about a vertex that is not in the graph
/// @throws EnvironmentError where the claims cannot be read
ExitCode validate_claims(const SearchOptions& options, LoadedGraph& graph, const Communicator& world);

}  // namespace isobath
