// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "comm/waiting.hpp"
#include "record/heartbeat.hpp"

namespace isobath {

/// Shows on the heartbeat page which MPI call this rank is in, and remembers the last one.
class HeartbeatWatcher final : public CallWatcher {
 public:
  explicit HeartbeatWatcher(Heartbeat& heartbeat) : heartbeat_(heartbeat) {}

  void entered(const char* call) noexcept override {
    last_call_ = call;
    heartbeat_.waiting_in(call);
  }
  void left() noexcept override { heartbeat_.waiting_in(""); }

  /// nullptr before the first call.
  const char* last_call() const { return last_call_; }

 private:
  Heartbeat& heartbeat_;
  const char* last_call_ = nullptr;
};

}  // namespace isobath
