// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/arena.hpp"
#include "base/placed_bits.hpp"
#include "graph/dealt_arcs.hpp"
#include "graph/endpoints.hpp"
#include "graph/numbering.hpp"
#include "graph/original_codes.hpp"
#include "graph/rows.hpp"
#include "graph/source_places.hpp"
#include "partition/edge_stream.hpp"

namespace isobath {

/// The arcs that one rank stores, still in original numbering: as they came, or made from its edges where
/// there is no other rank. Dealt by target into narrow ranges, so that counting end points, and sorting rows,
/// stay in cache and need neither a locked operation nor a second look at the edges. See
/// docs/explanation/construction.md.
///
/// Memory: 6 bytes an arc; 4 bytes an arc while the finished rows are laid one after the other.
class OriginalArcs {
 public:
  /// How rows are numbered and sorted.
  struct RowNumbers {
    const OriginalCodes* row = nullptr;     // by target: its row, or what no row has (Numbering::leaf and up)
    const OriginalCodes* key = nullptr;     // by source: see HeavyFirst; or what no row has
    std::span<const std::uint32_t> length;  // by row, arcs at the most; empty: counted
    std::size_t num_rows = 0;
    /// Rows that may have an arc, where those alone are to have a start.
    const PlacedBits* candidates = nullptr;
    const HeavyFirst* order = nullptr;

    std::size_t entry_of(std::size_t of_row) const {
      return candidates == nullptr ? of_row : candidates->members_below(of_row);
    }
  };

  /// Reads the edges twice: to count the arcs of every range, then to deal them.
  /// @param edges  all of the graph, of at most 2^31 vertices
  explicit OriginalArcs(const EdgeStream& edges);
  /// Arcs that arrived, ends as positions among the originals of the grid column and of the grid row.
  /// @param first_source   first original of the grid column
  /// @param self_loops_at  own vertex of each, sorted
  OriginalArcs(DealtArcs arrived, std::int64_t first_source, std::vector<std::uint32_t> self_loops_at)
      : dealt_(std::move(arrived)), first_source_(first_source), self_loops_at_(std::move(self_loops_at)) {}

  /// Of targets [first, end), by the arcs that are here.
  /// @param are_counted  becomes false where Endpoint::meet does not count
  LargeArray<Endpoint> endpoints(std::int64_t first, std::int64_t end, bool& are_counted) const;
  /// Own vertex of each self-loop, sorted.
  const std::vector<std::uint32_t>& self_loops_at() const { return self_loops_at_; }

  /// Of targets [first, end): the least place of a source among those of their arcs that are here, or count()
  /// where none has a place.
  LargeArray<std::uint32_t> first_places(std::int64_t first, std::int64_t end,
                                         const SourcePlaces& places) const;

  /// By target in ranges, while they are not sorted.
  const DealtArcs& dealt() const { return *dealt_; }

  /// Sorts all rows where their arcs are; duplicates dropped unless they are to be kept. This, or
  /// sort_candidates(), is to be called once, and then lay_rows().
  /// @return where each row is to begin, and no neighbours yet
  Rows sort_rows(const RowNumbers& numbers, bool keep_duplicates);
  /// The same where candidates alone are to have a start.
  /// @return where each of them is to begin, by entry_of()
  CompactRows sort_candidates(const RowNumbers& numbers, bool keep_duplicates);
  /// Lays the sorted rows one after the other. It uses the arcs up.
  /// @param numbers  as when they were sorted; keys are not asked for
  /// @param rows     as they were returned
  template <class AnyRows>
  void lay_rows(const RowNumbers& numbers, AnyRows& rows);
  /// Afterwards: see DealtArcs::take_room().
  LargeArray<std::uint32_t> take_room() { return std::move(room_); }

  std::size_t num_ranges() const { return dealt_->num_ranges(); }

 private:
  struct Scratch;
  void number_rows(std::size_t range, const RowNumbers& numbers, Scratch& scratch) const;
  template <class Codes>
  void translate(std::size_t range, const Codes& key_of, Scratch& scratch) const;
  template <class Length>
  void sort_range(std::size_t range, const RowNumbers& numbers, Scratch& scratch, std::span<Length> length);
  template <class Length>
  void sort_ranges(const RowNumbers& numbers, bool keep_duplicates, std::span<Length> length);
  template <class AnyRows>
  void copy_range(std::size_t range, const RowNumbers& numbers, AnyRows& rows) const;

  std::optional<DealtArcs> dealt_;
  std::int64_t first_source_ = 0;
  std::vector<std::uint32_t> self_loops_at_;
  LargeArray<std::uint32_t> room_;
};

}  // namespace isobath
