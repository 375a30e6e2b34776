// SPDX-License-Identifier: Apache-2.0
// One counted call made by hand: what it adds to the traffic, and what a watcher and a ledger are told, in
// order.
#include "comm/ledger/counted_call.hpp"

#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace isobath {
namespace {

using Words = std::vector<std::string>;

class ToldWatcher final : public CallWatcher {
 public:
  explicit ToldWatcher(Words& words) : words_(words) {}
  void entered(const char* call) noexcept override { words_.push_back(std::string("watcher: ") + call); }
  void rests() noexcept override { words_.emplace_back("watcher: rests"); }
  void completed() noexcept override { words_.emplace_back("watcher: completed"); }
  void left(bool is_complete) noexcept override {
    words_.emplace_back(is_complete ? "watcher: left" : "watcher: left with nothing");
  }

 private:
  Words& words_;
};

class ToldLedger final : public CallLedger {
 public:
  explicit ToldLedger(Words& words) : words_(words) {}
  int communicator(std::span<const int>) override { return 0; }
  void entered(CallKind kind, int communicator) noexcept override {
    words_.push_back("ledger: " + std::string(name_of(kind)) + " of " + std::to_string(communicator));
  }
  void sent(int peer, std::int64_t bytes) noexcept override { told("sent", peer, bytes); }
  void received(int peer, std::int64_t bytes) noexcept override { told("received", peer, bytes); }
  void kept(std::int64_t bytes) noexcept override {
    words_.push_back("ledger: kept " + std::to_string(bytes));
  }
  void left() noexcept override { words_.emplace_back("ledger: left"); }

 private:
  void told(const char* what, int peer, std::int64_t bytes) {
    words_.push_back(std::string("ledger: ") + what + " " + std::to_string(peer) + " " +
                     std::to_string(bytes));
  }
  Words& words_;
};

struct CountedCallTest : testing::Test {
  Words words;
  ToldWatcher watcher{words};
  ToldLedger ledger{words};
  Traffic traffic{.bytes_sent = 100, .messages = 10, .calls = 1, .bytes_received = 1000};
};

TEST_F(CountedCallTest, TellsBothFromItsBeginToItsEnd) {
  {
    CountedCall call(traffic, &watcher, &ledger, 7, CallKind::alltoallv, "MPI_Alltoallv");
    call.sent(2, 5);
    call.received(3, 6);
    call.kept(9);
    EXPECT_EQ(traffic.calls, 2) << "counted when it begins";
  }
  EXPECT_EQ(words, (Words{"watcher: MPI_Alltoallv", "ledger: alltoallv of 7", "ledger: sent 2 5",
                          "ledger: received 3 6", "ledger: kept 9", "ledger: left", "watcher: left"}));
  EXPECT_EQ(traffic.bytes_sent, 105);
  EXPECT_EQ(traffic.messages, 11);
  EXPECT_EQ(traffic.bytes_received, 1006) << "what is kept is not received";
}

TEST_F(CountedCallTest, WhatHasNoByteIsNoMessage) {
  {
    CountedCall call(traffic, &watcher, &ledger, 0, CallKind::isend, "MPI_Isend");
    call.sent(1, 0);
    call.received(1, 0);
    call.kept(0);
  }
  EXPECT_EQ(words, (Words{"watcher: MPI_Isend", "ledger: isend of 0", "ledger: left", "watcher: left"}));
  EXPECT_EQ(traffic.bytes_sent, 100);
  EXPECT_EQ(traffic.messages, 10);
  EXPECT_EQ(traffic.bytes_received, 1000);
  EXPECT_EQ(traffic.calls, 2);
}

TEST_F(CountedCallTest, OneThatAsksIsCompleteOnlyWhenItSaysSo) {
  {
    const CountedCall call(traffic, &watcher, &ledger, 0, CallKind::test, "MPI_Test");
  }
  EXPECT_EQ(words.back(), "watcher: left with nothing");
  {
    CountedCall call(traffic, &watcher, &ledger, 0, CallKind::test, "MPI_Test");
    call.completed();
    EXPECT_EQ(words.back(), "watcher: completed");
  }
  EXPECT_EQ(words.back(), "watcher: left");
}

TEST_F(CountedCallTest, CountsWithNobodyToTell) {
  {
    CountedCall call(traffic, nullptr, nullptr, 0, CallKind::test, "MPI_Test");
    call.sent(1, 8);
    call.received(1, 16);
    call.kept(32);
    call.completed();
  }
  EXPECT_TRUE(words.empty());
  EXPECT_EQ(traffic.bytes_sent, 108);
  EXPECT_EQ(traffic.messages, 11);
  EXPECT_EQ(traffic.calls, 2);
  EXPECT_EQ(traffic.bytes_received, 1016);
}

}  // namespace
}  // namespace isobath
