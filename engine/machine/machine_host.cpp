// SPDX-License-Identifier: Apache-2.0
#include <sys/resource.h>
#include <unistd.h>

#include <array>
#include <fstream>
#include <limits>
#include <sstream>
#include <string>

#include "base/clock.hpp"
#include "machine/host_facts.hpp"
#include "machine/process_facts.hpp"

namespace isobath {

std::string hostname() {
  std::array<char, 256> name{};
  if (gethostname(name.data(), name.size() - 1) != 0) return "unknown";
  return name.data();
}

std::string host_key() {
  std::ifstream file("/proc/sys/kernel/random/boot_id");
  std::string boot_id;
  file >> boot_id;
  return hostname() + " " + boot_id;
}

HostFacts facts_of_this_host() { return read_host_facts(); }

std::int64_t peak_bytes() {
  std::ifstream file("/proc/self/status");
  std::string line;
  while (std::getline(file, line)) {
    std::istringstream words(line);
    std::string label;
    std::int64_t kilobytes = 0;
    if (words >> label && label == "VmHWM:" && words >> kilobytes) return kilobytes * 1024;
  }
  return 0;
}

std::int64_t page_faults() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_minflt + usage.ru_majflt;
}

double clock_resolution_seconds() {
  double smallest = std::numeric_limits<double>::max();
  for (int i = 0; i < 2000; ++i) {
    const double first = now_seconds();
    double second = now_seconds();
    while (second == first) second = now_seconds();
    if (second - first < smallest) smallest = second - first;
  }
  return smallest;
}

}  // namespace isobath
