// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "comm/collective_arguments.hpp"

namespace isobath {

/// One collective with its buffers, called blocking or started and completed. Not counted by the ledger:
/// between the caller and the library there is nothing but the check of the return code.
class PendingCollective {
 public:
  /// @param comm  outlives the object; needs MPI
  PendingCollective(const OverlapCall& call, const Communicator& comm, std::int64_t count);
  PendingCollective(const PendingCollective&) = delete;
  PendingCollective& operator=(const PendingCollective&) = delete;

  /// Collective. The blocking call. @throws MpiError, as the others
  void call();
  /// Collective. The non-blocking one; buffers stay as they are until it is complete.
  void start();
  /// Is it complete? MPI_Test, also when it is known to be.
  bool test();
  void wait();

  CollectiveArguments& arguments() { return arguments_; }
  const OverlapCall& which() const { return *call_; }

 private:
  const OverlapCall* call_;
  CollectiveArguments arguments_;
  MPI_Request request_ = MPI_REQUEST_NULL;
};

}  // namespace isobath
