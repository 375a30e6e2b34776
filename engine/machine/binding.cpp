// SPDX-License-Identifier: Apache-2.0
#include "machine/binding.hpp"

#include <sched.h>

#include <cstddef>

#include "base/threads.hpp"
#include "machine/cpu_list.hpp"

namespace isobath {
namespace {

// Larger than CPU_SETSIZE: the kernel refuses masks that are too small for the machine.
constexpr int max_cpus = 16384;

/// A processor mask of that size.
class CpuMask {
 public:
  CpuMask() { clear(); }
  CpuMask(const CpuMask&) = delete;
  CpuMask& operator=(const CpuMask&) = delete;
  ~CpuMask() = default;

  void clear() { bits_.assign(words, cpu_set_t{}); }
  cpu_set_t* data() { return bits_.data(); }
  static constexpr std::size_t bytes() { return words * sizeof(cpu_set_t); }

 private:
  static constexpr std::size_t words = max_cpus / CPU_SETSIZE;
  std::vector<cpu_set_t> bits_;
};

}  // namespace

std::vector<int> allowed_cpus() {
  CpuMask mask;
  std::vector<int> cpus;
  if (sched_getaffinity(0, CpuMask::bytes(), mask.data()) == 0) {
    for (int cpu = 0; cpu < max_cpus; ++cpu) {
      if (CPU_ISSET_S(static_cast<std::size_t>(cpu), CpuMask::bytes(), mask.data())) cpus.push_back(cpu);
    }
  }
  if (cpus.empty()) cpus.push_back(0);
  return cpus;
}

bool bind_this_thread(int cpu) {
  if (cpu < 0 || cpu >= max_cpus) return false;
  CpuMask mask;
  CPU_SET_S(static_cast<std::size_t>(cpu), CpuMask::bytes(), mask.data());
  return sched_setaffinity(0, CpuMask::bytes(), mask.data()) == 0;
}

std::vector<std::string> cpus_of_threads(int threads) {
  std::vector<std::string> lists(static_cast<std::size_t>(threads));
#pragma omp parallel num_threads(threads)
  lists[static_cast<std::size_t>(thread_id())] = cpu_list_text(allowed_cpus());
  return lists;
}

}  // namespace isobath
