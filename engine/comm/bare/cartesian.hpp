// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

#include <vector>

#include "comm/communicator.hpp"

namespace isobath {

/// An owning handle of an MPI communicator that may have a Cartesian topology, on the ranks of another and in
/// their order. For benchmarks: what algorithms a library takes is decided when a communicator is made.
class BareCommunicator {
 public:
  /// Collective. A duplicate.
  static BareCommunicator duplicate(const Communicator& comm);
  /// Collective. Dimension 0 of `extents` varies fastest with the rank; nothing is periodic, so that every
  /// neighbour is another rank and none appears twice. @pre the product is comm.size()
  static BareCommunicator cartesian(const Communicator& comm, const std::vector<int>& extents);
  BareCommunicator(BareCommunicator&& other) noexcept;
  BareCommunicator& operator=(BareCommunicator&&) = delete;
  ~BareCommunicator();

  MPI_Comm handle() const { return handle_; }
  /// Of every rank in a Cartesian topology, as MPI has them; dimension 0 first.
  std::vector<std::vector<int>> coordinates() const;
  /// In the order of MPI's neighbourhood collectives on a Cartesian topology; -1 where there is none.
  std::vector<int> neighbours() const;

 private:
  explicit BareCommunicator(MPI_Comm owned);

  MPI_Comm handle_ = MPI_COMM_NULL;
  int exceptions_before_ = 0;
};

/// Collective. No rank leaves before the last has come; who waits sleeps, so that the others have the
/// processors for themselves.
void meet_asleep(const Communicator& comm);

}  // namespace isobath
