// SPDX-License-Identifier: Apache-2.0
#include "generator/uniform_keys.hpp"

#include <algorithm>
#include <cstddef>
#include <unordered_set>

#include "base/expects.hpp"

namespace isobath {
namespace {

/// Draw `index` of `seed` (splitmix64), scaled to 0 .. limit - 1.
std::int64_t drawn(std::uint64_t seed, std::uint64_t index, std::int64_t limit) {
  std::uint64_t bits = seed * 0xD1342543DE82EF95 + (index + 1) * 0x9E3779B97F4A7C15;
  bits = (bits ^ bits >> 30) * 0xBF58476D1CE4E5B9;
  bits = (bits ^ bits >> 27) * 0x94D049BB133111EB;
  bits ^= bits >> 31;
  __extension__ using Wide = unsigned __int128;
  return static_cast<std::int64_t>(Wide{bits} * static_cast<std::uint64_t>(limit) >> 64);
}

/// Different vertices in the order in which they are drawn.
class Candidates {
 public:
  Candidates(std::int64_t num_vertices, std::uint64_t seed, std::size_t wanted)
      : num_vertices_(num_vertices), seed_(seed) {
    constexpr std::int64_t all_of = 1 << 16;
    const auto many = static_cast<std::int64_t>(std::max<std::size_t>(64 * wanted, 1 << 20));
    most_ = num_vertices <= all_of ? num_vertices : std::min(num_vertices / 2, many);
  }

  std::vector<GlobalVertex> next(std::size_t count) {
    std::vector<GlobalVertex> batch;
    while (batch.size() < count && std::ssize(taken_) < most_) {
      const std::int64_t vertex = drawn(seed_, index_++, num_vertices_);
      if (taken_.insert(vertex).second) batch.push_back(GlobalVertex{vertex});
    }
    return batch;
  }

 private:
  std::int64_t num_vertices_;
  std::uint64_t seed_;
  std::int64_t most_ = 0;
  std::uint64_t index_ = 0;
  std::unordered_set<std::int64_t> taken_;
};

}  // namespace

std::vector<GlobalVertex> sample_uniform_keys(std::int64_t num_vertices, std::uint64_t seed, int wanted,
                                              const HasNeighbour& has_neighbour) {
  const std::size_t keys_wanted = wanted < 0 ? 0 : static_cast<std::size_t>(wanted);
  Candidates candidates(num_vertices, seed, keys_wanted);
  std::vector<GlobalVertex> keys;
  while (keys.size() < keys_wanted) {
    const std::vector<GlobalVertex> batch = candidates.next(64 + 8 * (keys_wanted - keys.size()));
    if (batch.empty()) break;
    const std::vector<char> answers = has_neighbour(batch);
    ISOBATH_EXPECTS(answers.size() == batch.size());
    for (std::size_t i = 0; i < batch.size() && keys.size() < keys_wanted; ++i) {
      if (answers[i] != 0) keys.push_back(batch[i]);
    }
  }
  return keys;
}

}  // namespace isobath
