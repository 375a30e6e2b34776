// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

#include <vector>

#include "profiler/recorder.hpp"
#include "profiler/session.hpp"

namespace isobath::profiler {

/// What a thread needs during a call, kept between calls.
struct Scratch {
  Scratch() = default;
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch() {
    if (thread >= 0) Session::instance().thread_ends(*this);
  }

  int thread = -1;  // its number; -1 before its first call
  std::int64_t thread_began = 0;
  int depth = 0;
  Traffic traffic;
  std::vector<MPI_Request> requests;  // as they were before the call: it forgets them
  std::vector<Request> claimed;       // what is known of each; only where threads call at once
  std::vector<MPI_Status> statuses;
  std::uintptr_t last_comm = 0;  // most calls are made on the communicator of the call before
  int last_communicator = -1;
  std::int64_t last_generation = -1;
};
Scratch& scratch();

/// One MPI call while it lasts. Calls that the library makes inside another are not counted.
class Call {
 public:
  Call(CallId id, const void* site, Join join) : session_(Session::instance()), scratch_(scratch()) {
    facts_.call = id;
    is_outermost_ = ++scratch_.depth == 1;
    is_counted_ = is_outermost_ && session_.is_counting();
    if (!is_counted_) return;
    facts_.site = site;
    facts_.join = join;
    scratch_.traffic.clear();
    session_.lock();
    if (scratch_.thread < 0) session_.thread_begins(scratch_);
    facts_.thread = scratch_.thread;
    is_for_python_ = session_.is_for_python(site);
  }
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;
  ~Call() {
    --scratch_.depth;
    if (!is_counted_) return;
    if (result_ != MPI_SUCCESS || is_plan_) scratch_.traffic.clear();
    if (!scratch_.claimed.empty()) give_back_requests();
    session_.recorder().add(facts_, scratch_.traffic);
    session_.checkpoint_where_due(facts_.exit);
    session_.unlock();
  }

  bool is_counted() const { return is_counted_; }
  CallId id() const { return facts_.call; }
  Session& session() { return session_; }
  Traffic& traffic() { return scratch_.traffic; }
  std::vector<MPI_Request>& requests() { return scratch_.requests; }
  std::vector<Request>& claimed() { return scratch_.claimed; }
  /// Takes what is known of the requests kept out of the session's table: as soon as the library completes
  /// one it may give the same handle to another thread, whose request it then names.
  void claim_requests();

  /// The call is made on this communicator. False where that is none: the call is wrong, the library will say
  /// so.
  bool on(MPI_Comm comm);
  /// On the communicator of a window.
  bool on_window(MPI_Win win);
  void on_number(int communicator) { facts_.communicator = communicator; }
  int number() const { return facts_.communicator; }
  const Communicator& communicator() const {
    return session_.recorder().communicators()[static_cast<std::size_t>(facts_.communicator)];
  }
  void belongs_to(TrafficClass traffic_class) { facts_.traffic_class = traffic_class; }
  void has_root(int root) { facts_.root = root; }
  /// Nothing is sent yet: what was counted is kept for the starts of the request.
  void is_plan() { is_plan_ = true; }

  void sent(int peer, std::int64_t bytes) { traffic().sent(facts_.communicator, peer, bytes); }
  void received(int peer, std::int64_t bytes) { traffic().received(facts_.communicator, peer, bytes); }
  void kept(std::int64_t bytes) { traffic().kept(bytes); }

  /// The program's status, or one of the profiler's where the program ignores it.
  MPI_Status* status(MPI_Status* given);
  MPI_Status* statuses(int count, MPI_Status* given);
  const MPI_Status& seen(std::size_t i = 0) const { return seen_[i]; }

  void begin() {
    if (is_outermost_) session_.beat().call_begins(facts_.call);  // counted or not
    if (!is_counted_) return;
    session_.unlock();
    facts_.entry = now_nanoseconds();
  }
  /// @param is_complete  false where the call only asked, and nothing was there
  void end(int result, bool is_complete = true) {
    result_ = result;
    if (is_counted_) facts_.exit = now_nanoseconds();
    if (is_outermost_) session_.beat().call_ends(is_complete && result == MPI_SUCCESS);
    if (!is_counted_) return;
    if (is_for_python_) ask_python();
    session_.lock();
  }
  bool succeeded() const { return is_counted_ && result_ == MPI_SUCCESS; }
  int result() const { return result_; }

 private:
  /// Those that are not complete are known again.
  void give_back_requests();
  void ask_python();

  Session& session_;
  Scratch& scratch_;
  CallFacts facts_;
  const MPI_Status* seen_ = nullptr;
  int result_ = MPI_SUCCESS;
  bool is_outermost_ = false;
  bool is_counted_ = false;
  bool is_plan_ = false;
  bool is_for_python_ = false;
};

}  // namespace isobath::profiler
