// SPDX-License-Identifier: Apache-2.0
// Bytes of one-sided calls, at the origin: a put sends, a get receives, a fetch does both. The target knows
// nothing of them, so that in the matrix of ranks what one received may stand in the row of the sender alone.
#pragma once

#include <mpi.h>

#include <cstdint>

#include "profiler/bytes.hpp"
#include "profiler/call.hpp"
#include "profiler/handles.hpp"

namespace isobath::profiler {

/// Bytes to and from one target of a window.
inline void count_one_sided(Call& call, MPI_Win win, int target, std::int64_t sent, std::int64_t received) {
  if (!call.on_window(win) || target == MPI_PROC_NULL) return;
  const Communicator& communicator = call.communicator();
  call.traffic().argument(sent > 0 ? sent : received);
  if (communicator.has_self() && target == communicator.rank) {
    call.kept(sent + received);
    return;
  }
  call.sent(target, sent);
  call.received(target, received);
}

namespace count_before {

inline void timed(Call&) {}

template <class Count, class Target, class... Request>
void put(Call& call, const void*, Count count, MPI_Datatype type, int target, MPI_Aint, Target, MPI_Datatype,
         MPI_Win win, Request...) {
  count_one_sided(call, win, target, bytes_of(count, type), 0);
}

template <class Count, class Target, class... Request>
void get(Call& call, const void*, Count count, MPI_Datatype type, int target, MPI_Aint, Target, MPI_Datatype,
         MPI_Win win, Request...) {
  count_one_sided(call, win, target, 0, bytes_of(count, type));
}

template <class Count, class Target, class... Request>
void accumulate(Call& call, const void*, Count count, MPI_Datatype type, int target, MPI_Aint, Target,
                MPI_Datatype, MPI_Op, MPI_Win win, Request...) {
  count_one_sided(call, win, target, bytes_of(count, type), 0);
}

/// With MPI_NO_OP the origin has no elements, and nothing is sent.
template <class Count, class... Request>
void get_accumulate(Call& call, const void*, Count count, MPI_Datatype type, const void*, Count result_count,
                    MPI_Datatype result_type, int target, MPI_Aint, Count, MPI_Datatype, MPI_Op, MPI_Win win,
                    Request...) {
  count_one_sided(call, win, target, bytes_of(count, type), bytes_of(result_count, result_type));
}

inline void fetch_and_op(Call& call, const void*, const void*, MPI_Datatype type, int target, MPI_Aint,
                         MPI_Op, MPI_Win win) {
  count_one_sided(call, win, target, type_bytes(type), type_bytes(type));
}

inline void compare_and_swap(Call& call, const void*, const void*, const void*, MPI_Datatype type, int target,
                             MPI_Aint, MPI_Win win) {
  count_one_sided(call, win, target, 2 * type_bytes(type), type_bytes(type));
}

/// Calls that order others; the window is the last argument, or the one before a result.
inline void window(Call& call, MPI_Win win) { call.on_window(win); }
inline void window(Call& call, MPI_Win win, const int*) { call.on_window(win); }
inline void window(Call& call, int, MPI_Win win) { call.on_window(win); }
inline void window(Call& call, MPI_Group, int, MPI_Win win) { call.on_window(win); }
inline void window(Call& call, int, int, int, MPI_Win win) { call.on_window(win); }

inline void window_create(Call& call, const void*, MPI_Aint, MPI_Aint, MPI_Info, MPI_Comm comm,
                          const MPI_Win*) {
  call.belongs_to(TrafficClass::one_sided);
  call.on(comm);
}
inline void window_create(Call& call, MPI_Aint, MPI_Aint, MPI_Info, MPI_Comm comm, const void*,
                          const MPI_Win*) {
  call.belongs_to(TrafficClass::one_sided);
  call.on(comm);
}
inline void window_create(Call& call, MPI_Info, MPI_Comm comm, const MPI_Win*) {
  call.belongs_to(TrafficClass::one_sided);
  call.on(comm);
}
inline void window_free(Call& call, const MPI_Win* win) {
  call.on_window(*win);
  call.session().windows().erase(key_of(*win));
}

}  // namespace count_before

namespace count_after {

inline void remember_window(Call& call, const MPI_Win* win) {
  if (call.number() >= 0) call.session().windows().insert(key_of(*win), call.number());
}
inline void window_create(Call& call, const void*, MPI_Aint, MPI_Aint, MPI_Info, MPI_Comm,
                          const MPI_Win* win) {
  remember_window(call, win);
}
inline void window_create(Call& call, MPI_Aint, MPI_Aint, MPI_Info, MPI_Comm, const void*,
                          const MPI_Win* win) {
  remember_window(call, win);
}
inline void window_create(Call& call, MPI_Info, MPI_Comm, const MPI_Win* win) { remember_window(call, win); }

}  // namespace count_after
}  // namespace isobath::profiler
