// SPDX-License-Identifier: Apache-2.0
#include "comm/bare/cartesian.hpp"

#include <algorithm>
#include <chrono>
#include <exception>
#include <thread>
#include <utility>

#include "comm/calls/check.hpp"

namespace isobath {

BareCommunicator::BareCommunicator(MPI_Comm owned)
    : handle_(owned), exceptions_before_(std::uncaught_exceptions()) {
  check(MPI_Comm_set_errhandler(handle_, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
}

BareCommunicator BareCommunicator::duplicate(const Communicator& comm) {
  MPI_Comm made = MPI_COMM_NULL;
  check(MPI_Comm_dup(comm.handle(), &made), "MPI_Comm_dup");
  return BareCommunicator(made);
}

BareCommunicator BareCommunicator::cartesian(const Communicator& comm, const std::vector<int>& extents) {
  // MPI varies the last dimension fastest.
  const std::vector<int> backwards(extents.rbegin(), extents.rend());
  const std::vector<int> periods(extents.size(), 0);
  MPI_Comm made = MPI_COMM_NULL;
  check(MPI_Cart_create(comm.handle(), static_cast<int>(extents.size()), backwards.data(), periods.data(),
                        /*reorder=*/0, &made),
        "MPI_Cart_create");
  return BareCommunicator(made);
}

BareCommunicator::BareCommunicator(BareCommunicator&& other) noexcept
    : handle_(std::exchange(other.handle_, MPI_COMM_NULL)), exceptions_before_(other.exceptions_before_) {}

BareCommunicator::~BareCommunicator() {
  // While an exception passes, the other ranks may be inside a collective, and freeing may wait for them.
  if (handle_ != MPI_COMM_NULL && std::uncaught_exceptions() == exceptions_before_) MPI_Comm_free(&handle_);
}

std::vector<std::vector<int>> BareCommunicator::coordinates() const {
  int dimensions = 0;
  int ranks = 0;
  check(MPI_Cartdim_get(handle_, &dimensions), "MPI_Cartdim_get");
  check(MPI_Comm_size(handle_, &ranks), "MPI_Comm_size");
  std::vector<std::vector<int>> found;
  for (int rank = 0; rank < ranks; ++rank) {
    std::vector<int> backwards(static_cast<std::size_t>(dimensions));
    check(MPI_Cart_coords(handle_, rank, dimensions, backwards.data()), "MPI_Cart_coords");
    found.emplace_back(backwards.rbegin(), backwards.rend());
  }
  return found;
}

std::vector<int> BareCommunicator::neighbours() const {
  int dimensions = 0;
  check(MPI_Cartdim_get(handle_, &dimensions), "MPI_Cartdim_get");
  std::vector<int> ranks;
  for (int dimension = 0; dimension < dimensions; ++dimension) {
    int before = MPI_PROC_NULL;
    int after = MPI_PROC_NULL;
    check(MPI_Cart_shift(handle_, dimension, 1, &before, &after), "MPI_Cart_shift");
    for (const int rank : {before, after}) ranks.push_back(rank == MPI_PROC_NULL ? -1 : rank);
  }
  return ranks;
}

void meet_asleep(const Communicator& comm) {
  if (comm.size() == 1) return;
  const Waiting waiting = comm.waiting("MPI_Ibarrier", WaitsFor::orders);
  MPI_Request meeting = MPI_REQUEST_NULL;
  check(MPI_Ibarrier(comm.handle(), &meeting), "MPI_Ibarrier");
  for (int met = 0; met == 0;) {
    check(MPI_Test(&meeting, &met, MPI_STATUS_IGNORE), "MPI_Test");
    if (met == 0) std::this_thread::sleep_for(std::chrono::microseconds(200));
  }
}

}  // namespace isobath
