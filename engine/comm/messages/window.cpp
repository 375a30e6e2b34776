// SPDX-License-Identifier: Apache-2.0
#include "comm/messages/window.hpp"

#include <algorithm>
#include <exception>

#include "base/narrow.hpp"
#include "comm/calls/check.hpp"

namespace isobath {

Window::Window(const Communicator& comm, std::int64_t bytes) {
  // Whole cache lines: MPICH 4.0 looks for a neighbour's window in the wrong place where a window's length is
  // no multiple of 16 bytes.
  constexpr std::int64_t line = 64;
  const std::int64_t whole_lines = (bytes + line - 1) / line * line;
  const Waiting waiting = comm.waiting("MPI_Win_allocate");
  check(MPI_Win_allocate(static_cast<MPI_Aint>(whole_lines), 1, MPI_INFO_NULL, comm.handle(),
                         static_cast<void*>(&memory_), &handle_),
        "MPI_Win_allocate");
  check(MPI_Win_set_errhandler(handle_, MPI_ERRORS_RETURN), "MPI_Win_set_errhandler");
  std::fill_n(memory_, bytes, std::byte{0});
}

Window::~Window() {
  int finalized = 0;
  MPI_Finalized(&finalized);
  if (finalized == 0 && std::uncaught_exceptions() == 0) MPI_Win_free(&handle_);
}

void Window::fence(int assertion) const { check(MPI_Win_fence(assertion, handle_), "MPI_Win_fence"); }

void Window::put(std::span<const std::byte> bytes, int rank, std::int64_t offset) const {
  const int count = narrow<int>(bytes.size());
  check(MPI_Put(bytes.data(), count, MPI_BYTE, rank, static_cast<MPI_Aint>(offset), count, MPI_BYTE, handle_),
        "MPI_Put");
}

void Window::accumulate_min(const std::int64_t& value, int rank, std::int64_t offset) const {
  check(MPI_Accumulate(&value, 1, MPI_INT64_T, rank, static_cast<MPI_Aint>(offset), 1, MPI_INT64_T, MPI_MIN,
                       handle_),
        "MPI_Accumulate");
}

void Window::accumulate_or(const std::uint64_t& value, int rank, std::int64_t offset) const {
  check(MPI_Accumulate(&value, 1, MPI_UINT64_T, rank, static_cast<MPI_Aint>(offset), 1, MPI_UINT64_T, MPI_BOR,
                       handle_),
        "MPI_Accumulate");
}

}  // namespace isobath
