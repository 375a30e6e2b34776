// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>

#include "apps/stop_request.hpp"
#include "comm/communicator.hpp"
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

/// What every program with MPI shows of itself while it runs, and how it hears that it shall stop.
class Vitals {
 public:
  /// From now on calls of `world` and of what is made from it show on the heartbeat.
  /// @param file  of the heartbeat; empty: in memory
  /// @param hangs  told why this rank ends itself, by another thread
  /// @throws UsageError, EnvironmentError
  Vitals(const std::string& file, Communicator& world, std::function<void(const std::string&)> hangs);

  Heartbeat& heartbeat() { return heartbeat_; }
  /// By a signal or in the heartbeat file; ranks need not agree yet.
  bool stop_requested() const { return stop_.came() || heartbeat_.stop_requested(); }

 private:
  Heartbeat heartbeat_;
  HeartbeatWatcher watcher_;
  StopRequest stop_;
};

}  // namespace isobath
