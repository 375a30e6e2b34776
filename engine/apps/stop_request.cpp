// SPDX-License-Identifier: Apache-2.0
#include "apps/stop_request.hpp"

#include <atomic>
#include <csignal>
#include <ctime>

namespace isobath {
namespace {

constexpr std::int64_t patience_nanoseconds = 500'000'000;

/// Time of the first signal, 0 before: the one mutable object of the engine that outlives its functions.
std::atomic<std::int64_t>& first_signal() {
  // style: mutable-static because a signal handler has nowhere else to leave word
  static std::atomic<std::int64_t> nanoseconds{0};
  return nanoseconds;
}
static_assert(std::atomic<std::int64_t>::is_always_lock_free,
              "only lock-free atomics may be used in a handler");

std::int64_t monotonic_nanoseconds() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

void handle_signal(int signal_number) {
  const std::int64_t now = monotonic_nanoseconds();
  std::int64_t first = 0;
  if (first_signal().compare_exchange_strong(first, now) || now - first < patience_nanoseconds) return;
  std::signal(signal_number, SIG_DFL);
  std::raise(signal_number);
}

}  // namespace

void catch_stop_signals() {
  first_signal();  // made now, not inside the handler
  struct sigaction action{};
  action.sa_handler = handle_signal;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  sigaction(SIGTERM, &action, nullptr);
  sigaction(SIGINT, &action, nullptr);
}

bool stop_signal_came() { return first_signal().load(std::memory_order_relaxed) != 0; }

}  // namespace isobath
