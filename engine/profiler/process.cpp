// SPDX-License-Identifier: Apache-2.0
#include "profiler/process.hpp"

#include <fcntl.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>

namespace isobath::profiler {
namespace {

constexpr std::size_t longest_host = 64;  // in a file's name

bool is_plain(char letter) {
  return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
         (letter >= '0' && letter <= '9') || letter == '.' || letter == '-';
}

}  // namespace

std::int64_t nanoseconds_since_1970() {
  timespec now{};
  ::clock_gettime(CLOCK_REALTIME, &now);
  return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

std::int64_t thread_age() {
  constexpr int start_field = 22;  // of a line whose second field may hold spaces, and ends with the last )
  const int file = ::open("/proc/thread-self/stat", O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  std::array<char, 1024> text{};
  const ssize_t length = ::read(file, text.data(), text.size() - 1);
  ::close(file);
  const char* at = length > 0 ? std::strrchr(text.data(), ')') : nullptr;
  for (int field = 2; at != nullptr && field < start_field; ++field) at = std::strchr(at + 1, ' ');
  if (at == nullptr) return 0;
  timespec now{};
  ::clock_gettime(CLOCK_BOOTTIME, &now);
  const std::int64_t ticks = std::strtoll(at, nullptr, 10);
  const std::int64_t start = ticks * (1'000'000'000 / ::sysconf(_SC_CLK_TCK));
  return std::max<std::int64_t>(0, std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec - start);
}

ProcessFacts process_facts() {
  ProcessFacts found;
  std::array<char, 256> host{};
  ::gethostname(host.data(), host.size() - 1);
  found.host = host.data();
  found.pid = ::getpid();
  found.parent = ::getppid();
  found.began = nanoseconds_since_1970();
  found.variables = launch_variables(environ);
  if (const auto job = found.variables.find("PMIX_NAMESPACE"); job != found.variables.end())
    found.job = job->second;
  found.task = launcher_rank(found.variables).value_or(-1);
  return found;
}

void judge_world(ProcessFacts& process, int size, std::string_view library) {
  if (const auto launched = launched_ranks(process.variables, library)) process.launched = launched->ranks;
  if (const auto fault = world_fault(process.variables, size, library)) {
    process.fault = fault->fact;
    process.cure = fault->cure;
  }
}

std::string file_of(const std::string& folder, const ProcessFacts& process, int rank, int size) {
  std::string host = process.host.substr(0, longest_host);
  std::ranges::replace_if(host, [](char letter) { return !is_plain(letter); }, '_');
  return folder + "/rank-" + std::to_string(rank) + "-of-" + std::to_string(size) + "-task-" +
         (process.task < 0 ? "none" : std::to_string(process.task)) + "-" + host + "-" +
         std::to_string(process.pid) + "-" + std::to_string(process.began);
}

}  // namespace isobath::profiler
