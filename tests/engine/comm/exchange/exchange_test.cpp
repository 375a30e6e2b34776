// SPDX-License-Identifier: Apache-2.0
// Every kind of exchange, under every way to cut messages and to pretend nodes, against a slow twin and
// against what the contents must be.
#include "comm/exchange/exchange.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "exchanges.hpp"
#include "mpi_main.hpp"

namespace isobath::test {
namespace {

/// The slow twin: everybody tells everybody everything, and each picks what is meant for it.
std::map<int, Bytes> picked_from_all(const Communicator& comm,
                                     std::span<const std::span<const std::byte>> outgoing) {
  Bytes all_of_mine;
  std::vector<std::int64_t> lengths;
  for (const std::span<const std::byte> part : outgoing) {
    all_of_mine.insert(all_of_mine.end(), part.begin(), part.end());
    lengths.push_back(std::ssize(part));
  }
  const std::vector<std::int64_t> all_lengths = comm.allgatherv<std::int64_t>(lengths);
  const Bytes everything = comm.allgatherv<std::byte>(all_of_mine);
  std::map<int, Bytes> picked;
  auto at = everything.begin();
  for (std::size_t i = 0; i < all_lengths.size(); ++i) {
    const auto end = at + all_lengths[i];
    if (static_cast<int>(i) % comm.size() == comm.rank() && at != end)
      picked[static_cast<int>(i) / comm.size()] = Bytes(at, end);
    at = end;
  }
  return picked;
}

class EveryExchange : public testing::TestWithParam<ExchangeCase> {
 protected:
  EveryExchange() : comm_(world().handle(), GetParam().limit) {}

  void SetUp() override {
    if (size() % GetParam().nodes.divisor != 0) GTEST_SKIP() << "no such nodes of " << size() << " ranks";
    exchange_ = make_exchange(GetParam().kind, comm_, GetParam().nodes.of(size()));
  }

  const Communicator& comm() const { return comm_; }
  int rank() const { return comm_.rank(); }
  int size() const { return comm_.size(); }
  Exchange& exchange() { return *exchange_; }

  /// Runs once and compares with what the contents must be.
  void runs_right(const ByteMatrix& bytes, std::uint64_t salt, const std::string& name) {
    const OutgoingParcels outgoing(bytes, rank(), salt);
    Arrivals arrivals;
    PhaseObserver nobody;

    exchange_->run(outgoing.spans, arrivals.listener(), nobody);

    EXPECT_EQ(arrivals.by_source, expected_arrivals(bytes, rank(), salt)) << name;
    EXPECT_EQ(arrivals.repeated, 0) << name;
    EXPECT_EQ(arrivals.empty, 0) << name;
  }

 private:
  Communicator comm_;
  std::unique_ptr<Exchange> exchange_;
};

INSTANTIATE_TEST_SUITE_P(Cases, EveryExchange, testing::ValuesIn(exchange_cases()),
                         [](const auto& instance) { return instance.param.name(); });

TEST_P(EveryExchange, BringsWhatTheSlowTwinPicks) {
  for (const NamedCounts& pattern : count_patterns()) {
    const OutgoingParcels outgoing(times(pattern.matrix(size()), 12), rank());
    Arrivals arrivals;
    PhaseObserver nobody;

    exchange().run(outgoing.spans, arrivals.listener(), nobody);

    EXPECT_EQ(arrivals.by_source, picked_from_all(world(), outgoing.spans)) << pattern.name;
    EXPECT_EQ(arrivals.repeated, 0) << pattern.name;
    EXPECT_EQ(arrivals.empty, 0) << pattern.name;
  }
}

/// Lengths around multiples of every limit, where the number of pieces changes.
TEST_P(EveryExchange, MeetsTheEdgesOfPieces) {
  for (const std::int64_t bytes : {4, 5, 6, 10, 13, 26, 63, 64, 65, 128}) {
    const ByteMatrix matrix(static_cast<std::size_t>(size()),
                            std::vector<std::int64_t>(static_cast<std::size_t>(size()), bytes));
    runs_right(matrix, 0, std::to_string(bytes) + " bytes each");
  }
}

/// Some parcels go with their counts, some are a byte too long for that, and some are much longer.
TEST_P(EveryExchange, BringsShortAndLongParcelsTogether) {
  constexpr std::array<std::int64_t, 6> lengths = {0, 4096, 4097, 16, 19000, 1};
  for (std::uint64_t run = 0; run < lengths.size(); ++run) {
    ByteMatrix bytes;
    for (int from = 0; from < size(); ++from) {
      std::vector<std::int64_t>& row = bytes.emplace_back();
      for (int to = 0; to < size(); ++to) {
        row.push_back(lengths[(static_cast<std::size_t>(from + 2 * to) + run) % lengths.size()]);
      }
    }
    runs_right(bytes, run, "run " + std::to_string(run));
  }
}

/// A pseudo-random matrix, the same on all ranks: most pairs are silent, a few say much.
ByteMatrix random_matrix(int ranks, std::uint64_t run) {
  ByteMatrix bytes;
  for (int from = 0; from < ranks; ++from) {
    std::vector<std::int64_t>& row = bytes.emplace_back();
    for (int to = 0; to < ranks; ++to) {
      const std::uint64_t draw = pattern(from * ranks + to, static_cast<std::int64_t>(run), 99);
      row.push_back(draw % 3 != 0 ? 0 : static_cast<std::int64_t>(draw / 3 % (draw % 5 == 0 ? 150 : 20)));
    }
  }
  return bytes;
}

/// Nothing but the exchanges themselves keeps the ranks together, and another rank is late each time: a run's
/// messages must not be taken for another's.
TEST_P(EveryExchange, RunsBackToBackWithoutMixing) {
  constexpr int runs = 24;
  for (int run = 0; run < runs; ++run) {
    if (run % size() == rank()) {
      for (int i = 0; i < 20 * (run % 7); ++i) std::this_thread::yield();
    }
    const auto salt = static_cast<std::uint64_t>(run) * 7919;
    runs_right(random_matrix(size(), static_cast<std::uint64_t>(run)), salt, "run " + std::to_string(run));
  }
}

/// Parcels in one array, last destination first, as a plan may keep them.
TEST_P(EveryExchange, SendsFromAnyOrderInMemory) {
  const ByteMatrix bytes = times(count_patterns()[3].matrix(size()), 8);
  OutgoingParcels parcels(bytes, rank(), 5);
  Bytes together;
  std::vector<std::size_t> begins(parcels.spans.size());
  for (std::size_t to = parcels.spans.size(); to-- > 0;) {
    begins[to] = together.size();
    together.insert(together.end(), parcels.parcels[to].begin(), parcels.parcels[to].end());
  }
  for (std::size_t to = 0; to < begins.size(); ++to) {
    parcels.spans[to] = std::span(together).subspan(begins[to], parcels.parcels[to].size());
  }
  std::map<int, Bytes> received;
  std::vector<std::uintptr_t> odd_addresses;
  PhaseObserver nobody;

  exchange().run(
      parcels.spans,
      [&](int source, std::span<const std::byte> arrived) {
        received[source] = Bytes(arrived.begin(), arrived.end());
        const auto address = reinterpret_cast<std::uintptr_t>(arrived.data());
        if (source != rank() && address % 8 != 0) odd_addresses.push_back(address);
      },
      nobody);

  EXPECT_EQ(received, expected_arrivals(bytes, rank(), 5));
  EXPECT_TRUE(odd_addresses.empty());  // all lengths are multiples of 8
}

TEST_P(EveryExchange, AsksForOneParcelPerRank) {
  const std::vector<std::span<const std::byte>> too_many(static_cast<std::size_t>(size()) + 1);
  PhaseObserver nobody;
  EXPECT_THROW(exchange().run(too_many, [](int, std::span<const std::byte>) {}, nobody), InternalError);
}

TEST(Exchange, OfACommunicatorWithoutMpiIsItsOwn) {
  const Communicator alone;
  for (std::size_t kind = 0; kind < exchange_names.size(); ++kind) {
    const auto exchange = make_exchange(static_cast<ExchangeKind>(kind), alone, std::vector<int>{0});
    const OutgoingParcels outgoing({{17}}, 0);
    Arrivals arrivals;
    PhaseObserver nobody;

    exchange->run(outgoing.spans, arrivals.listener(), nobody);

    EXPECT_EQ(arrivals.by_source, expected_arrivals({{17}}, 0)) << exchange_names[kind];
    EXPECT_EQ(alone.traffic().calls, 0);
  }
}

}  // namespace
}  // namespace isobath::test
