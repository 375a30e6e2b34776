// SPDX-License-Identifier: Apache-2.0
#include "reference/traffic_walk_exchange.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "base/error.hpp"
#include "base/expects.hpp"
#include "reference/traffic_walk_encoding.hpp"

namespace isobath::reference {
namespace {

using Exchange = TrafficRules::Exchange;

constexpr std::int64_t count_size = 8;
constexpr std::int64_t slot_header = 8;      // of a one-sided message: its length
constexpr std::int64_t segment_header = 16;  // in a two-level message: source or destination, length

/// Whether counts go in messages that have data, too, where that is short: among few ranks.
bool counts_come_with_data(const TrafficRules& rules) {
  return rules.exchange == Exchange::eager && are_few(rules.cols);
}

/// What a rank sends besides the data, before it: a count to every other rank of its grid row, or, one-sided,
/// a reduction of the longest message.
std::int64_t count_bytes(const TrafficRules& rules) {
  const bool none_travels = rules.exchange == Exchange::own || rules.exchange == Exchange::sparse;
  return none_travels || counts_come_with_data(rules) ? 0 : count_size * (rules.cols - 1);
}

/// Straight from source to destination.
void send_direct(const RowBytes& bytes, std::int64_t header, std::vector<std::int64_t>& sent) {
  for (int row = 0; row < bytes.rows(); ++row) {
    for (int from = 0; from < bytes.cols(); ++from) {
      for (int to = 0; to < bytes.cols(); ++to) {
        const std::int64_t message = bytes.at(row, from, to);
        if (to == from || message == 0) continue;
        sent[static_cast<std::size_t>(bytes.rank_at(row, from))] += header + message;
      }
    }
  }
}

/// Who of a grid row is on which node, and the how manieth there.
struct Places {
  std::vector<int> node;  // by grid column; the node's number on the run
  std::vector<int> local;
  std::map<int, std::vector<int>> cols_of_node;

  Places(const TrafficRules& rules, int row) {
    for (int col = 0; col < rules.cols; ++col) {
      const auto rank = static_cast<std::size_t>(col * rules.rows + row);
      auto& on_node = cols_of_node[rules.node_of_rank.at(rank)];
      node.push_back(rules.node_of_rank[rank]);
      local.push_back(static_cast<int>(on_node.size()));
      on_node.push_back(col);
    }
    for (const auto& [name, cols] : cols_of_node) {
      if (cols.size() == cols_of_node.begin()->second.size()) continue;
      throw UsageError("a two-level exchange needs as many ranks of a grid row on every node that has any");
    }
  }
  std::int64_t ranks_per_node() const { return std::ssize(cols_of_node.begin()->second); }
  std::int64_t nodes() const { return std::ssize(cols_of_node); }
  /// The rank of the source's node that passes on what is for `to`.
  int relay(int from, int to) const {
    return cols_of_node.at(node[static_cast<std::size_t>(from)])
        .at(static_cast<std::size_t>(local[static_cast<std::size_t>(to)]));
  }
};

/// First to the rank of the own node that has the destination's place there, then to the destination.
void send_two_level(const RowBytes& bytes, const TrafficRules& rules, ExchangeTraffic& traffic) {
  for (int row = 0; row < bytes.rows(); ++row) {
    const Places places(rules, row);
    const auto of = [&](std::vector<std::int64_t>& by_rank, int col) -> std::int64_t& {
      return by_rank[static_cast<std::size_t>(bytes.rank_at(row, col))];
    };
    for (int from = 0; from < bytes.cols(); ++from) {
      of(traffic.count_bytes, from) = count_size * (places.ranks_per_node() - 1 + places.nodes() - 1);
      for (int to = 0; to < bytes.cols(); ++to) {
        const std::int64_t message = bytes.at(row, from, to);
        if (to == from || message == 0) continue;
        const int relay = places.relay(from, to);
        if (relay != from) of(traffic.fold_bytes, from) += segment_header + message;
        if (relay != to) of(traffic.fold_bytes, relay) += segment_header + message;
      }
    }
  }
}

}  // namespace

ExchangeTraffic exchange_traffic(const RowBytes& bytes, const TrafficRules& rules) {
  const auto ranks = static_cast<std::size_t>(rules.ranks());
  ExchangeTraffic traffic;
  traffic.count_bytes.assign(ranks, count_bytes(rules));
  traffic.fold_bytes.assign(ranks, counts_come_with_data(rules) ? count_size * (rules.cols - 1) : 0);
  if (rules.exchange == Exchange::two_level) {
    ISOBATH_EXPECTS(rules.node_of_rank.size() == ranks);
    send_two_level(bytes, rules, traffic);
  } else {
    send_direct(bytes, rules.exchange == Exchange::one_sided ? slot_header : 0, traffic.fold_bytes);
  }
  return traffic;
}

}  // namespace isobath::reference
