// SPDX-License-Identifier: Apache-2.0
#include "placement/launch_facts.hpp"

#include <unistd.h>

#include <utility>

#include "comm/nodes/node_map.hpp"
#include "machine/process_facts.hpp"
#include "placement/run_facts.hpp"
#include "record/disclosure.hpp"

extern char** environ;  // NOLINT: the system's

namespace isobath {

LaunchRecord launch_record(const Communicator& world, const ThreadSetup& threads, const LaunchWords& words) {
  RunRecord facts = gather_run_facts(world, threads);
  const NodeMap nodes = make_node_map(world, host_key());
  LaunchRecord launch;
  launch.program = words.program;
  launch.version = facts.version;
  launch.argv = words.argv;
  launch.started = words.started;
  launch.launch = words.launch;
  launch.ranks = facts.ranks;
  launch.threads_per_rank = facts.threads_per_rank;
  launch.oversubscribed = facts.oversubscribed;
  launch.build = std::move(facts.build);
  launch.mpi = std::move(facts.mpi);
  launch.hosts = std::move(facts.hosts);
  launch.binding = std::move(facts.binding);
  launch.nodes = nodes.nodes();
  launch.node_of_rank = nodes.node_of_rank;
  launch.node_map_is_override = nodes.is_override;
  launch.clock_resolution_seconds = facts.clock_resolution_seconds;
  launch.environment = stored_variables(environ);
  return launch;
}

}  // namespace isobath
