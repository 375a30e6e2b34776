// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "comm/communicator.hpp"
#include "comm/ledger/ledger.hpp"

namespace isobath {

/// How long ranks waited inside collective calls for the last of them to come.
class LedgerWaits {
 public:
  /// @param world  all ranks of the program; reports to no ledger; outlives this
  explicit LedgerWaits(const Communicator& world) : world_(world) {}

  LedgerWaits(const LedgerWaits&) = delete;
  LedgerWaits& operator=(const LedgerWaits&) = delete;

  /// Collective. For every cell of the ledger's entry the seconds that this rank waited: in each collective
  /// call from its own arrival to that of the communicator's last rank, as far as its clock and the call's
  /// duration allow.
  /// @param clock_offset  what to add to this rank's clock to have a time that all ranks share
  /// @throws InternalError where ranks of a communicator made different numbers of calls
  std::vector<double> of(const Ledger& ledger, double clock_offset);

 private:
  const Communicator& group(const Ledger& ledger, std::size_t communicator);
  std::vector<std::int64_t> agree(const Ledger& ledger, const std::vector<std::vector<std::size_t>>& calls);

  const Communicator& world_;
  std::vector<std::optional<Communicator>> groups_;  // by number in the ledger; made when needed
};

}  // namespace isobath
