// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace isobath {

/// One machine, as its kernel describes it. What the kernel does not say is absent.
struct HostFacts {
  std::string hostname;
  std::string cpu_model;
  int cores = 1;  // not hardware threads
  std::optional<int> sockets;
  std::optional<int> numa_nodes;
  std::optional<std::int64_t> l1d_bytes;  // of one core
  std::optional<std::int64_t> l2_bytes;
  std::optional<std::int64_t> l3_bytes;
  std::optional<std::int64_t> memory_bytes;
  std::optional<std::int64_t> cgroup_memory_bytes;
  std::optional<double> cgroup_cpus;
  std::optional<std::string> kernel;
  std::optional<std::string> huge_pages;  // setting of transparent huge pages: always, madvise, never
  std::optional<std::string> clock_source;
};

/// Reads /proc and /sys under `root` (a fabricated tree in tests); works where either is missing.
HostFacts read_host_facts(const std::filesystem::path& root = "/");

/// Those of the machine that this process is on; of a simulated node there is little to know.
HostFacts facts_of_this_host();

/// The core that a processor belongs to; processors of one core share its number.
struct CpuPlace {
  int cpu = 0;
  int package = 0;
  int core = 0;
  int numa_node = 0;  // 0 where the kernel does not tell
};

/// Places of `cpus`; where the kernel does not tell, each is a core of its own.
std::vector<CpuPlace> places_of(const std::vector<int>& cpus, const std::filesystem::path& root = "/");

}  // namespace isobath
