// SPDX-License-Identifier: Apache-2.0
#include "apps/stop_request.hpp"

#include <semaphore.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <string_view>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "base/clock.hpp"
#include "base/error.hpp"

namespace isobath {
namespace {

constexpr const char* stop_variable = "ISOBATH_STOP_SECONDS";
constexpr double usual_seconds = 3;
constexpr double look_seconds = 0.05;
/// A rank that waits for orders may wait so many times as long: others end first, and it with them.
constexpr double rest_factor = 10;
/// For what is kept of a rank that ends; where that hangs too an alarm ends the rank.
constexpr unsigned last_seconds = 2;
constexpr std::int64_t patience_nanoseconds = 500'000'000;

/// What a signal leaves behind: the one mutable object of the engine that outlives its functions.
struct LeftWord {
  std::atomic<std::int64_t> first{0};  // time of the first signal, 0 before
  sem_t came{};
  LeftWord() { sem_init(&came, 0, 0); }
};
static_assert(std::atomic<std::int64_t>::is_always_lock_free,
              "only lock-free atomics may be used in a handler");

LeftWord& word() {
  // style: mutable-static because a signal handler has nowhere else to leave word
  static LeftWord left;
  return left;
}

std::int64_t monotonic_nanoseconds() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

void handle_signal(int signal_number) {
  const int error = errno;
  const std::int64_t now = monotonic_nanoseconds();
  std::int64_t first = 0;
  if (word().first.compare_exchange_strong(first, now)) {
    sem_post(&word().came);
  } else if (now - first >= patience_nanoseconds) {
    std::signal(signal_number, SIG_DFL);
    std::raise(signal_number);
  }
  errno = error;
}

/// A thread that no signal interrupts: handlers run on those that compute, as without it.
std::thread quiet_thread(std::function<void()> body) {
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  std::thread started;
  std::error_code refused;
  try {
    started = std::thread(std::move(body));
  } catch (const std::system_error& error) {
    refused = error.code();
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (refused) {
    throw EnvironmentError(
        fmt::format("cannot start a thread ({}); allow more of them: ulimit -u", refused.message()));
  }
  return started;
}

}  // namespace

double stop_seconds() {
  const char* const text = std::getenv(stop_variable);
  if (text == nullptr || *text == '\0') return usual_seconds;
  const std::string_view digits = text;
  double seconds = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), seconds);
  if (error != std::errc() || end != digits.data() + digits.size() || !std::isfinite(seconds) ||
      seconds <= 0) {
    throw UsageError(
        fmt::format("{} is '{}'; set it to a number of seconds above 0, or unset it", stop_variable, digits));
  }
  return seconds;
}

StopRequest::StopRequest(const Heartbeat& heartbeat, double seconds,
                         std::function<void(const std::string&)> hangs)
    : heartbeat_(heartbeat), seconds_(seconds), hangs_(std::move(hangs)) {
  word().first = 0;  // made now, not inside the handler
  watching_ = quiet_thread([this] { watch(); });
  struct sigaction action{};
  action.sa_handler = handle_signal;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  sigaction(SIGTERM, &action, &before_term_);
  sigaction(SIGINT, &action, &before_int_);
}

StopRequest::~StopRequest() {
  sigaction(SIGTERM, &before_term_, nullptr);
  sigaction(SIGINT, &before_int_, nullptr);
  is_ending_ = true;
  sem_post(&word().came);
  watching_.join();
}

bool StopRequest::came() const { return word().first.load(std::memory_order_relaxed) != 0; }

/// Waits so long, or until this object ends.
bool StopRequest::is_over(double seconds) const {
  timespec until{};
  clock_gettime(CLOCK_REALTIME, &until);
  const auto nanoseconds = static_cast<std::int64_t>(seconds * 1e9) + until.tv_nsec;
  until.tv_sec += nanoseconds / 1'000'000'000;
  until.tv_nsec = nanoseconds % 1'000'000'000;
  while (!is_ending_ && sem_timedwait(&word().came, &until) != 0) {
    if (errno != EINTR) break;
  }
  return is_ending_;
}

/// The other thread.
void StopRequest::watch() {
  while (!is_ending_ && !came()) {
    sem_wait(&word().came);
  }
  double since = now_seconds();
  HeartbeatState state = heartbeat_.state();
  while (!is_over(look_seconds)) {
    HeartbeatState now = heartbeat_.state();
    if (now.progress != state.progress) since = now_seconds();
    state = std::move(now);
    const double allowed = state.doing == Doing::resting ? rest_factor * seconds_ : seconds_;
    if (now_seconds() - since < allowed) continue;
    std::signal(SIGALRM, SIG_DFL);
    alarm(last_seconds);
    hangs_(fmt::format("was asked to stop and made no progress for {:g} s: {}", allowed, state.where()));
    // Launchers drop what they have not forwarded when a rank ends: the reason, just said.
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    _exit(static_cast<int>(ExitCode::environment));
  }
}

}  // namespace isobath
