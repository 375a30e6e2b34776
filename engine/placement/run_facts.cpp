// SPDX-License-Identifier: Apache-2.0
#include "placement/run_facts.hpp"

#include <unistd.h>

#include <algorithm>

#include "base/instruction_set.hpp"
#include "comm/environment.hpp"
#include "machine/process_facts.hpp"

namespace isobath {
namespace {

/// Collective. One description of each distinct host, by its first rank.
std::vector<HostFacts> distinct_hosts(const Communicator& world) {
  const std::vector<std::string> keys = world.allgather(host_key());
  const auto rank = static_cast<std::size_t>(world.rank());
  const auto is_first = [&](std::size_t r) {
    return std::find(keys.begin(), keys.end(), keys[r]) - keys.begin() == static_cast<std::ptrdiff_t>(r);
  };
  const std::vector<std::string> described =
      world.allgather(is_first(rank) ? to_json(facts_of_this_host()) : std::string());
  std::vector<HostFacts> hosts;
  for (const std::string& text : described) {
    if (!text.empty()) hosts.push_back(host_facts_from_json(text));
  }
  return hosts;
}

/// Collective. Where every rank and thread may run.
std::vector<BindingFacts> bindings(const Communicator& world, const ThreadSetup& threads) {
  BindingFacts own;
  own.rank = world.rank();
  own.hostname = hostname();
  own.pid = getpid();
  own.cpus = threads.process_cpus;
  own.thread_cpus = cpus_of_threads(threads.threads);
  std::vector<BindingFacts> all;
  for (const std::string& text : world.allgather(to_json(own))) all.push_back(binding_from_json(text));
  return all;
}

MpiFacts mpi_facts(const Communicator& world) {
  const MpiIdentity identity = mpi_identity();
  MpiFacts facts;
  facts.library_version = identity.library_version;
  facts.standard_version = identity.standard_version;
  facts.thread_level = identity.thread_level;
  facts.large_counts = identity.large_counts && world.limit().prefer_large_counts;
  facts.standard_abi = identity.standard_abi;
  return facts;
}

}  // namespace

RunRecord gather_run_facts(const Communicator& world, const ThreadSetup& threads) {
  RunRecord run;
  run.build = build_info();
  run.version = run.build.version;
  run.mpi = mpi_facts(world);
  run.hosts = distinct_hosts(world);
  run.binding = bindings(world, threads);
  run.ranks = world.size();
  run.threads_per_rank = threads.max_threads;
  run.oversubscribed = threads.oversubscribed;
  run.instruction_set = name_of(best_instruction_set());
  run.clock_resolution_seconds = clock_resolution_seconds();
  return run;
}

}  // namespace isobath
