// SPDX-License-Identifier: Apache-2.0
#include "machine/available_memory.hpp"

#include <algorithm>
#include <fstream>
#include <string>
#include <utility>

#include "machine/cgroup_limits.hpp"

namespace isobath {
namespace {

constexpr std::int64_t kibibyte = 1024;

/// A line such as "MemAvailable:   123 kB".
std::optional<std::int64_t> meminfo(const std::filesystem::path& root, const std::string& field) {
  std::ifstream file(root / "proc/meminfo");
  std::string name;
  std::int64_t kilobytes = 0;
  for (std::string rest; file >> name >> kilobytes; std::getline(file, rest)) {
    if (name == field + ":") return kilobytes * kibibyte;
  }
  return std::nullopt;
}

/// What the processes of this container hold now without caches, which give way; cgroup v2 or v1.
std::optional<std::int64_t> container_usage(const std::filesystem::path& root) {
  const std::pair<const char*, const char*> places[] = {{"sys/fs/cgroup/memory.stat", "anon"},
                                                        {"sys/fs/cgroup/memory/memory.stat", "total_rss"}};
  for (const auto& [path, field] : places) {
    std::ifstream file(root / path);
    std::string name;
    for (std::int64_t bytes = 0; file >> name >> bytes;) {
      if (name == field) return bytes;
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::int64_t> available_bytes(const std::filesystem::path& root) {
  std::optional<std::int64_t> available = meminfo(root, "MemAvailable");
  const std::optional<std::int64_t> limit = cgroup_limits(root).memory_bytes;
  if (!limit) return available;
  // Of a group below the top one the usage is not known here; its limit alone still holds.
  const std::int64_t left = std::max<std::int64_t>(*limit - container_usage(root).value_or(0), 0);
  return available ? std::min(*available, left) : left;
}

}  // namespace isobath
