// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

#include <atomic>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "profiler/beat.hpp"
#include "profiler/handle_map.hpp"
#include "profiler/process.hpp"
#include "profiler/python_frame.hpp"
#include "profiler/rank_file.hpp"
#include "profiler/recorder.hpp"

namespace isobath::profiler {

/// What is known of a request that is under way, or of a persistent one.
struct Request {
  int communicator = -1;
  bool receives = false;
  bool has_status = true;  // false: the library does not say what came
  bool is_persistent = false;
  TrafficClass traffic_class = TrafficClass::point_to_point;
  std::shared_ptr<const Traffic> plan;  // what each start sends
};

struct Scratch;

std::int64_t now_nanoseconds();

/// The one object of the profiler, from MPI_Init to MPI_Finalize: an interposed function has nowhere else to
/// keep state.
class Session {
 public:
  static Session& instance();

  /// Before MPI_Init.
  void note_process() { process_ = process_facts(); }
  /// After MPI_Init. Stays closed where ISOBATH_PROFILE_DIR is not set.
  void open(bool is_threaded);
  /// Writes the rank's file. Later calls pass uncounted.
  /// @param how  finalized, aborted, exited, or the name of a signal
  void close(const char* how);
  /// The same, but not in a process that was forked from the rank.
  void close_own(const char* how);

  /// So often, in case the rank is killed without a word; a program that ends otherwise writes all.
  void checkpoint_where_due(std::int64_t now) {
    if (now >= next_checkpoint_) checkpoint(now);
  }

  bool is_threaded() const { return is_threaded_; }
  /// The calling thread is known from now on, by a number. The caller holds the lock.
  void thread_begins(Scratch& thread);
  void thread_ends(const Scratch& thread);

  bool is_counting() const { return is_open_ && is_on_; }
  /// MPI_Pcontrol 0 and 1.
  void turn(bool on) { is_on_ = on; }
  void lock() {
    if (!is_threaded_) return;
    while (lock_.test_and_set(std::memory_order_acquire)) {
    }
  }
  void unlock() {
    if (is_threaded_) lock_.clear(std::memory_order_release);
  }

  /// Whether calls made here are mpi4py's, whose places are in Python. The caller holds the lock.
  bool is_for_python(const void* site) { return has_python_ && is_of_mpi4py_here(site); }
  /// The number of the place in Python where the calling thread stands; -1 where it is not known. The caller
  /// does not hold the lock: the interpreter's is taken first.
  int place_in_python();

  Recorder& recorder() { return *recorder_; }
  Beat& beat() { return beat_; }
  /// The number of a communicator, -1 for none.
  int communicator(MPI_Comm handle);
  void forget(MPI_Comm handle);
  /// Grows when what a handle means may have changed.
  std::int64_t generation() const { return generation_; }
  const Communicator& neighbours(MPI_Comm handle, int communicator);

  HandleMap<int>& windows() { return windows_; }
  HandleMap<Request>& requests() { return requests_; }
  HandleMap<int>& messages() { return messages_; }
  bool names_regions_as_ipm() const { return ipm_regions_; }
  void some_request_was_cancelled() { may_be_cancelled_ = true; }
  bool may_be_cancelled() const { return may_be_cancelled_; }
  /// MPICH 4 and 5 leave the status of MPI_Isendrecv as it was before.
  bool fills_status_of_isendrecv() const { return fills_status_of_isendrecv_; }

 private:
  Session() = default;
  int register_communicator(MPI_Comm handle);
  bool is_of_mpi4py_here(const void* site);
  void measure();
  void checkpoint(std::int64_t now);
  RankFacts facts(const char* how) const;

  bool is_open_ = false;
  bool is_on_ = true;
  bool is_threaded_ = false;
  bool ipm_regions_ = false;
  bool may_be_cancelled_ = false;
  bool fills_status_of_isendrecv_ = true;
  std::atomic_flag lock_ = ATOMIC_FLAG_INIT;
  std::unique_ptr<Recorder> recorder_;
  Beat beat_;
  HandleMap<int> communicators_{1 << 20};
  HandleMap<int> windows_{1 << 16};
  HandleMap<int> messages_{1 << 16};
  HandleMap<Request> requests_{1 << 18};
  bool has_python_ = false;
  HandleMap<bool> sites_of_mpi4py_{1 << 14};
  std::map<std::pair<const void*, int>, int> places_;  // by code and how far it is
  MPI_Group world_group_{};
  int rank_ = 0;
  int size_ = 1;
  ProcessFacts process_;
  std::string file_;  // where this process writes, without suffix
  std::string library_;
  Overhead overhead_;
  std::int64_t checkpoint_interval_ = 0;
  std::int64_t next_checkpoint_ = INT64_MAX;
  std::int64_t checkpoint_nanoseconds_ = 0;  // spent on them
  std::int64_t generation_ = 0;
  std::int64_t began_ = 0;
};

}  // namespace isobath::profiler
