// SPDX-License-Identifier: Apache-2.0
#include "profiler/call.hpp"

#include "profiler/handles.hpp"

namespace isobath::profiler {

Scratch& scratch() {
  static thread_local Scratch of_thread;
  return of_thread;
}

bool Call::on(MPI_Comm comm) {
  const std::uintptr_t key = key_of(comm);
  if (key != scratch_.last_comm || scratch_.last_generation != session_.generation()) {
    scratch_.last_communicator = session_.communicator(comm);
    scratch_.last_comm = key;
    scratch_.last_generation = session_.generation();
  }
  facts_.communicator = scratch_.last_communicator;
  return facts_.communicator >= 0;
}

bool Call::on_window(MPI_Win win) {
  facts_.traffic_class = TrafficClass::one_sided;
  const int* known = session_.windows().find(key_of(win));
  facts_.communicator = known == nullptr ? -1 : *known;
  return known != nullptr;
}

void Call::claim_requests() {
  scratch_.claimed.clear();
  for (const MPI_Request request : scratch_.requests) {
    const Request* known = session_.requests().find(key_of(request));
    scratch_.claimed.push_back(known == nullptr ? Request{} : *known);
    // The handle of a persistent request stays its own until the program frees it.
    if (known != nullptr && !known->is_persistent) session_.requests().erase(key_of(request));
  }
}

void Call::give_back_requests() {
  for (std::size_t i = 0; i < scratch_.claimed.size(); ++i) {
    const Request& known = scratch_.claimed[i];
    if (!known.receives || known.is_persistent) continue;
    session_.requests().insert(key_of(scratch_.requests[i]), known);
  }
  scratch_.claimed.clear();
}

void Call::ask_python() {
  // An interpreter that ends takes with it the threads that wait for its lock. What is undone of us then must
  // not believe that it holds ours.
  is_counted_ = false;
  facts_.place = session_.place_in_python();
  facts_.asked = now_nanoseconds() - facts_.exit;
  is_counted_ = true;
}

MPI_Status* Call::status(MPI_Status* given) {
  if (!is_counted_) return given;
  if (given == MPI_STATUS_IGNORE) {
    if (scratch_.statuses.empty()) scratch_.statuses.resize(1);
    given = scratch_.statuses.data();
  }
  seen_ = given;
  return given;
}

MPI_Status* Call::statuses(int count, MPI_Status* given) {
  if (!is_counted_ || count <= 0) return given;
  // Statuses cost time: they are asked for only where a request is known that receives.
  if (scratch_.requests.empty() && given == MPI_STATUSES_IGNORE) return given;
  if (given == MPI_STATUSES_IGNORE) {
    if (scratch_.statuses.size() < static_cast<std::size_t>(count)) {
      scratch_.statuses.resize(static_cast<std::size_t>(count));
    }
    given = scratch_.statuses.data();
  }
  seen_ = given;
  return given;
}

}  // namespace isobath::profiler
