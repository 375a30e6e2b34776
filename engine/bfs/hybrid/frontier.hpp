// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/arena.hpp"
#include "base/bitmap.hpp"
#include "graph/graph.hpp"

namespace isobath {

/// The own searched vertices that are visited, and the frontier: those that the level before found. A
/// level leaves the frontier as a list, or as two bitmaps: visited now, and visited before that level. No
/// MPI. Between levels:
///
///   frontier   visited_   before_or_after_           list_
///   a list     visited    of no meaning              the frontier
///   bitmaps    visited    visited before the level   of no meaning
class Frontier {
 public:
  /// @param graph  outlives this
  explicit Frontier(const Graph& graph);

  /// Before a search: nothing is visited.
  void reset();
  /// The start vertex (SearchStart), on its owner.
  void begin_at(std::uint32_t working);

  /// Own vertices. Behind them is a bit that is never set: on one grid row Expand hands these words out as
  /// the columns, and GridLayout::missing_col() is that bit.
  std::span<Word> visited() { return visited_.span(); }
  std::span<const Word> visited() const { return visited_.span(); }

  // A level that leaves bitmaps writes all own words of visited_after(), then advances; what it marks after
  // that, mark() below, counts to the same level.
  std::span<Word> visited_after() { return before_or_after_.span(); }
  void advance();

  // A level that leaves a list marks what it finds, writes it to list_room(), and says how many there are.
  /// False where it was visited already.
  bool mark(std::uint32_t working) { return mark_bit(visited_.span(), working); }
  std::uint32_t* list_room() { return list_.data(); }
  void set_list(std::size_t size);

  bool is_list() const { return is_list_; }
  /// Turns bitmaps into a list.
  void make_list();
  std::span<const std::uint32_t> list() const { return list_.span().first(size_); }

  /// Degrees of the frontier, whichever form it has, summed: its end points, as DirectionPolicy counts arcs.
  std::int64_t arcs() const;
  /// The same of its heavy vertices alone, where it has bitmaps.
  std::int64_t heavy_arcs() const;
  /// How many vertices it has, where it has bitmaps.
  std::int64_t count() const;
  /// All own vertices that the search reached, in any order. Nothing where they are many, or where a level
  /// left bitmaps that were not made a list before the next one.
  std::optional<std::span<const std::uint32_t>> all_reached_if_few() const;

 private:
  std::int64_t arcs_of_words(std::size_t words) const;

  const std::uint32_t* degree_;
  std::size_t num_heavy_;
  std::size_t words_;  // of own vertices
  LargeArray<Word> visited_;
  // See above; during a level that leaves bitmaps: visited_after().
  LargeArray<Word> before_or_after_;
  LargeArray<std::uint32_t> list_;  // working numbers
  std::size_t size_ = 0;            // of the list
  bool is_list_ = true;
  std::vector<std::size_t> listed_before_;  // per thread, while bitmaps become a list
  std::vector<std::uint32_t> all_reached_;  // own vertices reached so far, one by one, while they are few
  bool all_reached_is_complete_ = true;
};

}  // namespace isobath
