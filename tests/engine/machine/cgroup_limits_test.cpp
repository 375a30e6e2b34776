// SPDX-License-Identifier: Apache-2.0
#include "machine/cgroup_limits.hpp"

#include <gtest/gtest.h>

#include "../record/file_tree.hpp"

namespace isobath {
namespace {

TEST(CgroupLimits, VersionTwoTakesTheTightestOfAllAncestors) {
  const FileTree tree;
  tree.write("proc/self/cgroup", "0::/batch/job7\n");
  tree.write("sys/fs/cgroup/batch/job7/memory.max", "max\n");
  tree.write("sys/fs/cgroup/batch/job7/cpu.max", "150000 100000\n");
  tree.write("sys/fs/cgroup/batch/memory.max", "2147483648\n");
  tree.write("sys/fs/cgroup/batch/cpu.max", "max 100000\n");

  const CgroupLimits limits = cgroup_limits(tree.root());

  EXPECT_EQ(limits.memory_bytes, std::int64_t{1} << 31);
  EXPECT_EQ(limits.cpus, 1.5);
}

TEST(CgroupLimits, VersionOneReadsEachController) {
  const FileTree tree;
  tree.write("proc/self/cgroup", "5:cpu,cpuacct:/job\n4:memory:/job/inner\n3:cpuset:/\n");
  tree.write("sys/fs/cgroup/memory/job/inner/memory.limit_in_bytes", "9223372036854771712\n");
  tree.write("sys/fs/cgroup/memory/job/memory.limit_in_bytes", "1000000\n");
  tree.write("sys/fs/cgroup/cpu,cpuacct/job/cpu.cfs_quota_us", "200000\n");
  tree.write("sys/fs/cgroup/cpu,cpuacct/job/cpu.cfs_period_us", "100000\n");

  const CgroupLimits limits = cgroup_limits(tree.root());

  EXPECT_EQ(limits.memory_bytes, 1000000);
  EXPECT_EQ(limits.cpus, 2.0);
}

TEST(CgroupLimits, InAContainerThePathOfTheHostIsNotThereButTheLimitIs) {
  const FileTree tree;
  tree.write("proc/self/cgroup", "0::/kubepods/pod1/abc\n");
  tree.write("sys/fs/cgroup/memory.max", "4096\n");
  EXPECT_EQ(cgroup_limits(tree.root()).memory_bytes, 4096);
}

TEST(CgroupLimits, NoLimitIsAbsent) {
  const FileTree tree;
  tree.write("proc/self/cgroup", "4:memory:/\n1:cpu:/\n0::/\n");
  tree.write("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
  tree.write("sys/fs/cgroup/cpu/cpu.cfs_quota_us", "-1\n");
  tree.write("sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n");
  tree.write("sys/fs/cgroup/memory.max", "max\n");
  tree.write("sys/fs/cgroup/cpu.max", "max 100000\n");

  const CgroupLimits limits = cgroup_limits(tree.root());

  EXPECT_EQ(limits.memory_bytes, std::nullopt);
  EXPECT_EQ(limits.cpus, std::nullopt);
}

TEST(CgroupLimits, ALimitOfZeroIsNone) {
  const FileTree tree;
  tree.write("proc/self/cgroup", "0::/\n");
  tree.write("sys/fs/cgroup/memory.max", "0\n");
  tree.write("sys/fs/cgroup/cpu.max", "0 100000\n");
  EXPECT_EQ(cgroup_limits(tree.root()).memory_bytes, std::nullopt);
  EXPECT_EQ(cgroup_limits(tree.root()).cpus, std::nullopt);
}

TEST(CgroupLimits, WithoutCgroupsThereIsNone) {
  const FileTree tree;
  EXPECT_EQ(cgroup_limits(tree.root()).memory_bytes, std::nullopt);
  EXPECT_EQ(cgroup_limits(tree.root()).cpus, std::nullopt);
}

}  // namespace
}  // namespace isobath
