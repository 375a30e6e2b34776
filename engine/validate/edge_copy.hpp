// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/arena.hpp"
#include "base/vertex.hpp"
#include "comm/communicator.hpp"
#include "partition/edge_stream.hpp"

namespace isobath {

/// Rows dealt to ranks in blocks of 64, in turn (a block-cyclic distribution). Rows that follow each other
/// have about as many edges, so that every rank gets about as many.
struct DealtRows {
  static constexpr std::uint32_t block = 64;
  std::uint32_t rank = 0;
  std::uint32_t ranks = 1;

  int rank_of(std::uint32_t place) const { return static_cast<int>(place / block % ranks); }
  bool is_here(std::uint32_t place) const { return ranks == 1 || place / block % ranks == rank; }
  /// Of a place whose row is here.
  std::uint32_t row_of(std::uint32_t place) const {
    return ranks == 1 ? place : place / block / ranks * block + place % block;
  }
  std::uint32_t place_of(std::uint32_t row) const {
    return (row / block * ranks + rank) * block + row % block;
  }
  /// Rows that a rank gets of so many.
  std::size_t rows_of(int of_rank, std::size_t num_places) const;
};

/// A copy of an edge list in the order in which one search after the other is validated fastest.
///
/// Vertices that an edge joins to another one have a place: 0 has the most edges. An edge stands once, in the
/// row of its end with fewer edges, as the place of the other end: 4 bytes. Read row by row, one end of each
/// edge is in a register and the other nearly always among few vertices, which stay in the caches. Several
/// ranks know the places of all vertices, and hold the rows that are dealt to them.
///
/// It is made from the list alone, by nothing that construction uses. Duplicates stay.
class EdgeCopy {
 public:
  static constexpr std::uint32_t no_place = ~std::uint32_t{0};

  /// Collective. Reads the stream three times, with all threads. Meanwhile it needs 2 bytes an edge besides,
  /// and 4 for those of the fullest 2^14 rows. Between ranks travel the ends of all vertices, summed, and
  /// each edge once, in 8 bytes.
  /// @param edges  this rank's share
  /// @throws EnvironmentError when edges cannot be read or name a vertex that does not exist
  EdgeCopy(const Communicator& world, const EdgeStream& edges);

  /// Place of each vertex; no_place where it has no edge to another vertex.
  std::span<const std::uint32_t> places() const { return places_.span(); }
  std::size_t num_places() const { return num_places_; }
  /// Which places have their rows here. One rank alone has all, and a row is its place.
  const DealtRows& dealt() const { return dealt_; }
  /// One row per place that is dealt to this rank.
  std::size_t num_rows() const { return starts_.size() - 1; }
  /// Lower places that edges join with the row's place, in no order.
  std::span<const std::uint32_t> row(std::size_t row) const {
    return neighbours_.span().subspan(starts_[row], starts_[row + 1] - starts_[row]);
  }
  /// Where each row begins among all, and the end.
  std::span<const std::size_t> starts() const { return starts_.span(); }
  /// The vertex of every self-loop in this rank's share.
  std::span<const std::uint32_t> self_loops() const { return self_loops_; }

  /// Edges of the rows here, duplicates counted once.
  std::int64_t distinct_edges() const;

  /// The edges of the rows here, row by row: whoever looks each of them up elsewhere finds what the one
  /// before has brought near.
  std::unique_ptr<EdgeStream> by_rows() const;

  /// Places are numbers of 32 bits.
  static bool can_hold(std::int64_t num_vertices) { return num_vertices < std::int64_t{no_place}; }

 private:
  struct PlacedEdge;
  struct Pieces;
  void count_ends(const EdgeStream& edges);
  void add_ends_of_all(const Communicator& world);
  std::size_t number_by_degree();
  PlacedEdge placed(const Edge& edge) const;
  void deal(const Communicator& world, const EdgeStream& edges, Pieces& pieces);
  void deliver(const Communicator& world, const EdgeStream& edges, std::vector<std::size_t>& next,
               Pieces& pieces);
  void put_arrived(std::span<const PlacedEdge> arrived, std::vector<std::size_t>& next, Pieces& pieces);
  void put(PlacedEdge edge, std::vector<std::size_t>& cursors, Pieces& pieces);
  void lay_rows(const Pieces& pieces);

  DealtRows dealt_;
  std::size_t num_places_ = 0;
  LargeArray<std::uint32_t> places_;
  LargeArray<std::size_t> starts_;
  LargeArray<std::uint32_t> neighbours_;
  std::vector<std::uint32_t> self_loops_;
};

}  // namespace isobath
