// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "base/vertex.hpp"
#include "generator/kronecker.hpp"

namespace isobath {

/// Whether each vertex has an edge that is no self-loop (1 or 0, in order), found without storing the graph:
/// one pass over all its edges by all threads, which ends early once every vertex has one. `vertices` holds
/// no duplicates.
std::vector<char> have_neighbours(const KroneckerGenerator& generator,
                                  std::span<const GlobalVertex> vertices);

}  // namespace isobath
