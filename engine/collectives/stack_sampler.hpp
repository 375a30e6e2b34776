// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <signal.h>
#include <time.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "collectives/function_names.hpp"

namespace isobath {

/// How often functions were found on the stack, each counted once in a sample.
struct StackSamples {
  int samples = 0;  // that were inside a library
  std::map<std::string, int> functions;
};

/// Looks at the stack of the calling thread from time to time, as long as this object lives: which functions
/// of libraries it is inside. It costs time, so never while something is timed.
class StackSampler {
 public:
  /// Not where the system has no such timer: then no sample is taken.
  explicit StackSampler(std::int64_t period_nanoseconds = 200'000);
  StackSampler(const StackSampler&) = delete;
  StackSampler& operator=(const StackSampler&) = delete;
  ~StackSampler();

  /// Takes no samples until resume(): what is done between calls is in libraries too, to copy and compare.
  void pause() { is_paused_.store(true, std::memory_order_relaxed); }
  void resume() { is_paused_.store(false, std::memory_order_relaxed); }

  /// Ends sampling. What lies between the program and the innermost function, without the program's own.
  StackSamples stop();

 private:
  static constexpr int deepest = 56;
  static constexpr std::size_t most = 1000;
  /// Return addresses, innermost first; 0 behind the last.
  using Stack = std::array<std::uintptr_t, deepest>;

  static void interrupt(int signal, siginfo_t* info, void* context);
  void keep();

  std::vector<Stack> stacks_;
  std::atomic<std::size_t> taken_ = 0;
  std::atomic<bool> is_paused_ = false;
  struct sigaction before_ = {};
  timer_t timer_ = {};
  bool is_running_ = false;
};

}  // namespace isobath
