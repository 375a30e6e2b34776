// SPDX-License-Identifier: Apache-2.0
#include "machine/cgroup_limits.hpp"

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace isobath {
namespace {

namespace fs = std::filesystem;

// cgroup v1 says "no limit" by the largest page count, a little below 2^63.
constexpr std::int64_t unlimited_bytes = std::int64_t{1} << 60;

template <class T>
void tighten(std::optional<T>& limit, T value) {
  if (!limit || value < *limit) limit = value;
}

/// The folders from base/group up to base. The path of a group as the host sees it need not exist inside a
/// container; then only its upper part does, at the least base.
std::vector<fs::path> ancestors(const fs::path& base, const std::string& group) {
  std::vector<fs::path> folders{base};
  fs::path folder = base;
  for (const fs::path& part : fs::path(group).relative_path()) {
    folder /= part;
    folders.push_back(folder);
  }
  return folders;
}

void read_memory(const fs::path& file, CgroupLimits& limits) {
  std::ifstream in(file);
  std::int64_t bytes = 0;
  // "max" is no number, so it leaves the limit absent
  if (in >> bytes && bytes > 0 && bytes < unlimited_bytes) tighten(limits.memory_bytes, bytes);
}

void set_cpus(double quota, double period, CgroupLimits& limits) {
  if (quota > 0 && period > 0) tighten(limits.cpus, quota / period);
}

void read_v2(const fs::path& folder, CgroupLimits& limits) {
  read_memory(folder / "memory.max", limits);
  std::ifstream in(folder / "cpu.max");
  double quota = 0;
  double period = 0;
  if (in >> quota >> period) set_cpus(quota, period, limits);
}

void read_v1_cpu(const fs::path& folder, CgroupLimits& limits) {
  std::ifstream quota_file(folder / "cpu.cfs_quota_us");
  std::ifstream period_file(folder / "cpu.cfs_period_us");
  double quota = 0;
  double period = 0;
  if (quota_file >> quota && period_file >> period) set_cpus(quota, period, limits);
}

bool has_word(const std::string& list, const std::string& word) {
  std::istringstream words(list);
  std::string one;
  while (std::getline(words, one, ',')) {
    if (one == word) return true;
  }
  return false;
}

}  // namespace

CgroupLimits cgroup_limits(const fs::path& root) {
  CgroupLimits limits;
  const fs::path mount = root / "sys/fs/cgroup";
  std::ifstream groups(root / "proc/self/cgroup");
  std::string line;
  while (std::getline(groups, line)) {  // number:controllers:path
    const auto first = line.find(':');
    const auto second = first == std::string::npos ? first : line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    const std::string group = line.substr(second + 1);
    if (controllers.empty()) {
      for (const fs::path& folder : ancestors(mount, group)) read_v2(folder, limits);
      for (const fs::path& folder : ancestors(mount / "unified", group)) read_v2(folder, limits);
    }
    if (has_word(controllers, "memory")) {
      for (const fs::path& folder : ancestors(mount / "memory", group)) {
        read_memory(folder / "memory.limit_in_bytes", limits);
      }
    }
    if (has_word(controllers, "cpu")) {
      for (const char* name : {"cpu", "cpu,cpuacct"}) {
        for (const fs::path& folder : ancestors(mount / name, group)) read_v1_cpu(folder, limits);
      }
    }
  }
  return limits;
}

}  // namespace isobath
