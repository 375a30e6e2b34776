// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/phase.hpp"
#include "comm/all_ranks.hpp"
#include "comm/exchange/exchange.hpp"

namespace isobath::test {

using Bytes = std::vector<std::byte>;
using ByteMatrix = std::vector<std::vector<std::int64_t>>;  // [from][to], bytes

/// A way to pretend nodes.
struct NamedNodes {
  std::string name;
  int (*node)(int rank, int ranks);
  int divisor;  // the rank counts that have it are its multiples

  std::vector<int> of(int ranks) const {
    std::vector<int> nodes;
    for (int r = 0; r < ranks; ++r) nodes.push_back(node(r, ranks));
    return nodes;
  }
};

inline std::vector<NamedNodes> node_maps() {
  return {
      {"one_node", [](int, int) { return 3; }, 1},
      {"a_node_each", [](int rank, int ranks) { return ranks - rank; }, 1},
      {"two_halves", [](int rank, int ranks) { return 2 * rank / ranks; }, 2},
      {"taking_turns", [](int rank, int) { return 7 - rank % 2; }, 2},
      {"three_nodes", [](int rank, int ranks) { return 3 * rank / ranks; }, 3},
  };
}

/// A kind of exchange, with nodes where it asks for them.
struct ExchangeCase {
  ExchangeKind kind;
  NamedNodes nodes;
  CountLimit limit;

  std::string name() const {
    std::string text(name_of(kind));
    for (char& letter : text) letter = letter == '-' ? '_' : letter;
    if (kind == ExchangeKind::two_level) text += "_" + nodes.name;
    return text + "_" + name_of(limit);
  }
};

/// Every kind with large counts, and with pieces that cut parcels seldom and always. Kinds of two collectives
/// also under the other limits, for these decide which call is made; two_level also under every other node
/// map.
inline std::vector<ExchangeCase> exchange_cases() {
  const std::vector<CountLimit> limits = count_limits();
  const std::vector<NamedNodes> nodes = node_maps();
  std::vector<ExchangeCase> cases;
  for (std::size_t i = 0; i < exchange_names.size(); ++i) {
    const auto kind = static_cast<ExchangeKind>(i);
    const bool has_two_calls = kind == ExchangeKind::alltoallv || kind == ExchangeKind::neighbour;
    for (std::size_t l = 0; l < limits.size(); ++l) {
      if (has_two_calls || l == 0 || limits[l].bytes_per_call == 64 || l + 1 == limits.size())
        cases.push_back({kind, nodes.front(), limits[l]});
    }
  }
  // Pieces of parcels that do not go with their counts.
  cases.push_back(
      {ExchangeKind::eager, nodes.front(), {.bytes_per_call = 5000, .prefer_large_counts = false}});
  for (std::size_t n = 1; n < nodes.size(); ++n) {
    for (const CountLimit& limit : {limits.front(), limits.back()})
      cases.push_back({ExchangeKind::two_level, nodes[n], limit});
  }
  return cases;
}

/// What `from` sends to `to`: a function of both and of the salt.
inline Bytes parcel(int from, int to, std::int64_t bytes, std::uint64_t salt = 0) {
  Bytes content;
  for (std::int64_t at = 0; at < bytes; ++at) {
    content.push_back(static_cast<std::byte>(pattern(from, at, salt + static_cast<std::uint64_t>(to) * 131)));
  }
  return content;
}

/// What one rank sends in one run: every parcel in memory of its own.
struct OutgoingParcels {
  OutgoingParcels(const ByteMatrix& bytes, int rank, std::uint64_t salt = 0) {
    const std::vector<std::int64_t>& row = bytes[static_cast<std::size_t>(rank)];
    for (std::size_t to = 0; to < row.size(); ++to) {
      parcels.push_back(parcel(rank, static_cast<int>(to), row[to], salt));
    }
    for (const Bytes& content : parcels) spans.emplace_back(content);
  }

  std::vector<Bytes> parcels;
  std::vector<std::span<const std::byte>> spans;
};

/// What arrived, by source; remembers what must not happen.
struct Arrivals {
  std::map<int, Bytes> by_source;
  int repeated = 0;
  int empty = 0;

  Exchange::Arrived listener() {
    return [this](int source, std::span<const std::byte> bytes) {
      if (bytes.empty()) ++empty;
      if (!by_source.emplace(source, Bytes(bytes.begin(), bytes.end())).second) ++repeated;
    };
  }
};

/// What should arrive, from the matrix alone.
inline std::map<int, Bytes> expected_arrivals(const ByteMatrix& bytes, int rank, std::uint64_t salt = 0) {
  std::map<int, Bytes> expected;
  for (std::size_t from = 0; from < bytes.size(); ++from) {
    const std::int64_t count = bytes[from][static_cast<std::size_t>(rank)];
    if (count != 0) expected[static_cast<int>(from)] = parcel(static_cast<int>(from), rank, count, salt);
  }
  return expected;
}

inline ByteMatrix times(CountMatrix counts, std::int64_t width) {
  for (auto& row : counts) {
    for (std::int64_t& count : row) count *= width;
  }
  return counts;
}

}  // namespace isobath::test
