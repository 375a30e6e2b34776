// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "reference/traffic_walk_encoding.hpp"
#include "reference/traffic_walk_exchange.hpp"

namespace isobath::reference {
namespace {

using Bytes = std::vector<std::int64_t>;
using Exchange = TrafficRules::Exchange;

/// One grid row of four ranks on two nodes. Rank 0 has 10 bytes for itself, 20 for 1, 30 for 2 and 40 for 3;
/// rank 3 has 5 for 0.
ExchangeTraffic traffic_by(Exchange exchange) {
  TrafficRules rules;
  rules.cols = 4;
  rules.exchange = exchange;
  rules.node_of_rank = {7, 7, 2, 2};
  RowBytes bytes(1, 4);
  for (int to = 0; to < 4; ++to) bytes.at(0, 0, to) = 10 * (to + 1);
  bytes.at(0, 3, 0) = 5;
  return exchange_traffic(bytes, rules);
}

TEST(TrafficExchange, SendsTheDataAndACountToEveryPeer) {
  for (const Exchange kind :
       {Exchange::alltoallv, Exchange::pairwise, Exchange::neighbour, Exchange::persistent}) {
    const ExchangeTraffic traffic = traffic_by(kind);
    EXPECT_EQ(traffic.count_bytes, (Bytes{24, 24, 24, 24}));
    EXPECT_EQ(traffic.fold_bytes, (Bytes{90, 0, 0, 5}));
  }
}

TEST(TrafficExchange, WithoutCountsSendsTheDataAlone) {
  for (const Exchange kind : {Exchange::own, Exchange::sparse}) {
    const ExchangeTraffic traffic = traffic_by(kind);
    EXPECT_EQ(traffic.count_bytes, (Bytes{0, 0, 0, 0}));
    EXPECT_EQ(traffic.fold_bytes, (Bytes{90, 0, 0, 5}));
  }
}

TEST(TrafficExchange, EagerTellsTheCountWithTheData) {
  const ExchangeTraffic traffic = traffic_by(Exchange::eager);
  EXPECT_EQ(traffic.count_bytes, (Bytes{0, 0, 0, 0}));
  EXPECT_EQ(traffic.fold_bytes, (Bytes{90 + 24, 24, 24, 24 + 5}));
}

TEST(TrafficExchange, EagerIsAlltoallvAmongMoreThanSixteen) {
  for (const int ranks : {16, 17}) {
    TrafficRules rules;
    rules.cols = ranks;
    rules.exchange = Exchange::eager;
    const ExchangeTraffic traffic = exchange_traffic(RowBytes(1, ranks), rules);
    EXPECT_EQ(traffic.count_bytes[0], ranks == 16 ? 0 : 128);
    EXPECT_EQ(traffic.fold_bytes[0], ranks == 16 ? 120 : 0);
  }
}

TEST(TrafficExchange, OneSidedPutsAHeaderBeforeEachMessage) {
  const ExchangeTraffic traffic = traffic_by(Exchange::one_sided);
  EXPECT_EQ(traffic.count_bytes, (Bytes{24, 24, 24, 24}));  // a reduction over four ranks
  EXPECT_EQ(traffic.fold_bytes, (Bytes{90 + 3 * 8, 0, 0, 5 + 8}));
}

/// 0 to 1: inside the node. 0 to 2: both are first on their node, so straight over. 0 to 3: by way of 1.
/// 3 to 0: by way of 2.
TEST(TrafficExchange, OnTwoLevelsSegmentsTakeUpToTwoHops) {
  const ExchangeTraffic traffic = traffic_by(Exchange::two_level);
  EXPECT_EQ(traffic.count_bytes, (Bytes{16, 16, 16, 16}));
  EXPECT_EQ(traffic.fold_bytes, (Bytes{(16 + 20) + (16 + 30) + (16 + 40), 16 + 40, 16 + 5, 16 + 5}));
}

TEST(TrafficEncoding, CountsBytesOfBitmapsAndPackedLists) {
  EXPECT_EQ(bitmap_bytes(0), 0);
  EXPECT_EQ(bitmap_bytes(1), 64);
  EXPECT_EQ(bitmap_bytes(512), 64);
  EXPECT_EQ(bitmap_bytes(513), 128);
  EXPECT_EQ(summary_bytes(4096), 8);
  EXPECT_EQ(summary_bytes(4097), 16);
  EXPECT_EQ(packed_number_bytes(127), 1);
  EXPECT_EQ(packed_number_bytes(128), 2);
  EXPECT_EQ(packed_number_bytes(0xFFFFFFFF), 5);
  EXPECT_EQ(packed_list_bytes(std::vector<std::uint32_t>{}), 0);
  EXPECT_EQ(packed_list_bytes(std::vector<std::uint32_t>{3, 4, 133, 261}), 1 + 1 + 2 + 1);
  EXPECT_EQ(packed_pairs_bytes(std::vector<std::uint32_t>{}, 9), 0);
  EXPECT_EQ(packed_pairs_bytes(std::vector<std::uint32_t>{3, 4, 133}, 9), 1 + 4 + 4);
  EXPECT_EQ(bits_for(1), 0);
  EXPECT_EQ(bits_for(2), 1);
  EXPECT_EQ(bits_for(512), 9);
  EXPECT_EQ(bits_for(513), 10);
}

}  // namespace
}  // namespace isobath::reference
