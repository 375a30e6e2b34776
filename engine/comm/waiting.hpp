// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace isobath {

/// Is told which MPI call a rank is in, so that a watchdog can say who waits where. Called by the thread that
/// communicates; must be quick and must not throw.
class CallWatcher {
 public:
  CallWatcher() = default;
  CallWatcher(const CallWatcher&) = delete;
  CallWatcher& operator=(const CallWatcher&) = delete;
  virtual ~CallWatcher();

  /// `call` is a name such as "MPI_Alltoallv" that stays valid.
  virtual void entered(const char* call) noexcept = 0;
  virtual void left() noexcept = 0;
};

/// Tells a watcher, if there is one, of one call.
class Waiting {
 public:
  Waiting(CallWatcher* watcher, const char* call) : watcher_(watcher) {
    if (watcher_ != nullptr) watcher_->entered(call);
  }
  Waiting(const Waiting&) = delete;
  Waiting& operator=(const Waiting&) = delete;
  ~Waiting() {
    if (watcher_ != nullptr) watcher_->left();
  }

 private:
  CallWatcher* watcher_;
};

}  // namespace isobath
