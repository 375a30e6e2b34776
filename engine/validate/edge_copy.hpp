// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/arena.hpp"
#include "base/vertex.hpp"
#include "partition/edge_stream.hpp"

namespace isobath {

/// A copy of an edge list in the order in which one search after the other is validated fastest.
///
/// Vertices that an edge joins to another one have a place: 0 has the most edges. An edge stands once, in the
/// row of its end with fewer edges, as the place of the other end: 4 bytes. Read row by row, one end of each
/// edge is in a register and the other nearly always among few vertices, which stay in the caches.
///
/// It is made from the list alone, by nothing that construction uses. Duplicates stay.
class EdgeCopy {
 public:
  static constexpr std::uint32_t no_place = ~std::uint32_t{0};

  /// Reads the stream three times, with all threads. Meanwhile it needs 2 bytes an edge besides, and 4 for
  /// those of the fullest 2^14 rows.
  /// @throws EnvironmentError when edges cannot be read or name a vertex that does not exist
  explicit EdgeCopy(const EdgeStream& edges);

  /// Place of each vertex; no_place where it has no edge to another vertex.
  std::span<const std::uint32_t> places() const { return places_.span(); }
  /// One row per place.
  std::size_t num_rows() const { return starts_.size() - 1; }
  /// Lower places that edges join with `place`, in no order.
  std::span<const std::uint32_t> row(std::size_t place) const {
    return neighbours_.span().subspan(starts_[place], starts_[place + 1] - starts_[place]);
  }
  /// Where each row begins among all, and the end.
  std::span<const std::size_t> starts() const { return starts_.span(); }
  /// The vertex of every self-loop.
  std::span<const std::uint32_t> self_loops() const { return self_loops_; }

  /// Edges that are no self-loops, duplicates counted once.
  std::int64_t distinct_edges() const;

  /// The edges that are no self-loops, row by row: whoever looks each of them up elsewhere finds what the one
  /// before has brought near.
  std::unique_ptr<EdgeStream> by_rows() const;

  /// Places are numbers of 32 bits.
  static bool can_hold(std::int64_t num_vertices) { return num_vertices < std::int64_t{no_place}; }

 private:
  struct Pieces;
  void count_ends(const EdgeStream& edges);
  std::size_t number_by_degree();
  void deal(const EdgeStream& edges, std::size_t num_rows, Pieces& pieces);
  void lay_rows(const Pieces& pieces);

  LargeArray<std::uint32_t> places_;
  LargeArray<std::size_t> starts_;
  LargeArray<std::uint32_t> neighbours_;
  std::vector<std::uint32_t> self_loops_;
};

}  // namespace isobath
