// SPDX-License-Identifier: Apache-2.0
#include "machine/host_facts.hpp"

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <set>
#include <sstream>
#include <string_view>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "machine/cgroup_limits.hpp"
#include "machine/process_facts.hpp"

namespace isobath {
namespace {

namespace fs = std::filesystem;

std::optional<std::string> first_line(const fs::path& file) {
  std::ifstream in(file);
  std::string line;
  if (!std::getline(in, line) || line.empty()) return std::nullopt;
  return line;
}

std::optional<int> number_in(const fs::path& file) {
  std::ifstream in(file);
  int number = 0;
  if (!(in >> number)) return std::nullopt;
  return number;
}

/// Numbers n of the entries <prefix>n of a folder, ascending; empty when there is no such folder.
std::vector<int> numbered_entries(const fs::path& folder, std::string_view prefix) {
  std::vector<int> numbers;
  std::error_code failed;
  for (const auto& entry : fs::directory_iterator(folder, failed)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with(prefix)) continue;
    const std::string_view digits = std::string_view(name).substr(prefix.size());
    int number = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (error == std::errc() && end == digits.data() + digits.size()) numbers.push_back(number);
  }
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}

/// The value of "label : value" in a file of such lines.
std::optional<std::string> labelled(const fs::path& file, std::string_view label) {
  std::ifstream in(file);
  std::string line;
  while (std::getline(in, line)) {
    const auto colon = line.find(':');
    if (colon == std::string::npos) continue;
    const auto label_end = line.find_last_not_of(" \t", colon - 1);
    if (label_end == std::string::npos || std::string_view(line).substr(0, label_end + 1) != label) continue;
    const auto begin = line.find_first_not_of(" \t", colon + 1);
    if (begin == std::string::npos) return std::nullopt;
    return line.substr(begin);
  }
  return std::nullopt;
}

std::string cpu_model(const fs::path& root) {
  if (const auto model = labelled(root / "proc/cpuinfo", "model name")) return *model;  // x86
  if (const auto model = labelled(root / "proc/cpuinfo", "cpu")) return *model;         // POWER
  const auto implementer = labelled(root / "proc/cpuinfo", "CPU implementer");          // Arm names no model
  const auto part = labelled(root / "proc/cpuinfo", "CPU part");
  if (implementer && part) return fmt::format("Arm implementer {} part {}", *implementer, *part);
  return "unknown";
}

/// "32K" or "36608K" in bytes.
std::optional<std::int64_t> cache_size(const fs::path& file) {
  std::ifstream in(file);
  std::int64_t size = 0;
  char unit = ' ';
  if (!(in >> size) || size <= 0) return std::nullopt;
  in >> unit;
  if (unit == 'K') return size << 10;
  if (unit == 'M') return size << 20;
  if (unit == 'G') return size << 30;
  return size;
}

void read_caches(const fs::path& folder, HostFacts& facts) {
  for (const int index : numbered_entries(folder, "index")) {
    const fs::path cache = folder / fmt::format("index{}", index);
    if (first_line(cache / "type") == "Instruction") continue;
    const auto level = number_in(cache / "level");
    if (level == 1) facts.l1d_bytes = cache_size(cache / "size");
    if (level == 2) facts.l2_bytes = cache_size(cache / "size");
    if (level == 3) facts.l3_bytes = cache_size(cache / "size");
  }
}

/// The chosen word of "always [madvise] never".
std::optional<std::string> chosen_word(const fs::path& file) {
  auto line = first_line(file);
  if (!line) return std::nullopt;
  const auto begin = line->find('[');
  const auto end = line->find(']');
  if (begin == std::string::npos || end == std::string::npos || end < begin) return line;
  return line->substr(begin + 1, end - begin - 1);
}

std::optional<std::int64_t> memory_bytes(const fs::path& root) {
  const auto text = labelled(root / "proc/meminfo", "MemTotal");
  if (!text) return std::nullopt;
  std::istringstream in(*text);
  std::int64_t kilobytes = 0;
  if (!(in >> kilobytes)) return std::nullopt;
  return kilobytes * 1024;
}

/// Processors that are present and not switched off.
std::vector<int> online_cpus(const fs::path& root) {
  const fs::path folder = root / "sys/devices/system/cpu";
  std::vector<int> cpus = numbered_entries(folder, "cpu");
  std::erase_if(cpus, [&](int cpu) { return number_in(folder / fmt::format("cpu{}/online", cpu)) == 0; });
  return cpus;
}

int cores_without_sys() { return std::max(1, static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN))); }

}  // namespace

std::vector<CpuPlace> places_of(const std::vector<int>& cpus, const fs::path& root) {
  std::vector<CpuPlace> places;
  for (const int cpu : cpus) {
    const fs::path folder = root / fmt::format("sys/devices/system/cpu/cpu{}", cpu);
    const auto core = number_in(folder / "topology/core_id");
    const auto package = core ? number_in(folder / "topology/physical_package_id") : std::nullopt;
    const std::vector<int> nodes = numbered_entries(folder, "node");
    places.push_back({cpu, package.value_or(0), core.value_or(cpu), nodes.empty() ? 0 : nodes.front()});
  }
  return places;
}

HostFacts read_host_facts(const fs::path& root) {
  HostFacts facts;
  facts.hostname = hostname();
  facts.cpu_model = cpu_model(root);

  const std::vector<int> cpus = online_cpus(root);
  if (cpus.empty()) {
    facts.cores = cores_without_sys();
  } else {
    std::set<std::pair<int, int>> cores;
    std::set<int> packages;
    for (const CpuPlace& place : places_of(cpus, root)) {
      cores.insert({place.package, place.core});
      packages.insert(place.package);
    }
    facts.cores = static_cast<int>(cores.size());
    facts.sockets = static_cast<int>(packages.size());
    read_caches(root / fmt::format("sys/devices/system/cpu/cpu{}/cache", cpus.front()), facts);
  }
  const std::vector<int> nodes = numbered_entries(root / "sys/devices/system/node", "node");
  if (!nodes.empty()) facts.numa_nodes = static_cast<int>(nodes.size());

  facts.memory_bytes = memory_bytes(root);
  const CgroupLimits limits = cgroup_limits(root);
  facts.cgroup_memory_bytes = limits.memory_bytes;
  facts.cgroup_cpus = limits.cpus;
  facts.kernel = first_line(root / "proc/sys/kernel/osrelease");
  facts.huge_pages = chosen_word(root / "sys/kernel/mm/transparent_hugepage/enabled");
  facts.clock_source = first_line(root / "sys/devices/system/clocksource/clocksource0/current_clocksource");
  return facts;
}

}  // namespace isobath
