// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/arena.hpp"
#include "graph/endpoints.hpp"
#include "graph/numbering.hpp"
#include "graph/rows.hpp"
#include "partition/edge_stream.hpp"

namespace isobath {

/// All arcs of a graph that one rank holds, in original numbering, dealt by target into ranges of vertices so
/// narrow that whatever is then done with a range stays in cache: counting end points, and sorting rows. Both
/// need no locked operation and no second look at the edges. See docs/explanation/construction.md.
///
/// Memory: 6 bytes an arc; 4 bytes an arc while the finished rows are laid one after the other.
class OriginalArcs {
 public:
  /// Reads the edges twice: to count the arcs of every range, then to deal them.
  /// @param edges  all of the graph, of at most 2^31 vertices
  explicit OriginalArcs(const EdgeStream& edges);

  /// The same as count_endpoints on one rank. To be called once: it gives the self-loops away.
  /// @throws RefusedError where a leaf has more than 524,287 copies of its one edge
  Endpoints endpoints();

  /// Overwrites the code of every searched vertex that is not heavy with its first heavy neighbour: the least
  /// working number of a heavy vertex among its neighbours, or num_heavy() where there is none.
  void find_first_heavy(Numbering& numbering) const;

  /// Rows of the searched vertices in working numbering, sorted; duplicates dropped unless they are to be
  /// kept. To be called once: it uses the arcs up.
  Rows into_rows(const Numbering& numbering, bool keep_duplicates);

  std::size_t num_ranges() const { return begin_.empty() ? 0 : begin_.size() - 1; }

 private:
  class Dealer;
  struct Scratch;
  std::uint32_t first_vertex(std::size_t range) const { return static_cast<std::uint32_t>(range << shift_); }
  std::uint32_t end_vertex(std::size_t range) const;
  std::uint64_t translate(std::size_t range, const Numbering& numbering, Scratch& scratch) const;
  void sort_range(std::size_t range, const Numbering& numbering, int key_bits, Scratch& scratch,
                  LargeArray<std::uint64_t>& length);
  void copy_range(std::size_t range, const Numbering& numbering, Rows& rows) const;

  std::int64_t num_vertices_;
  int shift_;                         // a range has 2^shift_ vertices, the last one perhaps fewer
  std::vector<std::uint64_t> begin_;  // per range, and the end, in arcs
  LargeArray<std::uint32_t> source_;  // of each arc; later the sorted rows of a range at its begin
  LargeArray<std::uint16_t> target_;  // of each arc, counted from the first vertex of the range
  std::vector<std::uint32_t> self_loops_at_;
};

}  // namespace isobath
