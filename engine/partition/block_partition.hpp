// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>

#include "base/vertex.hpp"

namespace isobath {

/// Vertices 0 .. n-1 cut into consecutive blocks; the first n mod p blocks hold one vertex more.
class BlockPartition {
 public:
  constexpr BlockPartition(std::int64_t num_vertices, int num_blocks)
      : num_vertices_(num_vertices),
        num_blocks_(num_blocks),
        base_size_(num_vertices / num_blocks),
        num_larger_(num_vertices % num_blocks) {}

  constexpr std::int64_t num_vertices() const { return num_vertices_; }
  constexpr int num_blocks() const { return num_blocks_; }
  constexpr std::int64_t first(int block) const {
    return block * base_size_ + std::min<std::int64_t>(block, num_larger_);
  }
  constexpr std::int64_t size(int block) const { return base_size_ + (block < num_larger_ ? 1 : 0); }
  constexpr std::int64_t max_size() const { return base_size_ + (num_larger_ > 0 ? 1 : 0); }

  constexpr int block_of(GlobalVertex v) const {
    const std::int64_t larger_end = num_larger_ * (base_size_ + 1);
    if (raw(v) < larger_end) return static_cast<int>(raw(v) / (base_size_ + 1));
    return static_cast<int>(num_larger_ + (raw(v) - larger_end) / base_size_);
  }
  /// Position of a vertex in its block.
  constexpr std::int64_t to_local(GlobalVertex v) const { return raw(v) - first(block_of(v)); }
  constexpr GlobalVertex to_global(int block, std::int64_t local) const {
    return GlobalVertex{first(block) + local};
  }

 private:
  std::int64_t num_vertices_;
  int num_blocks_;
  std::int64_t base_size_;
  std::int64_t num_larger_;
};

static_assert(BlockPartition(10, 3).block_of(GlobalVertex{9}) == 2);
static_assert(BlockPartition(10, 3).block_of(GlobalVertex{3}) == 0);
static_assert(BlockPartition(2, 5).size(4) == 0);  // more blocks than vertices

}  // namespace isobath
