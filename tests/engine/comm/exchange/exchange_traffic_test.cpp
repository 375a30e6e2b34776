// SPDX-License-Identifier: Apache-2.0
// What every kind of exchange counts, told to whom and in which phase, against closed forms.
#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "comm/ledger/wait_kinds.hpp"
#include "exchange_closed_form.hpp"
#include "exchanges.hpp"
#include "mpi_main.hpp"

namespace isobath::test {
namespace {

/// Adds up what it is told by phase and peer.
class PeerLedger final : public CallLedger, public PhaseObserver {
 public:
  struct Cell {
    PerPeer sent;
    PerPeer received;
    std::int64_t kept = 0;
  };

  int communicator(std::span<const int> world_ranks) override {
    ranks = std::max(ranks, world_ranks.size());
    return communicators++;
  }
  void entered(CallKind kind, int communicator) noexcept override {
    if (inside) ++nested;
    inside = true;
    if (communicator != 0) ++on_parts;
    calls.push_back(kind);
  }
  void sent(int peer, std::int64_t bytes) noexcept override { at(current().sent, peer) += bytes; }
  void received(int peer, std::int64_t bytes) noexcept override { at(current().received, peer) += bytes; }
  void kept(std::int64_t bytes) noexcept override { current().kept += bytes; }
  void left() noexcept override { inside = false; }
  void phase(Phase begun) override { phases.push_back(begun); }

  Cell& current() { return of(phases.empty() ? Phase::start : phases.back()); }
  Cell& of(Phase phase) {
    Cell& cell = cells[phase];
    cell.sent.resize(ranks);
    cell.received.resize(ranks);
    return cell;
  }

  std::size_t ranks = 0;
  int communicators = 0;
  int nested = 0;
  int on_parts = 0;
  bool inside = false;
  std::vector<CallKind> calls;
  std::vector<Phase> phases;
  std::map<Phase, Cell> cells;

 private:
  static std::int64_t& at(PerPeer& bytes, int peer) { return bytes[static_cast<std::size_t>(peer)]; }
};

class ExchangeTraffic : public testing::TestWithParam<ExchangeCase> {
 protected:
  ExchangeTraffic() : comm_(world().handle(), GetParam().limit) { comm_.keep(&ledger_); }

  void SetUp() override {
    if (size() % GetParam().nodes.divisor != 0) GTEST_SKIP() << "no such nodes of " << size() << " ranks";
    exchange_ = make_exchange(GetParam().kind, comm_, GetParam().nodes.of(size()));
  }

  /// Runs once; the ledger holds this run alone.
  Traffic traffic_of_run(const ByteMatrix& bytes) {
    ledger_.calls.clear();
    ledger_.phases.clear();
    ledger_.cells.clear();
    const OutgoingParcels outgoing(bytes, comm_.rank());
    const Traffic before = comm_.traffic();
    exchange_->run(outgoing.spans, [](int, std::span<const std::byte>) {}, ledger_);
    return comm_.traffic() - before;
  }

  int size() const { return comm_.size(); }
  int rank() const { return comm_.rank(); }

  PeerLedger ledger_;
  Communicator comm_;
  std::unique_ptr<Exchange> exchange_;
};

INSTANTIATE_TEST_SUITE_P(Cases, ExchangeTraffic, testing::ValuesIn(exchange_cases()),
                         [](const auto& instance) { return instance.param.name(); });

/// Short parcels, and such as do not go with their counts.
TEST_P(ExchangeTraffic, IsTheClosedForm) {
  for (const NamedCounts& pattern : count_patterns()) {
    for (const std::int64_t factor : {12, 400}) {
      SCOPED_TRACE(pattern.name + ", " + std::to_string(factor));
      const ByteMatrix bytes = times(pattern.matrix(size()), factor);
      const ClosedForm expected(GetParam(), bytes, rank());

      const Traffic traffic = traffic_of_run(bytes);

      EXPECT_EQ(traffic.bytes_sent, expected.counts.sent.total() + expected.fold.sent.total());
      EXPECT_EQ(traffic.bytes_received, expected.counts.received.total() + expected.fold.received.total());
      EXPECT_EQ(traffic.messages, expected.counts.sent.messages + expected.fold.sent.messages);
      EXPECT_EQ(traffic.calls, expected.counts.calls + expected.fold.calls);
      if (size() == 1) continue;
      EXPECT_EQ(ledger_.of(Phase::count).sent, expected.counts.sent.bytes);
      EXPECT_EQ(ledger_.of(Phase::count).received, expected.counts.received.bytes);
      EXPECT_EQ(ledger_.of(Phase::fold).sent, expected.fold.sent.bytes);
      EXPECT_EQ(ledger_.of(Phase::fold).received, expected.fold.received.bytes);
      EXPECT_EQ(ledger_.cells.size(), 2U);  // nothing before the first phase
    }
  }
}

TEST_P(ExchangeTraffic, IsToldToTheLedgerCallByCall) {
  const ByteMatrix bytes = times(count_patterns()[3].matrix(size()), 12);

  const Traffic traffic = traffic_of_run(bytes);

  EXPECT_EQ(std::ssize(ledger_.calls), traffic.calls);
  EXPECT_EQ(ledger_.nested, 0);
  EXPECT_EQ(ledger_.on_parts, 0);  // two-level counts its hops where it was made, with that one's ranks
  EXPECT_FALSE(ledger_.inside);
  for (const auto& [phase, cell] : ledger_.cells) {
    EXPECT_EQ(cell.sent[static_cast<std::size_t>(rank())], 0) << name_of(phase);
    EXPECT_EQ(cell.received[static_cast<std::size_t>(rank())], 0) << name_of(phase);
  }
}

TEST_P(ExchangeTraffic, IsReceivedAsItIsSent) {
  for (const std::size_t lopsided : {3U, 6U, 9U}) {
    const NamedCounts pattern = count_patterns()[lopsided];
    traffic_of_run(times(pattern.matrix(size()), 7));
    for (const Phase phase : {Phase::count, Phase::fold}) {
      const PerPeer sent = ledger_.of(phase).sent;
      const PerPeer all_sent = world().allgatherv<std::int64_t>(sent);
      PerPeer meant_for_us;
      for (int from = 0; from < size(); ++from)
        meant_for_us.push_back(all_sent[static_cast<std::size_t>(from * size() + rank())]);
      EXPECT_EQ(ledger_.of(phase).received, meant_for_us) << pattern.name << ", " << name_of(phase);
    }
  }
}

TEST_P(ExchangeTraffic, KeepsTheOwnSegmentOfACollective) {
  const bool is_alltoallv =
      GetParam().kind == ExchangeKind::alltoallv ||
      (GetParam().kind == ExchangeKind::eager && GetParam().limit.bytes_per_call < 4096);
  const bool has_own = is_alltoallv || GetParam().kind == ExchangeKind::neighbour;
  for (const std::size_t with_own : {2U, 4U}) {  // seven each; only to itself
    const ByteMatrix bytes = times(count_patterns()[with_own].matrix(size()), 12);
    const auto own = static_cast<std::size_t>(rank());

    traffic_of_run(bytes);

    EXPECT_EQ(ledger_.of(Phase::fold).kept, has_own && size() > 1 ? bytes[own][own] : 0);
  }
}

TEST_P(ExchangeTraffic, ComesInPhasesInOrder) {
  const std::vector<int> nodes = GetParam().nodes.of(size());
  const auto in_own_node = std::count(nodes.begin(), nodes.end(), nodes[static_cast<std::size_t>(rank())]);
  std::vector<Phase> expected;
  const bool is_eager = GetParam().kind == ExchangeKind::eager && GetParam().limit.bytes_per_call > 4096;
  if (size() == 1 || GetParam().kind == ExchangeKind::sparse || is_eager) {
    expected = {Phase::fold};
  } else if (GetParam().kind == ExchangeKind::two_level && in_own_node != 1 && in_own_node != size()) {
    expected = {Phase::count, Phase::fold, Phase::count, Phase::fold};
  } else {
    expected = {Phase::count, Phase::fold};
  }

  traffic_of_run(times(count_patterns()[2].matrix(size()), 12));

  EXPECT_EQ(ledger_.phases, expected);
}

class CallNames final : public CallWatcher {
 public:
  void entered(const char* call) noexcept override { calls.emplace_back(call); }
  void rests() noexcept override {}
  void completed() noexcept override {}
  void left(bool is_complete) noexcept override { ended += is_complete ? 1 : 0; }

  /// Without repetitions, in the order of their first.
  std::vector<std::string> different() const {
    std::vector<std::string> names;
    for (const std::string& call : calls) {
      if (std::find(names.begin(), names.end(), call) == names.end()) names.push_back(call);
    }
    return names;
  }

  std::vector<std::string> calls;
  std::size_t ended = 0;
};

/// A watchdog says by these names where a rank hangs.
TEST(ExchangeWatched, NamesEveryCall) {
  const std::map<ExchangeKind, std::vector<std::string>> expected = {
      {ExchangeKind::alltoallv, {"MPI_Alltoall", "MPI_Alltoallv"}},
      {ExchangeKind::pairwise, {"MPI_Sendrecv"}},
      {ExchangeKind::sparse, {"MPI_Issend", "MPI_Iprobe", "MPI_Irecv", "MPI_Ibarrier"}},
      {ExchangeKind::neighbour,
       {"MPI_Dist_graph_create_adjacent", "MPI_Neighbor_alltoall", "MPI_Neighbor_alltoallv"}},
      {ExchangeKind::one_sided, {"MPI_Win_allocate", "MPI_Allreduce", "MPI_Win_fence", "MPI_Put"}},
      {ExchangeKind::persistent, {"MPI_Startall", "MPI_Waitall", "MPI_Irecv", "MPI_Isend", "MPI_Waitany"}},
      {ExchangeKind::two_level, {"MPI_Comm_split", "MPI_Alltoall", "MPI_Alltoallv"}},
      {ExchangeKind::eager, {"MPI_Waitall"}},
  };
  if (world().size() == 1) GTEST_SKIP() << "alone, MPI is not asked";
  std::vector<int> nodes(static_cast<std::size_t>(world().size()));
  std::iota(nodes.begin(), nodes.end(), 0);
  for (const auto& [kind, names] : expected) {
    CallNames watcher;
    Communicator comm(world().handle());
    comm.watch(&watcher);
    const ByteMatrix bytes = times(count_patterns()[2].matrix(comm.size()), 12);
    const OutgoingParcels outgoing(bytes, comm.rank());
    PhaseObserver nobody;
    const auto exchange = make_exchange(kind, comm, nodes);

    exchange->run(outgoing.spans, [](int, std::span<const std::byte>) {}, nobody);

    std::vector<std::string> called = watcher.different();
    std::vector<std::string> wanted = names;
    if (kind == ExchangeKind::sparse || kind == ExchangeKind::persistent) {  // in any order
      std::sort(called.begin(), called.end());
      std::sort(wanted.begin(), wanted.end());
      called.erase(std::remove(called.begin(), called.end(), "MPI_Waitany"),
                   called.end());  // where it is late
      wanted.erase(std::remove(wanted.begin(), wanted.end(), "MPI_Waitany"), wanted.end());
    }
    EXPECT_EQ(called, wanted) << name_of(kind);
    EXPECT_EQ(watcher.ended, watcher.calls.size()) << name_of(kind);
  }
}

/// By the name that the call has: a wait for all is another cost than a wait for the first.
TEST(ExchangeLedger, TellsWaitsApart) {
  test::WaitKinds waits;
  Communicator comm(world().handle());
  comm.watch(&waits);
  comm.keep(&waits);
  const ByteMatrix bytes = times(count_patterns()[2].matrix(comm.size()), 12);
  const OutgoingParcels outgoing(bytes, comm.rank());
  PhaseObserver nobody;
  const auto exchange = make_exchange(ExchangeKind::persistent, comm, {});

  exchange->run(outgoing.spans, [](int, std::span<const std::byte>) {}, nobody);

  waits.found.erase({"MPI_Waitany", "waitany"});  // where a message is late
  using Names = std::set<std::pair<std::string, std::string>>;
  EXPECT_EQ(waits.found, comm.size() == 1 ? Names{} : Names({{"MPI_Waitall", "waitall"}}));
}

/// The message of the error that the two-level exchange throws for these nodes; empty where it throws none.
std::string refusal(const std::vector<int>& nodes) {
  try {
    make_exchange(ExchangeKind::two_level, world(), nodes);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

TEST(TwoLevelExchange, RefusesUnequalNodesOnAllRanks) {
  if (world().size() == 1) GTEST_SKIP() << "one rank is one node";
  std::vector<int> nodes(static_cast<std::size_t>(world().size()), 4);
  nodes.back() = 9;
  const std::string expected =
      world().size() == 2
          ? ""  // a node each
          : "the two-level exchange needs as many ranks on every node, but here node 4 has " +
                std::to_string(world().size() - 1) +
                " and node 9 has 1; start equally many ranks per node, or choose another exchange";
  EXPECT_EQ(refusal(nodes), expected);
  EXPECT_EQ(world().sum(std::int64_t{1}), world().size());  // nobody waits for another
}

TEST(TwoLevelExchange, NeedsTheNodeOfEveryRank) {
  if (world().size() == 1) GTEST_SKIP() << "one rank is one node";
  EXPECT_THROW(make_exchange(ExchangeKind::two_level, world(), std::vector<int>{0}), InternalError);
}

/// Freeing a communicator or a window may wait for ranks that are elsewhere when an exception passes.
TEST(ExchangeHandles, AreLeftWhileAnExceptionPasses) {
  std::vector<int> nodes(static_cast<std::size_t>(world().size()));
  std::iota(nodes.begin(), nodes.end(), 0);
  for (std::size_t kind = 0; kind < exchange_names.size(); ++kind) {
    // A program that goes on to MPI_Finalize may leave communicators, but no window: MPICH 4.0 aborts there.
    if (static_cast<ExchangeKind>(kind) == ExchangeKind::one_sided) continue;
    const auto thrown_before_its_end = [&] {
      const auto exchange = make_exchange(static_cast<ExchangeKind>(kind), world(), nodes);
      throw std::runtime_error("before the end");
    };
    EXPECT_THROW(thrown_before_its_end(), std::runtime_error) << exchange_names[kind];
  }
  EXPECT_EQ(world().sum(std::int64_t{1}), world().size());
}

}  // namespace
}  // namespace isobath::test
