// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "comm/ledger/call_kind.hpp"

namespace isobath {

/// Is told every call that communicators make, with what it sends to and receives from whom. Called by the
/// thread that communicates; must be quick, must not throw and must not communicate. It may read a clock,
/// which the comm layer itself does not.
class CallLedger {
 public:
  CallLedger() = default;
  CallLedger(const CallLedger&) = delete;
  CallLedger& operator=(const CallLedger&) = delete;
  virtual ~CallLedger();

  /// A communicator begins to report. Returns the number under which it will.
  /// @param world_ranks  of its ranks, in order
  virtual int communicator(std::span<const int> world_ranks) = 0;

  /// A call begins; until left() the functions below belong to it. Calls do not nest.
  virtual void entered(CallKind kind, int communicator) noexcept = 0;
  /// So many bytes go to a rank of the communicator in one message, as the operation needs them, whatever the
  /// library does. Never the own rank.
  virtual void sent(int peer, std::int64_t bytes) noexcept = 0;
  /// The same for what arrives; told by the call that completes it.
  virtual void received(int peer, std::int64_t bytes) noexcept = 0;
  /// The own segment of a collective: counted apart, it is no message.
  virtual void kept(std::int64_t bytes) noexcept = 0;
  virtual void left() noexcept = 0;
};

}  // namespace isobath
