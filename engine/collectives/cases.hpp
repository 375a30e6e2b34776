// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include "collectives/case.hpp"

namespace isobath {

// One function for each collective or family of them; a new one takes a file, a line here and one in
// cases.cpp.
std::vector<Case> barrier_cases();
std::vector<Case> bcast_cases();
std::vector<Case> gather_cases();
std::vector<Case> scatter_cases();
std::vector<Case> allgather_cases();
std::vector<Case> alltoall_cases();
std::vector<Case> reduce_cases();
std::vector<Case> reduce_scatter_cases();
std::vector<Case> scan_cases();
std::vector<Case> neighbour_cases();

/// Ranks next to `rank` in every dimension, in the order of MPI's neighbourhood collectives on a Cartesian
/// communicator that is not periodic; -1 where there is none. Dimension 0 varies fastest.
std::vector<int> neighbours_of(const std::vector<int>& extents, int rank);

/// All of them.
std::vector<Case> all_cases();
/// The case of a collective, carried out by the MPI library or by one's own algorithm of that name.
/// @throws UsageError where there is no such algorithm
Case case_of(Collective collective, const std::string& own = {});

}  // namespace isobath
