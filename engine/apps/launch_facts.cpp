// SPDX-License-Identifier: Apache-2.0
#include "apps/launch_facts.hpp"

#include <unistd.h>

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include "comm/node_map.hpp"
#include "graph500/run_facts.hpp"
#include "record/process_facts.hpp"

extern char** environ;  // NOLINT: the system's

namespace isobath {
namespace {

/// Variables that MPI libraries and their transports read.
std::map<std::string, std::string> mpi_environment() {
  constexpr std::string_view prefixes[] = {"MPIR_",  "MPICH_", "I_MPI_", "OMPI_MCA_", "MV2_",
                                           "HCOLL_", "SHARP_", "UCC_",   "UCX_",      "FI_"};
  std::map<std::string, std::string> found;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    const std::size_t equals = text.find('=');
    if (equals == std::string_view::npos) continue;
    const bool is_of_mpi =
        std::ranges::any_of(prefixes, [&](std::string_view prefix) { return text.starts_with(prefix); });
    if (is_of_mpi) found.emplace(text.substr(0, equals), text.substr(equals + 1));
  }
  return found;
}

}  // namespace

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
  launch.environment = mpi_environment();
  return launch;
}

}  // namespace isobath
