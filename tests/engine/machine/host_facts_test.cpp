// SPDX-License-Identifier: Apache-2.0
#include "machine/host_facts.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "../record/file_tree.hpp"

namespace isobath {
namespace {

/// Two sockets of two cores of two hardware threads each, processors 4 .. 7 being the second threads.
void write_machine(const FileTree& tree) {
  for (int cpu = 0; cpu < 8; ++cpu) {
    const std::string folder = fmt::format("sys/devices/system/cpu/cpu{}/", cpu);
    tree.write(folder + "topology/core_id", fmt::format("{}\n", cpu % 2));
    tree.write(folder + "topology/physical_package_id", fmt::format("{}\n", cpu / 2 % 2));
  }
  const auto cache = [&](int index, int level, const char* type, const char* size) {
    const std::string folder = fmt::format("sys/devices/system/cpu/cpu0/cache/index{}/", index);
    tree.write(folder + "level", fmt::format("{}\n", level));
    tree.write(folder + "type", fmt::format("{}\n", type));
    tree.write(folder + "size", fmt::format("{}\n", size));
  };
  cache(0, 1, "Data", "48K");
  cache(1, 1, "Instruction", "32K");
  cache(2, 2, "Unified", "2048K");
  cache(3, 3, "Unified", "36M");
  tree.write("sys/devices/system/cpu/cpufreq/governor", "performance\n");
  tree.write("sys/devices/system/node/node0/cpulist", "0-3\n");
  tree.write("sys/devices/system/node/node1/cpulist", "4-7\n");
  tree.write("sys/devices/system/node/possible", "0-1\n");
  tree.write("sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never\n");
  tree.write("sys/devices/system/clocksource/clocksource0/current_clocksource", "tsc\n");
  tree.write("proc/cpuinfo", "processor\t: 0\nmodel name\t: Some CPU @ 2.50GHz\n");
  tree.write("proc/meminfo", "MemTotal:       1024 kB\nMemFree: 5 kB\n");
  tree.write("proc/sys/kernel/osrelease", "6.1.0\n");
}

TEST(HostFacts, DescribeAMachineOfTwoSockets) {
  const FileTree tree;
  write_machine(tree);

  const HostFacts facts = read_host_facts(tree.root());

  EXPECT_EQ(facts.cpu_model, "Some CPU @ 2.50GHz");
  EXPECT_EQ(facts.cores, 4);
  EXPECT_EQ(facts.sockets, 2);
  EXPECT_EQ(facts.numa_nodes, 2);
  EXPECT_EQ(facts.l1d_bytes, 48 << 10);
  EXPECT_EQ(facts.l2_bytes, 2 << 20);
  EXPECT_EQ(facts.l3_bytes, 36 << 20);
  EXPECT_EQ(facts.memory_bytes, 1 << 20);
  EXPECT_EQ(facts.kernel, "6.1.0");
  EXPECT_EQ(facts.huge_pages, "madvise");
  EXPECT_EQ(facts.clock_source, "tsc");
  EXPECT_EQ(facts.cgroup_memory_bytes, std::nullopt);
}

TEST(HostFacts, ASwitchedOffProcessorIsNoCore) {
  const FileTree tree;
  write_machine(tree);
  tree.write("sys/devices/system/cpu/cpu8/online", "0\n");
  tree.write("sys/devices/system/cpu/cpu1/online", "1\n");
  EXPECT_EQ(read_host_facts(tree.root()).cores, 4);
}

TEST(HostFacts, WithoutProcAndSysTheRestIsAbsent) {
  const FileTree tree;
  const HostFacts facts = read_host_facts(tree.root());
  EXPECT_FALSE(facts.hostname.empty());
  EXPECT_EQ(facts.cpu_model, "unknown");
  EXPECT_GE(facts.cores, 1);
  EXPECT_EQ(facts.sockets, std::nullopt);
  EXPECT_EQ(facts.numa_nodes, std::nullopt);
  EXPECT_EQ(facts.l2_bytes, std::nullopt);
  EXPECT_EQ(facts.memory_bytes, std::nullopt);
  EXPECT_EQ(facts.huge_pages, std::nullopt);
}

TEST(HostFacts, OfThisMachineAreSane) {
  const HostFacts facts = read_host_facts();
  EXPECT_GE(facts.cores, 1);
  ASSERT_TRUE(facts.memory_bytes.has_value());
  EXPECT_GT(*facts.memory_bytes, 1 << 20);
  EXPECT_TRUE(facts.kernel.has_value());
}

TEST(Places, ProcessorsOfOneCoreShareItsNumber) {
  const FileTree tree;
  write_machine(tree);
  const std::vector<CpuPlace> places = places_of({1, 2, 5}, tree.root());
  EXPECT_EQ(places[0].package, places[2].package);
  EXPECT_EQ(places[0].core, places[2].core);
  EXPECT_NE(places[0].package, places[1].package);
}

TEST(Places, AProcessorKnowsItsMemoryDomain) {
  const FileTree tree;
  write_machine(tree);
  tree.write("sys/devices/system/cpu/cpu2/node1/cpulist", "2\n");
  const std::vector<CpuPlace> places = places_of({1, 2}, tree.root());
  EXPECT_EQ(places[0].numa_node, 0);
  EXPECT_EQ(places[1].numa_node, 1);
}

TEST(Places, WithoutTopologyEachProcessorIsACore) {
  const FileTree tree;
  const std::vector<CpuPlace> places = places_of({3, 4}, tree.root());
  EXPECT_EQ(places[0].core, 3);
  EXPECT_EQ(places[1].core, 4);
}

}  // namespace
}  // namespace isobath
