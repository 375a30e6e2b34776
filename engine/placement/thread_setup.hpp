// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "comm/communicator.hpp"
#include "machine/host_facts.hpp"

namespace isobath {

/// What one rank may use of its node: arithmetic only.
struct NodePlace {
  int local_rank = 0;
  int local_ranks = 1;
  bool same_cpus =
      true;  // all ranks of the node may run on the same processors: the launcher did not share them out
};

/// The processors that threads 0, 1, ... of a rank are bound to, and how many threads that gives.
struct ThreadPlaces {
  int threads = 1;
  bool oversubscribed = false;  // more threads on the node than processors to run them
  std::vector<int> cpus;        // one for each thread; empty: threads stay free
};

/// Shares out the processors `places` (ascending) of a node.
///
/// Threads: as requested, else one for each core of the rank's share, at the least one, and not more than
/// `cpu_limit` (of the container) allows; the same for all ranks of the node. Where the launcher gave all
/// ranks of a node the same processors, the cores are cut into consecutive shares. A thread gets a core of
/// its own as long as there are any, then its other hardware threads. Where the threads of the node are more
/// than its processors (or than the limit), the run is oversubscribed and nothing is bound; the default is
/// then one thread for each rank.
ThreadPlaces share_out(const std::vector<CpuPlace>& places, const NodePlace& place,
                       std::optional<int> requested, std::optional<double> cpu_limit);

/// What was set up, on this rank and over all.
struct ThreadSetup {
  int threads = 1;              // of this rank
  int max_threads = 1;          // over ranks
  bool oversubscribed = false;  // on any node
  std::string process_cpus;     // this process's processors before binding, e.g. "0-1"
};

/// Collective. Sets the number of OpenMP threads of this process (as requested, else OMP_NUM_THREADS, else as
/// share_out() says) and binds them, unless the run is
/// oversubscribed or the user has asked OpenMP to bind (OMP_PROC_BIND, OMP_PLACES, GOMP_CPU_AFFINITY).
ThreadSetup set_up_threads(const Communicator& world, std::optional<int> requested);

}  // namespace isobath
