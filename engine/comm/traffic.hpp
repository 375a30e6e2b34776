// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace isobath {

/// What one rank sent to others through one communicator: a rank's message to itself is not counted.
struct Traffic {
  std::int64_t bytes_sent = 0;
  std::int64_t messages = 0;  // destinations addressed with at least one byte; a collective counts its peers
  std::int64_t calls = 0;

  friend Traffic operator-(const Traffic& a, const Traffic& b) {
    return {a.bytes_sent - b.bytes_sent, a.messages - b.messages, a.calls - b.calls};
  }
  Traffic& operator+=(const Traffic& other) {
    bytes_sent += other.bytes_sent;
    messages += other.messages;
    calls += other.calls;
    return *this;
  }
};

}  // namespace isobath
