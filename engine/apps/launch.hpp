// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

namespace isobath {

// What is known of a launch before MPI starts, from the variables that launchers set.

/// This process's rank, where a launcher tells; 0 without one. For printing once, not for work.
int announced_rank();

/// Ranks that the launcher starts on this node; 1 without a launcher; absent where there is one that does not
/// tell.
std::optional<int> announced_local_ranks();

/// How idle OpenMP threads wait: actively where every thread of the node has a processor, passively
/// otherwise. Absent where the user or the launcher has chosen, or where nobody tells how many ranks share
/// the node.
std::optional<const char*> wait_policy_to_set(std::optional<int> threads);

/// Gives this process the right waiting policy. The OpenMP library reads OMP_WAIT_POLICY when it is loaded,
/// before main(): so where the variable is not set, this sets it and executes the program again, once, with
/// the same process number, arguments and open files. Call before MPI starts. Returns where nothing had to be
/// done or execution failed; then the library's default holds.
void choose_wait_policy(char** argv, std::optional<int> threads);

}  // namespace isobath
