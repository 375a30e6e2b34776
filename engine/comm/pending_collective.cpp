// SPDX-License-Identifier: Apache-2.0
#include "comm/pending_collective.hpp"

#include "comm/check.hpp"

namespace isobath {

PendingCollective::PendingCollective(const OverlapCall& call, const Communicator& comm, std::int64_t count)
    : call_(&call), arguments_(arguments_of(call, comm, count)) {}

void PendingCollective::call() { check(call_->call(arguments_), call_->name.data()); }

void PendingCollective::start() { check(call_->start(arguments_, &request_), call_->name.data()); }

bool PendingCollective::test() {
  int is_complete = 0;
  check(MPI_Test(&request_, &is_complete, MPI_STATUS_IGNORE), "MPI_Test");
  return is_complete != 0;
}

void PendingCollective::wait() { check(MPI_Wait(&request_, MPI_STATUS_IGNORE), "MPI_Wait"); }

}  // namespace isobath
