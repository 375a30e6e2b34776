// SPDX-License-Identifier: Apache-2.0
#include "graph/check_arcs.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <optional>

#include "base/arena.hpp"
#include "base/bitmap.hpp"
#include "base/threads.hpp"
#include "graph/codes.hpp"
#include "graph/rounds.hpp"

namespace isobath {
namespace {

/// An arc to look up: once at the rank of the grid that stores it, once at the owner of its source, which may
/// be a leaf.
template <class Arc>
struct Question {
  Arc arc;
  std::int64_t source;
  std::int64_t target;
  std::int64_t to_owner;
};

/// Marks and counts what it is asked for, on one rank.
///
/// An arc has one bit, that of its place by target, set once it was found by source, too. A row and a column
/// have one place by target and one by source, which no other pair has: so by source as many arcs were met as
/// bits are set.
class Lookup {
 public:
  Lookup(const Graph& graph, const GridCodes& codes, std::int64_t leaves_in_pairs)
      : graph_(graph),
        codes_(codes),
        columns_(graph.column_order()),
        met_(words_for(graph.num_arcs())),
        met_leaves_(words_for(graph.numbering.leaves())),
        pairs_(leaves_in_pairs) {}

  /// Is the arc stored here? Arcs with a leaf at either end are not looked for here.
  template <class Arc>
  bool has_arc(const Arc& arc) {
    const std::uint32_t row = codes_.row[target_of(arc)];
    const std::uint32_t col = codes_.col[source_of(arc)];
    if (row == Numbering::leaf || col == Numbering::leaf) return true;
    if (row == Numbering::isolated || col == Numbering::isolated) return false;
    return graph_.with_rows_by_target([&](const auto& rows) {
      const std::int64_t at = position(rows, row, col, columns_);
      if (at < 0 || !bottom_up_sees(row, at, col)) return false;
      const auto by_target = rows.of(row).subspan(static_cast<std::size_t>(at));
      const std::uint64_t first = rows.first_arc(row) + static_cast<std::uint64_t>(at);
      if (is_alone()) return claim(first, by_target, by_target);
      return graph_.with_rows_by_source([&](const auto& columns) {
        const std::int64_t mirrored = position(columns, col, row, rows_);
        return mirrored >= 0 &&
               claim(first, by_target, columns.of(col).subspan(static_cast<std::size_t>(mirrored)));
      });
    });
  }

  /// At the owner of `source`: where it is a leaf, is `target` its neighbour?
  bool has_leaf_arc(std::int64_t source, std::int64_t target) {
    const std::int64_t local = graph_.layout.blocks.to_local(GlobalVertex{source});
    if (graph_.numbering.code[static_cast<std::size_t>(local)] != Numbering::leaf) return true;
    const std::uint32_t leaf = graph_.numbering.leaf_index(local);
    claim_bit(met_leaves_.span(), leaf);
    return graph_.leaves.neighbour[leaf] == target;
  }

  std::int64_t met() const { return count(met_) + 2 * count(met_leaves_) - pairs_; }
  std::int64_t stored() const {
    return static_cast<std::int64_t>(graph_.num_arcs()) + 2 * std::int64_t{graph_.numbering.leaves()} -
           pairs_;
  }
  /// Neighbours that only the planes have.
  std::int64_t invented_in_planes() const {
    if (!graph_.has_planes()) return 0;
    std::int64_t invented = 0;
    for (std::uint32_t row = 0; row < graph_.layout.num_rows(); ++row) {
      for (std::size_t k = graph_.by_target.length(row); k < num_planes; ++k) {
        invented += graph_.plane[k][row] != graph_.layout.missing_col() ? 1 : 0;
      }
    }
    return invented;
  }
  /// Arcs by source that no edge was found for: they must mirror those by target.
  std::int64_t unmet_by_source() const {
    const auto stored =
        static_cast<std::int64_t>(graph_.has_hypersparse_cols ? graph_.hypersparse_by_source.num_arcs()
                                                              : graph_.by_source_stored.num_arcs());
    return is_alone() ? stored : stored - count(met_);
  }

 private:
  /// One rank has arcs by target alone.
  bool is_alone() const { return graph_.layout.shape.size() == 1; }

  static std::int64_t count(const LargeArray<Word>& words) {
    std::int64_t bits = 0;
    for (const Word word : words) bits += std::popcount(word);
    return bits;
  }

  /// Meets an arc, given its row and its column from where it stands in each, and its place among all by
  /// target. Of kept duplicates each may be met once; false where all were, one way or the other.
  bool claim(std::uint64_t first, std::span<const std::uint32_t> by_target,
             std::span<const std::uint32_t> by_source) {
    if (!graph_.options.keep_duplicates) {
      claim_bit(met_.span(), first);
      return true;
    }
    for (std::size_t copy = 0; copy < std::min(by_target.size(), by_source.size()); ++copy) {
      if (by_target[copy] != by_target[0] || by_source[copy] != by_source[0]) return false;
      if (claim_bit(met_.span(), first + copy)) return true;
    }
    return false;
  }

  /// Where `index` first stands in its row, or -1.
  template <class AnyRows>
  static std::int64_t position(const AnyRows& rows, std::uint32_t row, std::uint32_t index,
                               const HeavyFirst& order) {
    const auto neighbours = rows.of(row);
    const std::uint32_t key = order.key_of(index);
    const auto at = std::lower_bound(
        neighbours.begin(), neighbours.end(), key,
        [&](std::uint32_t neighbour, std::uint32_t k) { return order.key_of(neighbour) < k; });
    return at == neighbours.end() || *at != index ? -1 : at - neighbours.begin();
  }

  /// Bottom-up reads the first neighbours of a row from the planes, and asks bits whether there are any, and
  /// more.
  bool bottom_up_sees(std::uint32_t row, std::int64_t at, std::uint32_t col) const {
    const auto k = static_cast<std::size_t>(at);
    if (!test_bit(graph_.rows_with_arc(), row)) return false;
    if (!graph_.has_planes()) return true;
    return k < num_planes ? graph_.plane[k][row] == col : test_bit(graph_.has_more.span(), row);
  }

  const Graph& graph_;
  const GridCodes& codes_;
  HeavyFirst columns_;
  HeavyFirst rows_;  // of one piece: by source rows are ascending
  LargeArray<Word> met_;
  LargeArray<Word> met_leaves_;
  std::int64_t pairs_;  // own leaves in pairs: their one arc each is not stored twice
};

struct Missing {
  std::int64_t count = 0;
  Edge first{GlobalVertex{std::numeric_limits<std::int64_t>::max()}, no_vertex};
  void note(std::int64_t source, std::int64_t target) {
    ++count;
    const Edge edge{GlobalVertex{source}, GlobalVertex{target}};
    if (edge.u < first.u || (edge.u == first.u && edge.v < first.v)) first = edge;
  }
  void add(const Missing& other) {
    count += other.count;
    if (other.count > 0 && (other.first.u < first.u || (other.first.u == first.u && other.first.v < first.v)))
      first = other.first;
  }
};

Missing look_up_alone(const EdgeStream& edges, Lookup& lookup) {
  Missing missing;
#pragma omp parallel
  {
    Missing mine;
    const auto [begin, end] = static_share(edges.size(), thread_id(), num_threads());
    for_each_batch(edges, begin, end, [&](std::span<const Edge> batch) {
      for (const auto& [u, v] : batch) {
        if (u == v) continue;
        for (const auto& [s, t] : {Edge{u, v}, Edge{v, u}}) {
          const RoutedArc arc{static_cast<std::uint32_t>(raw(s)), static_cast<std::uint32_t>(raw(t))};
          if (!lookup.has_arc(arc) || !lookup.has_leaf_arc(raw(s), raw(t))) mine.note(raw(s), raw(t));
        }
      }
    });
#pragma omp critical
    missing.add(mine);
  }
  return missing;
}

/// @tparam Arc  RoutedArc, or WideArc where positions are wide
template <class Arc>
Missing look_up_together(const Graph& graph, const EdgeStream& edges, const Communicator& world,
                         Lookup& lookup) {
  Missing missing;
  const ArcRouter router(graph.layout);
  const auto route = [&](const Edge& edge, auto&& send) {
    if (edge.u == edge.v) return;
    for (const auto& [s, t] : {edge, Edge{edge.v, edge.u}}) {
      const auto [rank, arc] = router.route<Arc>(s, t);
      send(rank, Question<Arc>{arc, raw(s), raw(t), 0});
      send(graph.layout.blocks.block_of(s), Question<Arc>{arc, raw(s), raw(t), 1});
    }
  };
  exchange_rounds<Question<Arc>>(edges, world, route, [&](std::span<const Question<Arc>> arrived) {
    for (const Question<Arc>& question : arrived) {
      const bool found = question.to_owner != 0 ? lookup.has_leaf_arc(question.source, question.target)
                                                : lookup.has_arc(question.arc);
      if (!found) missing.note(question.source, question.target);
    }
  });
  return missing;
}

/// The originals that are an end of the arcs to be looked up here, if they are few of `all`.
/// @param end_of  of an arc: its position in the grid column, or in the grid row
template <class Arc, class EndOf>
std::optional<SparseMembers> looked_up_here(const Graph& graph, const EdgeStream& edges,
                                            const Communicator& world, std::int64_t all, EndOf&& end_of) {
  LargeArray<Word> looked_up(words_for(static_cast<std::size_t>(all)));
  const ArcRouter router(graph.layout);
  exchange_rounds<Arc>(
      edges, world,
      [&](const Edge& edge, auto&& send) {
        if (edge.u != edge.v) router.route_both<Arc>(edge, send);
      },
      [&](std::span<const Arc> arrived) {
        for (const Arc& arc : arrived) set_bit(looked_up.span(), end_of(arc));
      });
  return members_if_few(graph.options.hypersparse, std::move(looked_up), static_cast<std::size_t>(all));
}

/// Sources, then targets: two more passes over the edges, but no more than the bits of one at a time.
template <class Arc>
OccurringOriginals looked_up_here(const Graph& graph, const EdgeStream& edges, const Communicator& world) {
  OccurringOriginals ends;
  ends.col = looked_up_here<Arc>(graph, edges, world, graph.layout.col_span(),
                                 [](const Arc& arc) { return source_of(arc); });
  ends.row = looked_up_here<Arc>(graph, edges, world, graph.layout.row_span(),
                                 [](const Arc& arc) { return target_of(arc); });
  return ends;
}

/// Where construction had few codes on any rank, those of what is looked up suffice here.
template <class Arc>
GridCodes codes_for(const Graph& graph, const EdgeStream& edges, const Communicator& world,
                    const Grid& grid) {
  if (graph.options.hypersparse == Hypersparse::never || !world.any(graph.had_few_codes)) {
    return gather_codes(graph.layout, graph.numbering, grid);
  }
  return gather_codes(graph.layout, graph.numbering, grid, looked_up_here<Arc>(graph, edges, world));
}

template <class Arc>
ArcCheck compare_with_list(const Graph& graph, std::int64_t leaves_in_pairs, const EdgeStream& edges,
                           const Communicator& world, const Grid& grid) {
  const GridCodes codes = codes_for<Arc>(graph, edges, world, grid);
  Lookup lookup(graph, codes, leaves_in_pairs);
  const Missing missing =
      world.size() == 1 ? look_up_alone(edges, lookup) : look_up_together<Arc>(graph, edges, world, lookup);
  std::int64_t sums[] = {
      missing.count, lookup.stored() + lookup.unmet_by_source() + lookup.invented_in_planes(), lookup.met()};
  world.sum(std::span<std::int64_t>(sums));
  ArcCheck check{sums[0], sums[1], sums[2], {no_vertex, no_vertex}};
  if (check.missing_arcs > 0) {
    const std::int64_t lowest = world.min(raw(missing.first.u));
    const bool has_it = raw(missing.first.u) == lowest;
    const std::int64_t target =
        world.min(has_it ? raw(missing.first.v) : std::numeric_limits<std::int64_t>::max());
    check.first_missing = {GlobalVertex{lowest}, GlobalVertex{target}};
  }
  return check;
}

}  // namespace

ArcCheck check_arcs(const Graph& graph, std::int64_t leaves_in_pairs, const EdgeStream& edges,
                    const Communicator& world, const Grid& grid) {
  return graph.positions.is_wide() ? compare_with_list<WideArc>(graph, leaves_in_pairs, edges, world, grid)
                                   : compare_with_list<RoutedArc>(graph, leaves_in_pairs, edges, world, grid);
}

}  // namespace isobath
