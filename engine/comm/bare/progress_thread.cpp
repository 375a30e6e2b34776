// SPDX-License-Identifier: Apache-2.0
#include "comm/bare/progress_thread.hpp"

#include <pthread.h>
#include <sched.h>

#include "comm/calls/check.hpp"
#include "comm/environment.hpp"

namespace isobath {
namespace {

void bind_this_thread(int cpu) {
  cpu_set_t cpus;
  CPU_ZERO(&cpus);
  CPU_SET(static_cast<std::size_t>(cpu), &cpus);
  pthread_setaffinity_np(pthread_self(), sizeof cpus, &cpus);  // where it is refused the thread runs anywhere
}

}  // namespace

ProgressThread::ProgressThread(const Communicator& comm, std::optional<int> cpu) : quiet_(comm.handle()) {
  if (mpi_identity().thread_level != "multiple") {
    throw MpiError(
        "a progress thread needs thread level 'multiple', which this MPI does not grant; leave this progress "
        "mode out, or use an MPI built with it");
  }
  thread_ = std::thread([this, cpu] { work(cpu); });
}

ProgressThread::~ProgressThread() {
  {
    const std::lock_guard lock(mutex_);
    is_ending_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void ProgressThread::set_awake(bool awake) {
  std::unique_lock lock(mutex_);
  is_wanted_ = awake;
  changed_.notify_all();
  changed_.wait(lock, [&] { return is_awake_ == awake; });
}

void ProgressThread::work(std::optional<int> cpu) {
  if (cpu) bind_this_thread(*cpu);
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [&] { return is_wanted_ || is_ending_; });
    if (is_ending_) return;
    is_awake_ = true;
    changed_.notify_all();
    lock.unlock();
    while (is_wanted_ && !is_ending_) {
      int is_there = 0;
      // An error here shows in the calls of the other threads too; there it is told.
      MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, quiet_.handle(), &is_there, MPI_STATUS_IGNORE);
      ++calls_;
    }
    lock.lock();
    is_awake_ = false;
    changed_.notify_all();
  }
}

}  // namespace isobath
