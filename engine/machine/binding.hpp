// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace isobath {

/// Where one rank may run, as the system says (not as was asked for).
struct BindingFacts {
  int rank = 0;
  std::string hostname;
  int pid = 0;
  std::string cpus;                      // of the process at its start, e.g. "0-1"
  std::vector<std::string> thread_cpus;  // of each OpenMP thread, in their order
};

/// Processors that the calling thread may run on, ascending. Never empty.
std::vector<int> allowed_cpus();

/// Lets the calling thread run on one processor only; false when the system refuses.
bool bind_this_thread(int cpu);

/// Processors of each OpenMP thread of a team of `threads`, as lists ("0-1").
std::vector<std::string> cpus_of_threads(int threads);

}  // namespace isobath
