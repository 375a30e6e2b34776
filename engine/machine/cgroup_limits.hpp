// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

namespace isobath {

/// Limits that a container or batch system set for this process; absent where there is none. A limit of 0,
/// which some systems report while they know nothing, counts as none.
struct CgroupLimits {
  std::optional<std::int64_t> memory_bytes;
  std::optional<double> cpus;  // processor time per time, e.g. 1.5
};

/// Reads cgroup v1 and v2 (or both, as mixed systems have them): the tightest limit from this process's group
/// up to the top one that is visible. `root` stands for / in tests.
CgroupLimits cgroup_limits(const std::filesystem::path& root = "/");

}  // namespace isobath
