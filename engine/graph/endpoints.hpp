// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "base/arena.hpp"
#include "comm/communicator.hpp"
#include "partition/block_partition.hpp"
#include "partition/edge_stream.hpp"

namespace isobath {

/// What one vertex sees of the edge list, before duplicates are dropped, in one word: the pass over the edges
/// touches it at random, so its size is what counts. Until a second neighbour is met the word holds the first
/// one (plus one, 44 bits) above a count of 19 bits; afterwards only the count, below the top bit.
class Endpoint {
 public:
  bool is_isolated() const { return word_ == 0; }
  bool is_leaf() const { return word_ != 0 && (word_ & several) == 0; }
  std::int64_t only_neighbour() const { return static_cast<std::int64_t>(word_ >> count_bits) - 1; }
  /// End points, duplicates counted, self-loops not.
  std::uint64_t count() const { return (word_ & several) != 0 ? word_ & ~several : word_ & max_copies; }
  /// One more end point. False where no other neighbour was met yet, and there are more copies of that
  /// edge than can be counted.
  [[nodiscard]] bool meet(std::int64_t other) {
    if ((word_ & several) != 0) {
      ++word_;
      return true;
    }
    if (word_ == 0) {
      word_ = static_cast<std::uint64_t>(other + 1) << count_bits | 1;
      return true;
    }
    if (only_neighbour() != other) {
      word_ = several | ((word_ & max_copies) + 1);
      return true;
    }
    return (++word_ & max_copies) != 0;
  }
  /// What another part of the edge list has of the same vertex. False as above.
  [[nodiscard]] bool merge(const Endpoint& other) {
    if (other.is_isolated()) return true;
    if (is_isolated()) {
      word_ = other.word_;
      return true;
    }
    if (is_leaf() && other.is_leaf() && only_neighbour() == other.only_neighbour()) {
      const std::uint64_t copies = count() + other.count();
      if (copies > max_copies) return false;
      word_ += other.count();
      return true;
    }
    word_ = several | (count() + other.count());
    return true;
  }

  static constexpr int count_bits = 19;
  static constexpr std::uint64_t max_copies = (std::uint64_t{1} << count_bits) - 1;

 private:
  static constexpr std::uint64_t several = std::uint64_t{1} << 63;
  std::uint64_t word_ = 0;
};

/// End points of the own block, and its self-loops.
struct Endpoints {
  LargeArray<Endpoint> of;                   // per own vertex
  std::vector<std::uint32_t> self_loops_at;  // own vertex of each self-loop, sorted
};

/// Collective. First pass over the edges: counts the end points of every vertex at its owner, and notes
/// whether all its neighbours are the same vertex (a leaf). Memory beyond the result is bounded, whatever the
/// number of edges.
/// @throws RefusedError on every rank, where a vertex has more than 524,287 copies of an edge before another
///                      neighbour of it is met
Endpoints count_endpoints(const EdgeStream& edges, const BlockPartition& blocks, const Communicator& world);

/// Collective. What both ways of counting say of such a vertex, whichever rank met it.
/// @throws RefusedError on every rank, where `are_counted` is false on one
void require_counted(bool are_counted, const Communicator& world);

}  // namespace isobath
