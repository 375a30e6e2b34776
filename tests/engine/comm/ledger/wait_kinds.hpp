// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <string>
#include <utility>

#include "comm/ledger/call_kind.hpp"
#include "comm/ledger/call_ledger.hpp"
#include "comm/ledger/waiting.hpp"

namespace isobath::test {

/// Which calls were waits: the function of MPI as a watchdog names it, and the kind under which the ledger
/// counts it. Watches and keeps one communicator.
class WaitKinds final : public CallWatcher, public CallLedger {
 public:
  void entered(const char* call) noexcept override { name_ = call; }
  void rests() noexcept override {}
  void completed() noexcept override {}
  void left(bool) noexcept override {}

  int communicator(std::span<const int>) override { return 0; }
  void entered(CallKind kind, int) noexcept override {
    if (name_.starts_with("MPI_Wait")) found.emplace(name_, name_of(kind));
  }
  void sent(int, std::int64_t) noexcept override {}
  void received(int, std::int64_t) noexcept override {}
  void kept(std::int64_t) noexcept override {}
  void left() noexcept override {}

  std::set<std::pair<std::string, std::string>> found;

 private:
  std::string name_;
};

}  // namespace isobath::test
