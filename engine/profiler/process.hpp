// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/launched_ranks.hpp"

namespace isobath::profiler {

/// What tells this process from every other of a command, whatever MPI calls its ranks: two worlds of one
/// rank have a rank 0 each.
struct ProcessFacts {
  std::string host;
  int pid = 0;
  int parent = 0;          // of one host, the ranks of one launcher have it in common
  std::int64_t began = 0;  // before MPI, nanoseconds since 1970
  std::string job;         // the launcher's name for its ranks together, where it has one
  int task = -1;           // the launcher's number of this process; -1 where it has none
  LaunchVariables variables;
  // Known when MPI has begun:
  std::int64_t launched = 0;  // how many processes the launcher says that it started; 0 where nobody tells
  std::string fault;          // why the world is not what was started; empty where it is
  std::string cure;
};

std::int64_t nanoseconds_since_1970();

/// How long ago the calling thread was started, in nanoseconds; the kernel tells it to a hundredth of a
/// second, rounded up here. 0 where it cannot be known.
std::int64_t thread_age();

/// Of this process. To be asked before MPI starts: libraries change the environment.
ProcessFacts process_facts();

/// Holds the world that MPI made against what the launcher started.
void judge_world(ProcessFacts& process, int size, std::string_view library);

/// Where the process writes, without suffix: rank, size, the launcher's rank, host, process and start in its
/// name, so that none overwrites another.
std::string file_of(const std::string& folder, const ProcessFacts& process, int rank, int size);

}  // namespace isobath::profiler
