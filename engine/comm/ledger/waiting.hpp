// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace isobath {

/// Is told which MPI call a rank is in, so that a watchdog can say who waits where, and whether what it waits
/// for comes. Called by the thread that communicates; must be quick and must not throw.
class CallWatcher {
 public:
  CallWatcher() = default;
  CallWatcher(const CallWatcher&) = delete;
  CallWatcher& operator=(const CallWatcher&) = delete;
  virtual ~CallWatcher();

  /// `call` is a name such as "MPI_Alltoallv" that stays valid.
  virtual void entered(const char* call) noexcept = 0;
  /// The call waits for ranks that have other things to do, however long these take.
  virtual void rests() noexcept = 0;
  /// Something that the call waits for is complete; the call may go on.
  virtual void completed() noexcept = 0;
  /// @param is_complete  false where the call only asked, and nothing was complete
  virtual void left(bool is_complete) noexcept = 0;
};

/// A rank waits in a call for what others do now, or until these have done something else.
enum class WaitsFor { messages, orders };

/// Tells a watcher, if there is one, of one call.
class Waiting {
 public:
  Waiting(CallWatcher* watcher, const char* call, WaitsFor what = WaitsFor::messages) : watcher_(watcher) {
    if (watcher_ == nullptr) return;
    watcher_->entered(call);
    if (what == WaitsFor::orders) watcher_->rests();
  }
  Waiting(const Waiting&) = delete;
  Waiting& operator=(const Waiting&) = delete;
  ~Waiting() {
    if (watcher_ != nullptr) watcher_->left(true);
  }

 private:
  CallWatcher* watcher_;
};

}  // namespace isobath
