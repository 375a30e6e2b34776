// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "comm/communicator.hpp"

/// Slow twins of the collective operations: plain loops over the buffers of all ranks. Contents are functions
/// of ranks and positions alone, so that every rank can write down what all the others hold.
namespace isobath::test {

/// One element per rank and position; `salt` tells buffers apart.
constexpr std::uint64_t pattern(int rank, std::int64_t at, std::uint64_t salt) {
  std::uint64_t x =
      static_cast<std::uint64_t>(rank) * 0x9E3779B97F4A7C15U + static_cast<std::uint64_t>(at) + salt;
  x = (x ^ (x >> 31)) * 0xD6E8FEB86659FD93U;
  return x ^ (x >> 29);
}

/// Twelve bytes: no power of two, so that limits cut it anywhere.
struct Triple {
  std::array<std::uint32_t, 3> values{};
  friend bool operator==(const Triple&, const Triple&) = default;
};

template <class T>
T element(int rank, std::int64_t at, std::uint64_t salt) {
  return static_cast<T>(pattern(rank, at, salt));
}
template <>
inline Triple element<Triple>(int rank, std::int64_t at, std::uint64_t salt) {
  Triple triple;
  for (std::uint32_t& value : triple.values) value = static_cast<std::uint32_t>(pattern(rank, at, ++salt));
  return triple;
}

template <class T>
std::vector<T> buffer_of(int rank, std::int64_t size, std::uint64_t salt = 0) {
  std::vector<T> buffer;
  for (std::int64_t at = 0; at < size; ++at) buffer.push_back(element<T>(rank, at, salt));
  return buffer;
}

using CountMatrix = std::vector<std::vector<std::int64_t>>;  // [from][to], elements

inline std::int64_t sum_of(const std::vector<std::int64_t>& counts) {
  std::int64_t total = 0;
  for (const std::int64_t count : counts) total += count;
  return total;
}

/// What `receiver` gets when every rank sends its buffer, cut by its row of counts: sources in rank order.
template <class T>
std::vector<T> exchanged(const CountMatrix& counts, const std::vector<std::vector<T>>& sent, int receiver) {
  std::vector<T> received;
  for (std::size_t from = 0; from < counts.size(); ++from) {
    std::size_t at = 0;
    for (int to = 0; to < receiver; ++to)
      at += static_cast<std::size_t>(counts[from][static_cast<std::size_t>(to)]);
    const auto length = static_cast<std::size_t>(counts[from][static_cast<std::size_t>(receiver)]);
    for (std::size_t i = 0; i < length; ++i) received.push_back(sent[from][at + i]);
  }
  return received;
}

/// Ways to exchange: even, lopsided, sparse, empty.
struct NamedCounts {
  std::string name;
  std::int64_t (*count)(int from, int to, int ranks);

  CountMatrix matrix(int ranks) const {
    CountMatrix counts;
    for (int from = 0; from < ranks; ++from) {
      std::vector<std::int64_t>& row = counts.emplace_back();
      for (int to = 0; to < ranks; ++to) row.push_back(count(from, to, ranks));
    }
    return counts;
  }
};

inline std::vector<NamedCounts> count_patterns() {
  return {
      {"everybody nothing", [](int, int, int) -> std::int64_t { return 0; }},
      {"one each", [](int, int, int) -> std::int64_t { return 1; }},
      {"seven each", [](int, int, int) -> std::int64_t { return 7; }},
      {"all different",
       [](int from, int to, int ranks) -> std::int64_t { return (3 * from + 2 * to) % (ranks + 3); }},
      {"only to itself", [](int from, int to, int) -> std::int64_t { return from == to ? 11 : 0; }},
      {"never to itself", [](int from, int to, int) -> std::int64_t { return from == to ? 0 : 5; }},
      {"the first sends", [](int from, int to, int) -> std::int64_t { return from == 0 ? 9 + to : 0; }},
      {"the last receives",
       [](int from, int to, int ranks) -> std::int64_t { return to == ranks - 1 ? from + 9 : 0; }},
      {"the last is idle",
       [](int from, int to, int ranks) -> std::int64_t {
         return from == ranks - 1 || to == ranks - 1 ? 0 : 8;
       }},
      {"one pair talks long",
       [](int from, int to, int ranks) -> std::int64_t {
         return from == ranks - 1 && to == 0 ? 30 : (from + to) % 3;
       }},
  };
}

/// Large counts where they exist, pieces of the usual size, and tiny pieces: 64 bytes, which elements of 8
/// bytes fill and those of 12 do not, 13 bytes, which none fills, and 5, which is less than one of them.
inline std::vector<CountLimit> count_limits() {
  std::vector<CountLimit> limits = {CountLimit{}, CountLimit{.prefer_large_counts = false}};
  for (const std::int64_t bytes : {64, 13, 5}) limits.push_back({bytes, false});
  return limits;
}

inline std::string name_of(const CountLimit& limit) {
  return limit.prefer_large_counts ? "large_counts"
                                   : "pieces_of_" + std::to_string(limit.bytes_per_call) + "_bytes";
}

}  // namespace isobath::test
