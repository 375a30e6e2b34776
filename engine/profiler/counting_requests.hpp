// SPDX-License-Identifier: Apache-2.0
// Calls on requests: what starts sends, what completes has received. And communicators, known from their
// creation.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <tuple>

#include "profiler/call.hpp"
#include "profiler/counting_point_to_point.hpp"
#include "profiler/handles.hpp"

namespace isobath::profiler {

/// Keeps the handles: the library sets them to MPI_REQUEST_NULL. Where nothing is known of any request,
/// nothing need be.
inline void keep_requests(Call& call, int count, const MPI_Request* requests) {
  call.requests().clear();
  if (call.session().requests().size() == 0 || count <= 0) return;
  call.requests().assign(requests, requests + count);
  if (call.session().is_threaded()) call.claim_requests();
}

/// What a receive brought, where its status tells.
inline void arrived(Call& call, const Request& known, const MPI_Status& status) {
  if (!known.receives) return;
  if (known.has_status) {
    count_arrival(call, known.communicator, status);
  } else {
    call.traffic().received_unknown();
  }
}

/// A request of those kept is complete.
inline void completed(Call& call, std::size_t index, const MPI_Status& status) {
  if (index >= call.requests().size()) return;
  if (call.session().is_threaded()) {
    arrived(call, call.claimed()[index], status);
    call.claimed()[index] = Request{};
    return;
  }
  const std::uintptr_t key = key_of(call.requests()[index]);
  const Request* known = call.session().requests().find(key);
  if (known == nullptr) return;
  arrived(call, *known, status);
  if (!known->is_persistent) call.session().requests().erase(key);
}

/// A persistent request starts: what it was planned to send and receive is counted.
inline void started(Call& call, MPI_Request request) {
  const Request* known = call.session().requests().find(key_of(request));
  if (known == nullptr) return;
  call.on_number(known->communicator);
  call.belongs_to(known->traffic_class);
  if (known->plan) call.traffic().add(*known->plan);
}

namespace count_before {

inline void start(Call& call, const MPI_Request* request) { started(call, *request); }
inline void startall(Call& call, int count, const MPI_Request* requests) {
  for (int i = 0; i < count; ++i) started(call, requests[i]);
}
inline void wait(Call& call, const MPI_Request* request, const MPI_Status*) {
  keep_requests(call, 1, request);
}
inline void waitall(Call& call, int count, const MPI_Request* requests, const MPI_Status*) {
  keep_requests(call, count, requests);
}
inline void waitany(Call& call, int count, const MPI_Request* requests, const int*, const MPI_Status*) {
  keep_requests(call, count, requests);
}
inline void waitsome(Call& call, int count, const MPI_Request* requests, const int*, const int*,
                     const MPI_Status*) {
  keep_requests(call, count, requests);
}
inline void test(Call& call, const MPI_Request* request, const int*, const MPI_Status*) {
  keep_requests(call, 1, request);
}
inline void testall(Call& call, int count, const MPI_Request* requests, const int*, const MPI_Status*) {
  keep_requests(call, count, requests);
}
inline void testany(Call& call, int count, const MPI_Request* requests, const int*, const int*,
                    const MPI_Status*) {
  keep_requests(call, count, requests);
}
inline void request_free(Call& call, const MPI_Request* request) {
  call.session().requests().erase(key_of(*request));
}

template <class... Arguments>
void communicator(Call& call, MPI_Comm comm, Arguments...) {
  call.on(comm);
}
inline void communicator_free(Call& call, const MPI_Comm* comm) {
  call.on(*comm);
  call.session().forget(*comm);
}

}  // namespace count_before

namespace count_after {

inline void wait(Call& call, const MPI_Request*, const MPI_Status*) { completed(call, 0, call.seen()); }
inline void waitall(Call& call, int, const MPI_Request*, const MPI_Status*) {
  for (std::size_t i = 0; i < call.requests().size(); ++i) completed(call, i, call.seen(i));
}
inline void waitany(Call& call, int, const MPI_Request*, const int* index, const MPI_Status*) {
  if (*index >= 0) completed(call, static_cast<std::size_t>(*index), call.seen());
}
inline void waitsome(Call& call, int, const MPI_Request*, const int* done, const int* indices,
                     const MPI_Status*) {
  if (call.requests().empty()) return;
  for (int i = 0; i < *done; ++i) {
    completed(call, static_cast<std::size_t>(indices[i]), call.seen(static_cast<std::size_t>(i)));
  }
}
inline void test(Call& call, const MPI_Request*, const int* flag, const MPI_Status*) {
  if (*flag != 0) completed(call, 0, call.seen());
}
inline void testall(Call& call, int, const MPI_Request*, const int* flag, const MPI_Status*) {
  if (*flag == 0) return;
  for (std::size_t i = 0; i < call.requests().size(); ++i) completed(call, i, call.seen(i));
}
inline void testany(Call& call, int, const MPI_Request*, const int* index, const int* flag,
                    const MPI_Status*) {
  if (*flag != 0 && *index >= 0) completed(call, static_cast<std::size_t>(*index), call.seen());
}

/// The last argument is the new communicator; ranks that are not in it get none.
template <class... Arguments>
void communicator(Call& call, Arguments... arguments) {
  const MPI_Comm* created = std::get<sizeof...(Arguments) - 1>(std::tuple(arguments...));
  call.session().communicator(*created);
}

}  // namespace count_after
}  // namespace isobath::profiler
