// SPDX-License-Identifier: Apache-2.0
#include "delay/delay_line.hpp"

#include <poll.h>
#include <sys/epoll.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <optional>

#include <fmt/format.h>

#include "base/clock.hpp"
#include "base/error.hpp"

namespace isobath {
namespace {

constexpr int most_events = 128;  // at a time
constexpr int forever = -1;

/// Waits until that time, or until `end` is over, whichever is first.
void sleep_until(std::int64_t due, int end) {
  const std::int64_t left = due - now_nanoseconds();
  if (left <= 0) return;
  const timespec time{.tv_sec = left / nanoseconds_per_second, .tv_nsec = left % nanoseconds_per_second};
  pollfd watched{.fd = end, .events = POLLIN, .revents = 0};
  ppoll(&watched, 1, &time, nullptr);
}

/// Processor time that this process has used.
double processor_seconds() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) +
         static_cast<double>(time.tv_nsec) / static_cast<double>(nanoseconds_per_second);
}

[[noreturn]] void fail(const char* what) {
  throw EnvironmentError(fmt::format("the system refuses {} ({})", what, std::strerror(errno)));
}

}  // namespace

DelayLine::DelayLine(const DelayOptions& options)
    : addresses_(options.interfaces.size()),
      queue_(options.interfaces.size(), options.latency_nanoseconds, options.limit),
      events_(epoll_create1(EPOLL_CLOEXEC)) {
  if (events_ < 0) fail("to wait for frames");
  try {
    for (const std::string& interface : options.interfaces) {
      ports_.push_back(std::make_unique<Port>(interface));
      epoll_event event{.events = EPOLLIN, .data = {.u64 = ports_.size() - 1}};
      if (epoll_ctl(events_, EPOLL_CTL_ADD, ports_.back()->descriptor(), &event) != 0) {
        fail("to wait for frames");
      }
    }
  } catch (...) {
    close(events_);
    throw;
  }
}

DelayLine::~DelayLine() { close(events_); }

DelayReport DelayLine::run_until(int end) {
  epoll_event event{.events = EPOLLIN, .data = {.u64 = ports_.size()}};
  if (epoll_ctl(events_, EPOLL_CTL_ADD, end, &event) != 0) fail("to wait for the end of its input");
  while (true) {
    // What comes meanwhile is due later than what waits, so nobody need look at it before: one waking up for
    // each frame of a stream, not two.
    const std::optional<std::int64_t> due = queue_.next_due();
    if (due) sleep_until(*due, end);
    if (!read_all(due ? 0 : forever)) break;
    queue_.send_due(now_nanoseconds(),
                    [this](std::size_t sender, std::int64_t time, auto frame) { send(sender, time, frame); });
  }
  for (const auto& port : ports_) report_.lost_at_interfaces += port->lost();
  report_.processor_seconds = processor_seconds();
  return report_;
}

bool DelayLine::read_all(int milliseconds) {
  std::array<epoll_event, most_events> events;
  const int ready = epoll_wait(events_, events.data(), most_events, milliseconds);
  if (ready < 0 && errno != EINTR) fail("to wait for frames");
  for (int i = 0; i < ready; ++i) {
    const std::uint64_t port = events[static_cast<std::size_t>(i)].data.u64;
    if (port == ports_.size()) return false;
    read(static_cast<std::size_t>(port));
  }
  return true;
}

void DelayLine::read(std::size_t port) {
  ports_[port]->read([this, port](std::int64_t arrived, std::span<const std::byte> frame) {
    if (!queue_.push(port, arrived, frame)) {
      ++report_.lost_waiting;
      return;
    }
    addresses_.learn(port, frame.subspan(std::min(frame_header, frame.size())));
  });
}

void DelayLine::send(std::size_t sender, std::int64_t due, std::span<const std::byte> frame) {
  const auto to = addresses_.port_for(frame.subspan(std::min(frame_header, frame.size())));
  for (std::size_t port = 0; port < ports_.size(); ++port) {
    if (port == sender || (to && port != *to)) continue;
    report_.lateness.add(now_nanoseconds() - due);
    if (ports_[port]->send(frame)) {
      ++report_.passed;
    } else {
      ++report_.lost_at_interfaces;
    }
  }
}

}  // namespace isobath
