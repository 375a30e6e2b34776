// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "comm/communicator.hpp"

namespace isobath {

/// Ranks are not where they were asked to be; all ranks find it alike, before any work.
struct PlacementError : Error {
  explicit PlacementError(const std::string& sentence) : Error(ExitCode::environment, sentence) {}
};

/// Where ranks are, or were asked to be, each by its rank.
struct RankPlaces {
  std::vector<int> node_of_rank;          // numbered in the order in which ranks meet them
  std::vector<std::string> host_of_node;  // as machines call themselves; empty: any
};

/// Reads ISOBATH_EXPECT_NODES ("0,0,1,1") and ISOBATH_EXPECT_HOSTS ("a,b", or empty).
/// @throws UsageError where there are not `ranks` numbers, or not a name for each node
RankPlaces parse_places(std::string_view nodes, std::string_view hosts, int ranks);

/// Which rank is elsewhere, and where; empty where all are as asked.
std::string placement_fault(const RankPlaces& asked, const RankPlaces& obtained);

/// Collective. Which two threads of one node may run on the same processor alone, the same on all ranks;
/// empty where none do. A rank compares the threads of its own node only.
/// @param node                 of this rank
/// @param cpus_of_own_threads  for each the processors that it may run on, as "3" or "0-3"
std::string binding_fault(const Communicator& world, int node,
                          const std::vector<std::string>& cpus_of_own_threads);

/// Which rank lies elsewhere in a shape, and where; empty where all lie as asked: dimension 0 varies fastest
/// with the rank.
/// @param coordinates  of every rank, as MPI has them; dimension 0 first
std::string shape_fault(const std::vector<int>& extents, const std::vector<std::vector<int>>& coordinates);

/// Collective. Where a strict placement was asked for (ISOBATH_EXPECT_NODES of rank 0) nothing is measured
/// unless every rank is on the node that it was to be on, with processors of its own. Call when threads are
/// set up. @throws PlacementError, on all ranks alike
void require_placement(const Communicator& world, int threads, bool oversubscribed);

/// Collective. Where a strict placement was asked for nothing is measured unless MPI lays the ranks of the
/// world out along a Cartesian topology of these extents as they were to be. @pre their product is
/// world.size()
/// @throws PlacementError, on all ranks alike
void require_shape(const Communicator& world, const std::vector<int>& extents);

/// For progress threads.
struct ProgressPlaces {
  std::optional<int> own;  // the processor that this rank's first thread is bound to; absent: it is not bound
  std::optional<int> spare;  // one that no rank computes on, for this rank alone; absent: there are too few
};

/// Collective. After threads were bound. @param before  processors of this process before that
/// @param threads  of this rank
ProgressPlaces progress_places(const Communicator& world, const std::vector<int>& before, int threads);

}  // namespace isobath
