// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "base/arena.hpp"
#include "base/bitmap.hpp"
#include "comm/communicator.hpp"
#include "partition/block_partition.hpp"
#include "validate/vertex_index.hpp"

namespace isobath {

/// How ranks learn what an edge must know of its ends: asked of their owners, a chunk of edges at a time, or
/// gathered for all vertices on every rank, before the edges are gone through.
enum class VertexFacts { fewest_bytes, asked, gathered };

/// True where gathering sends fewer bytes. A rank asks for about 12 bytes an edge of its share, and gathers
/// about 8 a vertex of the graph. Its memory stays below that of its share of the edges then.
constexpr bool gathers(VertexFacts way, std::int64_t num_vertices, std::int64_t num_edges, int ranks) {
  if (ranks == 1 || num_vertices >= std::numeric_limits<std::uint32_t>::max()) return false;
  return way == VertexFacts::gathered ||
         (way == VertexFacts::fewest_bytes && num_vertices <= num_edges / ranks);
}

/// Facts of all vertices on every rank, where they are gathered: the way in which several ranks go through
/// their edges as one rank does, and meet each other before and after alone. Elsewhere it holds nothing.
class GatheredVertices {
 public:
  /// Collective.
  /// @param own_edges  this rank's
  GatheredVertices(const Communicator& world, const BlockPartition& partition, std::int64_t own_edges,
                   VertexFacts way);

  bool are_gathered() const { return are_gathered_; }
  /// Vertices that a rank holds facts of: all, or its own.
  std::int64_t first_held() const { return are_gathered_ ? 0 : partition_.first(world_.rank()); }
  std::int64_t num_held() const {
    return are_gathered_ ? partition_.num_vertices() : partition_.size(world_.rank());
  }
  /// The own part of an array of what is held.
  template <class T>
  std::span<T> own(std::span<T> held) const {
    const int rank = world_.rank();
    return held.subspan(static_cast<std::size_t>(partition_.first(rank) - first_held()),
                        static_cast<std::size_t>(partition_.size(rank)));
  }

  /// Collective. Own entries of an array of all vertices go to every rank.
  template <Transferable T>
  void share(std::span<T> of_all) const {
    world_.allgatherv<T>(own(of_all), sizes_, of_all);
  }
  /// Collective. The parents of all vertices, from now on.
  void share_parents(std::span<const GlobalVertex> own_parents);
  bool is_parent(GlobalVertex child, GlobalVertex parent) const {
    return parents_[index(child)] == static_cast<std::uint32_t>(raw(parent));
  }
  /// Collective. Of a bitmap of all vertices, each bit of an own vertex becomes set where any rank has set
  /// it.
  void unite_own(std::span<Word> of_all);

 private:
  /// Words with bits of this rank's vertices: the first, and how many.
  std::int64_t first_word(int rank) const;
  std::int64_t num_words(int rank) const;

  const Communicator& world_;
  BlockPartition partition_;
  bool are_gathered_;
  std::vector<std::int64_t> sizes_;    // of all ranks' blocks
  LargeArray<std::uint32_t> parents_;  // of all vertices; what is no vertex is the largest number
  std::vector<Word> united_;           // own words of every rank
};

}  // namespace isobath
