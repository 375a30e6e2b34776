// SPDX-License-Identifier: Apache-2.0
// The ledger told of calls by hand, with a clock that moves only when it is told to.
#include "comm/ledger/ledger.hpp"

#include <cstdlib>
#include <new>

#include <gtest/gtest.h>

namespace {

std::size_t allocations = 0;

}  // namespace

// Counts what this test program allocates.
[[gnu::noinline]] void* operator new(std::size_t bytes) {
  ++allocations;
  if (void* const memory = std::malloc(bytes == 0 ? 1 : bytes)) return memory;
  throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace isobath {
namespace {

/// Rank 1 of four ranks on two nodes, with the world and a row {1, 3}.
class LedgerTest : public testing::Test {
 protected:
  LedgerTest() {
    world_ = ledger_.communicator(std::vector<int>{0, 1, 2, 3});
    row_ = ledger_.communicator(std::vector<int>{1, 3});
  }

  /// An allreduce of `bytes` over the world that begins now and takes `seconds`.
  void allreduce(std::int64_t bytes, double seconds) {
    ledger_.entered(CallKind::allreduce, world_);
    for (const int peer : {0, 2, 3}) {
      ledger_.sent(peer, bytes);
      ledger_.received(peer, bytes);
    }
    ledger_.kept(bytes);
    now_ += seconds;
    ledger_.left();
  }
  /// To the other rank of the row.
  void send(std::int64_t bytes, double seconds) {
    ledger_.entered(CallKind::isend, row_);
    ledger_.sent(1, bytes);
    now_ += seconds;
    ledger_.left();
  }
  void write_an_entry() {
    ledger_.clear();
    ledger_.begin(RunPart::search);
    for (int level = 0; level < 20; ++level) {
      ledger_.enter(level, Phase::fold);
      send(100 * level, 1);
      ledger_.enter(level, Phase::reduce);
      allreduce(8, 1);
    }
    ledger_.end();
  }

  double now_ = 1000;
  Ledger ledger_{{.rank = 1, .node_of_rank = {0, 0, 1, 1}, .buckets = {}, .clock = [this] { return now_; }}};
  int world_ = -1;
  int row_ = -1;
};

TEST_F(LedgerTest, AddsUpByLevelPhaseCallAndCommunicator) {
  ledger_.begin(RunPart::search);
  ledger_.enter(-1, Phase::reset);
  allreduce(8, 0.5);
  ledger_.enter(0, Phase::fold);
  send(100, 1);
  send(20, 2);
  allreduce(8, 0.25);
  ledger_.enter(1, Phase::fold);
  send(7, 4);
  ledger_.enter(0, Phase::fold);  // a phase may come twice
  send(1, 8);
  ledger_.end();

  const std::span<const LedgerCell> cells = ledger_.cells();
  ASSERT_EQ(cells.size(), 4U);
  EXPECT_EQ(cells[0].level, -1);
  EXPECT_EQ(cells[0].phase, Phase::reset);
  EXPECT_EQ(cells[0].kind, CallKind::allreduce);
  EXPECT_EQ(cells[0].communicator, world_);
  EXPECT_EQ(cells[0].totals.calls, 1);
  EXPECT_EQ(cells[0].totals.messages, 3);
  EXPECT_EQ(cells[0].totals.bytes_sent, 24);
  EXPECT_EQ(cells[0].totals.bytes_received, 24);
  EXPECT_EQ(cells[0].totals.kept_bytes, 8);
  EXPECT_EQ(cells[0].totals.off_node_bytes, 16) << "ranks 2 and 3 are on the other node";
  EXPECT_EQ(cells[0].totals.seconds, 0.5);
  EXPECT_EQ(cells[1].level, 0);
  EXPECT_EQ(cells[1].kind, CallKind::isend);
  EXPECT_EQ(cells[1].communicator, row_);
  EXPECT_EQ(cells[1].totals.calls, 3);
  EXPECT_EQ(cells[1].totals.bytes_sent, 121);
  EXPECT_EQ(cells[1].totals.off_node_bytes, 121) << "rank 1 of the row is rank 3";
  EXPECT_EQ(cells[1].totals.seconds, 11);
  EXPECT_EQ(cells[2].kind, CallKind::allreduce);
  EXPECT_EQ(cells[2].level, 0);
  EXPECT_EQ(cells[3].level, 1);
  EXPECT_EQ(cells[3].totals.bytes_sent, 7);
}

TEST_F(LedgerTest, KnowsToWhomAndFromWhom) {
  ledger_.begin(RunPart::search);
  ledger_.enter(0, Phase::fold);
  send(100, 1);
  allreduce(8, 1);
  ledger_.enter(1, Phase::reduce);
  allreduce(16, 1);
  ledger_.end();

  ASSERT_EQ(ledger_.num_places(), 2U);
  EXPECT_EQ(ledger_.level_of_place(0), 0);
  EXPECT_EQ(ledger_.phase_of_place(0), Phase::fold);
  const std::span<const PeerTraffic> fold = ledger_.peers_of_place(0);
  ASSERT_EQ(fold.size(), 4U);
  const std::int64_t sent[] = {8, 0, 8, 108};
  const std::int64_t messages[] = {1, 0, 1, 2};
  const std::int64_t received[] = {8, 0, 8, 8};
  for (std::size_t rank = 0; rank < 4; ++rank) {
    EXPECT_EQ(fold[rank].bytes_sent, sent[rank]) << rank;
    EXPECT_EQ(fold[rank].messages, messages[rank]) << rank;
    EXPECT_EQ(fold[rank].bytes_received, received[rank]) << rank;
  }
  EXPECT_EQ(ledger_.peers_of_place(1)[2].bytes_sent, 16);
}

TEST_F(LedgerTest, KeepsCollectiveCallsInOrder) {
  ledger_.begin(RunPart::search);
  ledger_.enter(0, Phase::fold);
  allreduce(8, 0.5);
  send(1, 2);
  allreduce(8, 0.25);
  ledger_.end();

  const std::span<const CollectiveCall> calls = ledger_.collectives();
  ASSERT_EQ(calls.size(), 2U) << "a send is none";
  EXPECT_EQ(calls[0].entry, 1000);
  EXPECT_EQ(calls[0].seconds, 0.5);
  EXPECT_EQ(calls[1].entry, 1002.5);
  EXPECT_EQ(calls[1].seconds, 0.25);
  EXPECT_EQ(ledger_.cells()[calls[0].cell].kind, CallKind::allreduce);
}

TEST_F(LedgerTest, CountsOnlyBetweenBeginAndEnd) {
  allreduce(8, 1);
  ledger_.begin(RunPart::search);
  ledger_.end();
  allreduce(8, 1);
  EXPECT_TRUE(ledger_.cells().empty());
  EXPECT_TRUE(ledger_.collectives().empty());
  EXPECT_EQ(ledger_.num_places(), 0U);
}

TEST_F(LedgerTest, SizesOfACallArePerPeerInAllAndKept) {
  ledger_.begin(RunPart::search);
  ledger_.enter(0, Phase::fold);
  ledger_.entered(CallKind::alltoallv, world_);
  ledger_.sent(0, 100);
  ledger_.sent(2, 100);
  ledger_.sent(3, 600);
  ledger_.kept(33);
  now_ += 8;
  ledger_.left();
  ledger_.end();

  const SizeBuckets& buckets = ledger_.sizes().buckets();
  const auto at = [&](SizeMeaning meaning, std::int64_t bytes) {
    return ledger_.sizes().of(CallKind::alltoallv, meaning)[buckets.bucket_of(bytes)];
  };
  EXPECT_EQ(at(SizeMeaning::per_peer, 100).count, 2);
  EXPECT_EQ(at(SizeMeaning::per_peer, 100).bytes, 200);
  EXPECT_DOUBLE_EQ(at(SizeMeaning::per_peer, 100).seconds, 2.0) << "200 of 800 bytes, 8 seconds";
  EXPECT_EQ(at(SizeMeaning::per_peer, 600).count, 1);
  EXPECT_DOUBLE_EQ(at(SizeMeaning::per_peer, 600).seconds, 6.0);
  EXPECT_EQ(at(SizeMeaning::call_total, 800).count, 1);
  EXPECT_EQ(at(SizeMeaning::call_total, 800).bytes, 800);
  EXPECT_DOUBLE_EQ(at(SizeMeaning::call_total, 800).seconds, 8.0);
  EXPECT_EQ(at(SizeMeaning::own_segment, 33).count, 1);
  EXPECT_EQ(at(SizeMeaning::own_segment, 33).bytes, 33);
}

TEST_F(LedgerTest, OnlyWhatIsCommittedCounts) {
  write_an_entry();
  ledger_.commit();
  write_an_entry();  // a warm-up, say
  write_an_entry();
  ledger_.commit();
  ledger_.clear();
  ledger_.begin(RunPart::validate);
  allreduce(8, 3);
  now_ += 2;
  ledger_.end();
  ledger_.commit();

  const PartTotals& search = ledger_.totals(RunPart::search);
  EXPECT_EQ(search.seconds, 80);
  const CallTotals& sends = search.calls[static_cast<std::size_t>(CallKind::isend)];
  EXPECT_EQ(sends.calls, 40);
  EXPECT_EQ(sends.bytes_sent, 2 * 100 * 190);
  EXPECT_EQ(sends.seconds, 40);
  const std::vector<PeerTraffic>& fold = search.peers[static_cast<std::size_t>(Phase::fold)];
  ASSERT_EQ(fold.size(), 4U);
  EXPECT_EQ(fold[3].bytes_sent, 2 * 100 * 190);
  EXPECT_EQ(fold[0].bytes_sent, 0);
  EXPECT_EQ(search.peers[static_cast<std::size_t>(Phase::reduce)][2].messages, 40);
  EXPECT_TRUE(search.peers[static_cast<std::size_t>(Phase::expand)].empty());
  ASSERT_TRUE(search.sizes.has_value());
  EXPECT_EQ(search.sizes->of(CallKind::allreduce, SizeMeaning::own_segment)[8].count, 40);
  EXPECT_EQ(ledger_.totals(RunPart::validate).seconds, 5);
  EXPECT_EQ(ledger_.totals(RunPart::validate).calls[static_cast<std::size_t>(CallKind::allreduce)].seconds,
            3);
  EXPECT_EQ(ledger_.totals(RunPart::construct).seconds, 0);
}

TEST_F(LedgerTest, ALevelBeyondTheUsualIsKeptToo) {
  ledger_.begin(RunPart::search);
  ledger_.enter(5000, Phase::fold);
  send(1, 1);
  ledger_.enter(-1, Phase::emit);
  send(2, 1);
  ledger_.enter(5000, Phase::fold);
  send(3, 1);
  ledger_.end();
  ASSERT_EQ(ledger_.cells().size(), 2U);
  EXPECT_EQ(ledger_.cells()[0].level, 5000);
  EXPECT_EQ(ledger_.cells()[0].totals.bytes_sent, 4);
  ledger_.clear();
  write_an_entry();
  EXPECT_EQ(ledger_.num_places(), 40U);
}

TEST_F(LedgerTest, AllocatesNothingInASearchLikeOneBefore) {
  write_an_entry();
  ledger_.clear();
  const std::size_t before = allocations;
  write_an_entry();
  EXPECT_EQ(allocations, before);
  EXPECT_EQ(ledger_.cells().size(), 40U);
}

}  // namespace
}  // namespace isobath
