// SPDX-License-Identifier: Apache-2.0
#include "reference/traffic_walk_exchange.hpp"

namespace isobath::reference {
namespace {

using Exchange = TrafficRules::Exchange;

constexpr std::int64_t count_size = 8;

/// Whether every rank tells every other of its grid row first how much will come.
bool counts_travel(Exchange exchange) {
  switch (exchange) {
    case Exchange::alltoallv:
    case Exchange::pairwise:
    case Exchange::neighbour:
    case Exchange::persistent:
      return true;
    case Exchange::own:
    case Exchange::sparse:
      return false;
  }
  return false;
}

}  // namespace

ExchangeTraffic exchange_traffic(const RowBytes& bytes, const TrafficRules& rules) {
  ExchangeTraffic traffic;
  const auto ranks = static_cast<std::size_t>(rules.ranks());
  const std::int64_t counts = counts_travel(rules.exchange) ? count_size * (rules.cols - 1) : 0;
  traffic.count_bytes.assign(ranks, counts);
  traffic.fold_bytes.assign(ranks, 0);
  for (int row = 0; row < bytes.rows(); ++row) {
    for (int from = 0; from < bytes.cols(); ++from) {
      for (int to = 0; to < bytes.cols(); ++to) {
        if (to == from) continue;
        traffic.fold_bytes[static_cast<std::size_t>(bytes.rank_at(row, from))] += bytes.at(row, from, to);
      }
    }
  }
  return traffic;
}

}  // namespace isobath::reference
