// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <exception>
#include <mutex>

namespace isobath {

/// Carries the first exception out of a parallel region, which none may leave by itself.
class FirstException {
 public:
  template <class Action>
  void guard(Action&& action) noexcept {
    try {
      action();
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (!exception_) exception_ = std::current_exception();
      caught_ = true;
    }
  }
  /// Has any thread failed? Those that wait for it need not.
  bool caught() const { return caught_; }
  /// After the region.
  void rethrow() const {
    if (exception_) std::rethrow_exception(exception_);
  }

 private:
  std::mutex mutex_;
  std::exception_ptr exception_;
  std::atomic<bool> caught_ = false;
};

}  // namespace isobath
