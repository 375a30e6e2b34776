// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
#include <thread>

#include "comm/communicator.hpp"

namespace isobath {

/// A thread that calls MPI again and again, so that what was started goes on while other threads compute. It
/// asks for messages that nobody sends; every MPI library advances all that is under way in such a call.
/// Needs MPI_THREAD_MULTIPLE.
class ProgressThread {
 public:
  /// Collective: takes a communicator of its own. Begins paused. @param cpu  to run on; absent: anywhere
  /// @throws MpiError where the library granted less than MPI_THREAD_MULTIPLE
  ProgressThread(const Communicator& comm, std::optional<int> cpu);
  ProgressThread(const ProgressThread&) = delete;
  ProgressThread& operator=(const ProgressThread&) = delete;
  ~ProgressThread();

  /// The thread sleeps, or calls MPI, when this returns. Not collective.
  void pause() { set_awake(false); }
  void resume() { set_awake(true); }
  /// How often it has called MPI.
  std::int64_t calls() const { return calls_; }

 private:
  void set_awake(bool awake);
  void work(std::optional<int> cpu);

  Communicator quiet_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::atomic<bool> is_wanted_ = false;
  std::atomic<bool> is_ending_ = false;
  bool is_awake_ = false;  // under the mutex
  std::atomic<std::int64_t> calls_ = 0;
  std::thread thread_;
};

}  // namespace isobath
