// SPDX-License-Identifier: Apache-2.0
// Bytes of point-to-point calls. What is received is what came, as the status says, not what there was room
// for.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <memory>
#include <utility>

#include "profiler/bytes.hpp"
#include "profiler/call.hpp"
#include "profiler/handles.hpp"

namespace isobath::profiler {

/// What a completed receive brought: its status tells from whom and how much.
inline void count_arrival(Call& call, int communicator, const MPI_Status& status) {
  static constinit LibraryFunction<decltype(PMPI_Get_elements_x)> elements{"PMPI_Get_elements_x"};
  static constinit LibraryFunction<decltype(PMPI_Test_cancelled)> cancelled{"PMPI_Test_cancelled"};
  if (communicator < 0 || status.MPI_SOURCE < 0) return;  // no process, or an inactive request
  if (call.session().may_be_cancelled()) {
    int is_cancelled = 0;
    cancelled(&status, &is_cancelled);
    if (is_cancelled != 0) return;
  }
  MPI_Count bytes = 0;
  if (elements(&status, byte_type(), &bytes) != MPI_SUCCESS || bytes < 0) return;
  call.traffic().received(communicator, status.MPI_SOURCE, static_cast<std::int64_t>(bytes));
}

inline void count_send(Call& call, int peer, std::int64_t bytes) {
  if (peer == MPI_PROC_NULL) return;
  call.sent(peer, bytes);
  call.traffic().argument(bytes);
}

/// A request that will receive.
inline void remember_receive(Call& call, const MPI_Request* request, bool is_persistent,
                             bool has_status = true) {
  if (call.number() < 0) return;
  Request known;
  known.communicator = call.number();
  known.receives = true;
  known.has_status = has_status;
  known.is_persistent = is_persistent;
  call.session().requests().insert(key_of(*request), std::move(known));
}

namespace count_before {

template <class Count, class... Request>
void send(Call& call, const void*, Count count, MPI_Datatype type, int peer, int, MPI_Comm comm, Request...) {
  if (call.on(comm)) count_send(call, peer, bytes_of(count, type));
}

template <class Count>
void send_init(Call& call, const void*, Count count, MPI_Datatype type, int peer, int, MPI_Comm comm,
               const MPI_Request*) {
  if (call.on(comm)) count_send(call, peer, bytes_of(count, type));
}

template <class Count>
void partitioned_send_init(Call& call, const void*, int partitions, Count count, MPI_Datatype type, int peer,
                           int, MPI_Comm comm, MPI_Info, const MPI_Request*) {
  if (call.on(comm)) count_send(call, peer, partitions * bytes_of(count, type));
}

template <class Count>
void partitioned_receive_init(Call& call, const void*, int partitions, Count count, MPI_Datatype type,
                              int peer, int, MPI_Comm comm, MPI_Info, const MPI_Request*) {
  if (call.on(comm) && peer != MPI_PROC_NULL) call.received(peer, partitions * bytes_of(count, type));
}

template <class Count, class Last>
void receive(Call& call, const void*, Count count, MPI_Datatype type, int, int, MPI_Comm comm, Last) {
  if (call.on(comm)) call.traffic().argument(bytes_of(count, type));
}

template <class Count>
void receive_request(Call& call, const void*, Count count, MPI_Datatype type, int, int, MPI_Comm comm,
                     const MPI_Request*) {
  if (call.on(comm)) call.traffic().argument(bytes_of(count, type));
}

inline void take_message(Call& call, const MPI_Message* message) {
  if (const int* known = call.session().messages().find(key_of(*message))) {
    call.on_number(*known);
    call.session().messages().erase(key_of(*message));
  }
}
template <class Count>
void matched_receive(Call& call, const void*, Count count, MPI_Datatype type, const MPI_Message* message,
                     const MPI_Status*) {
  take_message(call, message);
  call.traffic().argument(bytes_of(count, type));
}
template <class Count>
void matched_receive_request(Call& call, const void*, Count count, MPI_Datatype type,
                             const MPI_Message* message, const MPI_Request*) {
  take_message(call, message);
  call.traffic().argument(bytes_of(count, type));
}

inline void probe(Call& call, int, int, MPI_Comm comm, const MPI_Status*) { call.on(comm); }
inline void iprobe(Call& call, int, int, MPI_Comm comm, const int*, const MPI_Status*) { call.on(comm); }
inline void matched_probe(Call& call, int, int, MPI_Comm comm, const MPI_Message*, const MPI_Status*) {
  call.on(comm);
}
inline void matched_iprobe(Call& call, int, int, MPI_Comm comm, const int*, const MPI_Message*,
                           const MPI_Status*) {
  call.on(comm);
}

template <class Count, class Last>
void sendrecv(Call& call, const void*, Count count, MPI_Datatype type, int peer, int, const void*, Count,
              MPI_Datatype, int, int, MPI_Comm comm, Last) {
  if (call.on(comm)) count_send(call, peer, bytes_of(count, type));
}
template <class Count, class Last>
void sendrecv_replace(Call& call, const void*, Count count, MPI_Datatype type, int peer, int, int, int,
                      MPI_Comm comm, Last) {
  if (call.on(comm)) count_send(call, peer, bytes_of(count, type));
}
template <class... Arguments>
void isendrecv(Call& call, Arguments... arguments) {
  sendrecv(call, arguments...);
}
template <class... Arguments>
void isendrecv_replace(Call& call, Arguments... arguments) {
  sendrecv_replace(call, arguments...);
}

}  // namespace count_before

namespace count_after {

/// A persistent send: what was counted happens at each start.
inline void remember_plan(Call& call, const MPI_Request* request) {
  call.is_plan();
  Request known;
  known.communicator = call.number();
  known.is_persistent = true;
  known.plan = std::make_shared<const Traffic>(call.traffic());
  call.session().requests().insert(key_of(*request), std::move(known));
}
template <class Count>
void send_init(Call& call, const void*, Count, MPI_Datatype, int, int, MPI_Comm, const MPI_Request* request) {
  remember_plan(call, request);
}
template <class Count>
void partitioned_send_init(Call& call, const void*, int, Count, MPI_Datatype, int, int, MPI_Comm, MPI_Info,
                           const MPI_Request* request) {
  remember_plan(call, request);
}
template <class Count>
void partitioned_receive_init(Call& call, const void*, int, Count, MPI_Datatype, int, int, MPI_Comm, MPI_Info,
                              const MPI_Request* request) {
  remember_plan(call, request);
}

template <class Count>
void receive(Call& call, const void*, Count, MPI_Datatype, int, int, MPI_Comm, const MPI_Status*) {
  count_arrival(call, call.number(), call.seen());
}
template <class Count>
void receive_request(Call& call, const void*, Count, MPI_Datatype, int, int, MPI_Comm,
                     const MPI_Request* request) {
  remember_receive(call, request, call.id() == CallId::recv_init);
}
template <class Count>
void matched_receive(Call& call, const void*, Count, MPI_Datatype, const MPI_Message*, const MPI_Status*) {
  count_arrival(call, call.number(), call.seen());
}
template <class Count>
void matched_receive_request(Call& call, const void*, Count, MPI_Datatype, const MPI_Message*,
                             const MPI_Request* request) {
  remember_receive(call, request, false);
}
inline void matched_probe(Call& call, int, int, MPI_Comm, const MPI_Message* message, const MPI_Status*) {
  if (call.number() >= 0) call.session().messages().insert(key_of(*message), call.number());
}
inline void matched_iprobe(Call& call, int, int, MPI_Comm, const int* flag, const MPI_Message* message,
                           const MPI_Status*) {
  if (*flag != 0 && call.number() >= 0) call.session().messages().insert(key_of(*message), call.number());
}
template <class Count>
void sendrecv(Call& call, const void*, Count, MPI_Datatype, int, int, const void*, Count, MPI_Datatype, int,
              int, MPI_Comm, const MPI_Status*) {
  count_arrival(call, call.number(), call.seen());
}
template <class Count>
void sendrecv_replace(Call& call, const void*, Count, MPI_Datatype, int, int, int, int, MPI_Comm,
                      const MPI_Status*) {
  count_arrival(call, call.number(), call.seen());
}
template <class Count>
void isendrecv(Call& call, const void*, Count, MPI_Datatype, int, int, const void*, Count, MPI_Datatype, int,
               int, MPI_Comm, const MPI_Request* request) {
  remember_receive(call, request, false, call.session().fills_status_of_isendrecv());
}
template <class Count>
void isendrecv_replace(Call& call, const void*, Count, MPI_Datatype, int, int, int, int, MPI_Comm,
                       const MPI_Request* request) {
  remember_receive(call, request, false, call.session().fills_status_of_isendrecv());
}

}  // namespace count_after
}  // namespace isobath::profiler
