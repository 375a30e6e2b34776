// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "comm/ledger/waiting.hpp"
#include "record/heartbeat.hpp"

namespace isobath {

/// Shows on the heartbeat page which MPI call this rank is in, or made last, and that calls come to their
/// end.
class HeartbeatWatcher final : public CallWatcher {
 public:
  explicit HeartbeatWatcher(Heartbeat& heartbeat) : heartbeat_(heartbeat) {}

  void entered(const char* call) noexcept override { heartbeat_.call_begins(call); }
  void rests() noexcept override { heartbeat_.rests(); }
  void completed() noexcept override { heartbeat_.progressed(); }
  void left(bool is_complete) noexcept override { heartbeat_.call_ends(is_complete); }

 private:
  Heartbeat& heartbeat_;
};

}  // namespace isobath
