// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "comm/bare/collective_calls.hpp"
#include "comm/communicator.hpp"

namespace isobath {

/// Those that a communicator without neighbours has: each blocking and non-blocking.
std::vector<std::string_view> overlap_collectives();
/// One of them. @throws UsageError naming those that there are
Collective parse_overlap_collective(std::string_view name);

/// One collective of doubles with its buffers, called blocking or started and completed. Reductions sum. Not
/// counted by the ledger: between the caller and the library there is nothing but the check of the return
/// code.
class PendingCollective {
 public:
  /// @param comm  outlives the object; needs MPI
  /// @param count  elements of a vector, or of the block of one rank where blocks are moved
  /// @throws RefusedError where a buffer's bytes do not fit an int
  PendingCollective(Collective collective, const Communicator& comm, std::int64_t count);

  /// Collective. The blocking call. @throws MpiError, as the others
  void call();
  /// Collective. The non-blocking one; buffers stay as they are until it is complete.
  void start();
  /// Is it complete? MPI_Test, also when it is known to be.
  bool test();
  void wait();

  std::span<double> send() { return send_; }
  std::span<double> receive() { return receive_; }
  std::int64_t count() const { return count_; }
  /// Of all calls, where they have one.
  static constexpr int root_rank = 0;
  /// Of the blocking call in lower case without prefix: allreduce.
  std::string_view name() const { return name_; }

 private:
  std::string name_;
  std::int64_t count_;
  std::vector<double> send_;
  std::vector<double> receive_;
  std::unique_ptr<BareCall> blocking_;
  std::unique_ptr<BareCall> nonblocking_;
};

}  // namespace isobath
