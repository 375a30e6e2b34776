// SPDX-License-Identifier: Apache-2.0
#include "collectives/stack_sampler.hpp"

#include <execinfo.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <set>

namespace isobath {
namespace {

constexpr int sampling_signal = SIGPROF;

/// Where what was interrupted begins on a stack: behind the signal's own functions, which are of this
/// program, and the one frame by which the system came to them.
template <class Stack>
std::size_t interrupted_at(const Stack& stack) {
  std::size_t place = 0;
  while (place < stack.size() && stack[place] != 0 && !FunctionNames::is_own(stack[place])) ++place;
  while (place < stack.size() && stack[place] != 0 && FunctionNames::is_own(stack[place])) ++place;
  return place + 1;
}

}  // namespace

StackSampler::StackSampler(std::int64_t period_nanoseconds) : stacks_(most) {
  std::array<void*, 4> first{};
  backtrace(first.data(), static_cast<int>(first.size()));  // loads what it needs, which no handler may do
  struct sigaction action = {};
  action.sa_sigaction = &StackSampler::interrupt;
  action.sa_flags = SA_SIGINFO | SA_RESTART;
  sigemptyset(&action.sa_mask);
  sigevent event = {};
  event.sigev_notify = SIGEV_THREAD_ID;
  event.sigev_signo = sampling_signal;
  event.sigev_value.sival_ptr = this;
  event._sigev_un._tid = static_cast<pid_t>(syscall(SYS_gettid));
  if (timer_create(CLOCK_MONOTONIC, &event, &timer_) != 0) return;
  sigaction(sampling_signal, &action, &before_);
  is_running_ = true;
  const timespec period{.tv_sec = 0, .tv_nsec = period_nanoseconds};
  const itimerspec setting{.it_interval = period, .it_value = period};
  timer_settime(timer_, 0, &setting, nullptr);
}

StackSampler::~StackSampler() {
  if (is_running_) stop();
}

void StackSampler::interrupt(int /*signal*/, siginfo_t* info, void* /*context*/) {
  const int error = errno;
  if (info->si_code == SI_TIMER) static_cast<StackSampler*>(info->si_value.sival_ptr)->keep();
  errno = error;
}

/// Inside the signal: nothing is allocated.
void StackSampler::keep() {
  const std::size_t place = taken_.load(std::memory_order_relaxed);
  if (place == stacks_.size() || is_paused_.load(std::memory_order_relaxed)) return;
  std::array<void*, deepest> frames{};
  const auto depth = static_cast<std::size_t>(backtrace(frames.data(), deepest));
  for (std::size_t i = 0; i < depth; ++i) {
    stacks_[place][i] = reinterpret_cast<std::uintptr_t>(frames[i]);  // NOLINT
  }
  taken_.store(place + 1, std::memory_order_relaxed);
}

StackSamples StackSampler::stop() {
  StackSamples found;
  if (!is_running_) return found;
  is_running_ = false;
  timer_delete(timer_);
  struct sigaction ignored = {};
  ignored.sa_handler = SIG_IGN;  // drops a signal that is still on its way
  sigaction(sampling_signal, &ignored, nullptr);
  sigaction(sampling_signal, &before_, nullptr);
  FunctionNames names;
  std::map<std::uintptr_t, std::string> known;
  for (std::size_t i = 0; i < taken_.load(std::memory_order_relaxed); ++i) {
    std::set<std::uintptr_t> inside;
    const Stack& stack = stacks_[i];
    const std::size_t innermost = interrupted_at(stack);
    for (std::size_t depth = innermost; depth < stack.size(); ++depth) {
      // A return address may lie behind the function that made the call.
      const std::uintptr_t place = stack[depth] - (depth == innermost ? 0 : 1);
      if (stack[depth] == 0 || FunctionNames::is_own(place)) break;
      if (const std::uintptr_t begin = FunctionNames::begin_of(place); begin != 0) inside.insert(begin);
    }
    found.samples += inside.empty() ? 0 : 1;
    for (const std::uintptr_t begin : inside) {
      auto [entry, is_new] = known.try_emplace(begin);
      if (is_new) entry->second = names.name(begin);
      ++found.functions[entry->second];
    }
  }
  return found;
}

}  // namespace isobath
