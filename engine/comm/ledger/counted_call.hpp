// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "comm/ledger/call_kind.hpp"
#include "comm/ledger/call_ledger.hpp"
#include "comm/ledger/traffic.hpp"
#include "comm/ledger/waiting.hpp"

namespace isobath {

/// One MPI call while it lasts: adds to the communicator's traffic, and tells its watcher and its ledger,
/// where there are any.
class CountedCall {
 public:
  CountedCall(Traffic& traffic, CallWatcher* watcher, CallLedger* ledger, int communicator, CallKind kind,
              const char* mpi_name)
      : traffic_(traffic), watcher_(watcher), ledger_(ledger), is_complete_(kind != CallKind::test) {
    ++traffic_.calls;
    if (watcher_ != nullptr) watcher_->entered(mpi_name);
    if (ledger_ != nullptr) ledger_->entered(kind, communicator);
  }
  CountedCall(const CountedCall&) = delete;
  CountedCall& operator=(const CountedCall&) = delete;
  ~CountedCall() {
    if (ledger_ != nullptr) ledger_->left();
    if (watcher_ != nullptr) watcher_->left(is_complete_);
  }

  /// A message of at least one byte to another rank of the communicator; nothing where there is no byte.
  void sent(int peer, std::int64_t bytes) {
    if (bytes == 0) return;
    traffic_.bytes_sent += bytes;
    ++traffic_.messages;
    if (ledger_ != nullptr) ledger_->sent(peer, bytes);
  }
  void received(int peer, std::int64_t bytes) {
    if (bytes == 0) return;
    traffic_.bytes_received += bytes;
    if (ledger_ != nullptr) ledger_->received(peer, bytes);
  }
  /// A call of kind test has found something, or a longer one has come so far.
  void completed() {
    is_complete_ = true;
    if (watcher_ != nullptr) watcher_->completed();
  }
  /// The own segment.
  void kept(std::int64_t bytes) {
    if (ledger_ != nullptr && bytes != 0) ledger_->kept(bytes);
  }

 private:
  Traffic& traffic_;
  CallWatcher* watcher_;
  CallLedger* ledger_;
  bool is_complete_;  // a call that only asks may have found nothing
};

}  // namespace isobath
