// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <csignal>
#include <functional>
#include <string>
#include <thread>

#include "record/heartbeat.hpp"

namespace isobath {

/// ISOBATH_STOP_SECONDS: how long a rank that was asked to stop may make no progress. 3 where it is not set.
/// @throws UsageError when it is no positive number
double stop_seconds();

/// While this lives SIGTERM and SIGINT ask the program to stop when it next can. A second signal, half a
/// second or more after the first, ends it at once (launchers may deliver the first one twice).
///
/// A rank that hangs never comes to where it would stop: after the first signal a thread, asleep until then,
/// looks at the heartbeat. Where that shows no progress for some seconds it ends this process with
/// ExitCode::environment; the launcher then ends the other ranks, if they have not done so themselves.
class StopRequest {
 public:
  /// One at a time.
  /// @param heartbeat  outlives this
  /// @param seconds  without progress, after which the rank hangs
  /// @param hangs  told why this rank ends, by the other thread; returns before it does
  /// @throws EnvironmentError where no thread can be started
  StopRequest(const Heartbeat& heartbeat, double seconds, std::function<void(const std::string&)> hangs);
  StopRequest(const StopRequest&) = delete;
  StopRequest& operator=(const StopRequest&) = delete;
  /// The signals do again what they did before.
  ~StopRequest();

  /// True once a signal has come.
  bool came() const;

 private:
  void watch();
  bool is_over(double seconds) const;

  const Heartbeat& heartbeat_;
  double seconds_;
  std::function<void(const std::string&)> hangs_;
  std::atomic<bool> is_ending_ = false;
  struct sigaction before_term_{};
  struct sigaction before_int_{};
  std::thread watching_;
};

}  // namespace isobath
