// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "delay/addresses.hpp"
#include "delay/delay_queue.hpp"
#include "delay/lateness.hpp"
#include "delay/port.hpp"

namespace isobath {

/// What a delay line is asked for.
struct DelayOptions {
  std::vector<std::string> interfaces;  // a node behind each
  std::int64_t latency_nanoseconds = 0;
  std::size_t limit = 0;  // frames of a node that wait at once
};

/// What became of the frames.
struct DelayReport {
  std::int64_t passed = 0;              // copies that were sent on
  std::int64_t lost_waiting = 0;        // too many waited, or one was longer than a frame
  std::int64_t lost_at_interfaces = 0;  // the system had no room
  double processor_seconds = 0;         // of this process
  Lateness lateness;                    // of those that were sent on
};

/// Stands where a bridge would: what comes from one interface goes on by the one of its receiver, after the
/// latency.
class DelayLine {
 public:
  /// @throws EnvironmentError where an interface cannot be had
  explicit DelayLine(const DelayOptions& options);
  DelayLine(const DelayLine&) = delete;
  DelayLine& operator=(const DelayLine&) = delete;
  ~DelayLine();

  /// Passes frames on until the descriptor `end` has something to read or its writer is gone.
  DelayReport run_until(int end);

 private:
  /// Reads what has come; where nothing has, waits so long for it. Returns false at the end.
  bool read_all(int milliseconds);
  void read(std::size_t port);
  void send(std::size_t sender, std::int64_t due, std::span<const std::byte> frame);

  std::vector<std::unique_ptr<Port>> ports_;
  Addresses addresses_;
  DelayQueue queue_;
  DelayReport report_;
  int events_ = -1;
};

}  // namespace isobath
