// SPDX-License-Identifier: Apache-2.0
#include "graph/families.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/expects.hpp"
#include "base/narrow.hpp"
#include "base/threads.hpp"
#include "comm/grid.hpp"
#include "graph/named_hubs.hpp"
#include "graph/original_arcs.hpp"
#include "graph/source_places.hpp"
#include "graph/told_along_row.hpp"
#include "partition/block_partition.hpp"

namespace isobath {
namespace {

constexpr std::size_t lot = 64;  // heads

/// From the first row of the followers of everybody who may be a head, by place, and the end. The rows of
/// those that follow nobody come last.
Families families_of(const std::vector<std::uint32_t>& first_of) {
  Families families;
  const std::size_t all = first_of.size() - 1;
  std::size_t heads = 0;
  while (heads < all) {
    const std::size_t end = std::min(heads + lot, all);
    if (first_of[end] - first_of[heads] < Families::worthwhile * (end - heads)) break;
    heads = end;
  }
  for (std::uint32_t place = 0; place < heads; ++place) {
    if (first_of[place] == first_of[place + 1]) continue;
    families.head.push_back(place);
    families.begin.push_back(first_of[place]);
  }
  if (!families.empty()) families.begin.push_back(first_of[heads]);
  return families;
}

/// Writes bits of rows whose family is_marked(family).
template <class IsMarked>
void mark(const Families& families, std::size_t first_word, std::size_t words, Word* followers,
          IsMarked&& is_marked) {
  std::fill_n(followers, words, Word{0});
  const std::size_t first = first_word * word_bits;
  const std::size_t end = first + words * word_bits;
  if (end <= families.first_row() || first >= families.end_row()) return;
  const std::vector<std::uint32_t>& begin = families.begin;
  const auto after = std::upper_bound(begin.begin(), begin.end(), static_cast<std::uint32_t>(first));
  for (auto k = static_cast<std::size_t>(after - begin.begin()) - (after == begin.begin() ? 0 : 1);
       k < families.size() && begin[k] < end; ++k) {
    if (!is_marked(k)) continue;
    set_bits(followers, std::max<std::size_t>(begin[k], first) - first,
             std::min<std::size_t>(begin[k + 1], end) - first);
  }
}

/// Collective: every rank tells the others its heavy vertices, as own originals by working number.
/// @return those of piece 0, then those of piece 1, and so on
std::vector<std::uint32_t> tell_heavy(const Numbering& numbering,
                                      std::span<const std::uint32_t> heavy_of_piece, const Grid& grid) {
  const std::vector<std::int64_t> counts(heavy_of_piece.begin(), heavy_of_piece.end());
  std::vector<std::uint32_t> told(
      static_cast<std::size_t>(std::accumulate(counts.begin(), counts.end(), std::int64_t{0})));
  const std::span<const std::uint32_t> own = numbering.original.span().first(numbering.num_heavy());
  grid.col_comm.allgatherv<std::uint32_t>(own, counts, told);
  return told;
}

SourcePlaces heavy_places(std::span<const std::uint32_t> heavy, std::span<const std::uint32_t> heavy_of_piece,
                          const BlockPartition& blocks) {
  const auto count = narrow<std::uint32_t>(heavy.size(), "heavy vertices of a grid column");
  std::vector<std::size_t> first = {0};  // of every piece, among the heavy ones
  for (const std::uint32_t of_piece : heavy_of_piece) first.push_back(first.back() + of_piece);
  std::vector<SourcePlaces::Placed> placed;
  placed.reserve(count);
  for_each_heavy(heavy_of_piece, [&](std::uint32_t piece, std::uint32_t local) {
    const std::int64_t source = blocks.first(static_cast<int>(piece)) + heavy[first[piece] + local];
    placed.push_back({static_cast<std::size_t>(source), static_cast<std::uint32_t>(placed.size())});
  });
  return {static_cast<std::size_t>(blocks.num_vertices()), count, placed};
}

/// The hubs of this grid column, of whose originals `first` is the first.
SourcePlaces hub_places(const NamedHubs& named, int grid_col, std::int64_t first, std::int64_t num_sources) {
  const HubNumbers& hubs = named.numbers;
  const auto col = static_cast<std::size_t>(grid_col);
  const std::uint32_t begin = hubs.first_of_col[col];
  const std::uint32_t count = hubs.count_of_col[col];
  std::vector<SourcePlaces::Placed> placed;
  placed.reserve(count);
  for (std::uint32_t place = 0; place < named.by_degree.size(); ++place) {
    const std::uint32_t hub = named.by_degree[place];
    if (hub - begin < count) placed.push_back({static_cast<std::size_t>(hubs.original[hub] - first), place});
  }
  return {static_cast<std::size_t>(num_sources), static_cast<std::uint32_t>(named.by_degree.size()), placed};
}

/// Of every own vertex the least place of a hub among its neighbours, or how many hubs there are.
LargeArray<std::uint32_t> first_hubs(const OriginalArcs& arcs, const BlockPartition& blocks, const Grid& grid,
                                     const NamedHubs& named) {
  const GridShape shape = grid.shape;
  const std::int64_t first = blocks.first(shape.rank_at(0, grid.col));
  const int last = shape.rank_at(shape.rows - 1, grid.col);
  const SourcePlaces hubs =
      hub_places(named, grid.col, first, blocks.first(last) + blocks.size(last) - first);
  return told_along_row<std::uint32_t>(
      blocks, grid, [&](std::int64_t begin, std::int64_t end) { return arcs.first_places(begin, end, hubs); },
      [](std::uint32_t& own, std::uint32_t arrived) { own = std::min(own, arrived); });
}

}  // namespace

Families number_families(Numbering& numbering, const Endpoints& endpoints,
                         std::span<const std::uint32_t> first_head, std::uint32_t num_heads,
                         const FrontVertices& front) {
  const std::size_t kinds = std::size_t{num_heads} + 1;
  std::vector<std::vector<std::uint32_t>> next(static_cast<std::size_t>(max_threads()));
  std::vector<std::uint32_t> first_of(kinds);
#pragma omp parallel
  {
    std::vector<std::uint32_t>& mine = next[static_cast<std::size_t>(thread_id())];
    mine.assign(kinds, 0);
    const auto [first, end] = static_share(numbering.num_originals, thread_id(), num_threads());
    const auto for_each_member = [&](auto&& visit) {
      for (auto v = static_cast<std::size_t>(first); v < static_cast<std::size_t>(end); ++v) {
        if (numbering.code[v] >= Numbering::leaf ||
            std::cmp_greater_equal(endpoints.of[v].count(), front.least_endpoints))
          continue;
        visit(static_cast<std::uint32_t>(v), mine[std::min(first_head[v], num_heads)]);
      }
    };
    for_each_member([](std::uint32_t, std::uint32_t& count) { ++count; });
#pragma omp barrier
#pragma omp single
    {
      std::uint32_t row = front.count;
      for (std::size_t kind = 0; kind < kinds; ++kind) {
        first_of[kind] = row;
        for (std::vector<std::uint32_t>& each : next) {
          if (!each.empty()) row += std::exchange(each[kind], row);
        }
      }
    }
    for_each_member([&](std::uint32_t v, std::uint32_t& row) {
      numbering.original[row] = v;
      numbering.degree[row] = static_cast<std::uint32_t>(endpoints.of[v].count());
      numbering.code[v] = row++;
    });
  }
  numbering.by_family = true;
  return families_of(first_of);
}

void Families::find_columns(const GridLayout& layout) {
  if (empty()) return;
  first_col = layout.col_offset;
  first_heavy = {0};
  for (const std::uint32_t of_piece : layout.heavy_of_piece)
    first_heavy.push_back(first_heavy.back() + of_piece);
  of_heavy.assign(first_heavy.back(), {});
  std::uint32_t place = 0;
  std::uint32_t family = 0;
  for_each_heavy(layout.heavy_of_piece, [&](std::uint32_t piece, std::uint32_t local) {
    const bool is_head = family < size() && head[family] == place;
    ++place;
    if (!is_head) return;
    head[family] = first_col[piece] + local;
    of_heavy[first_heavy[piece] + local] = {begin[family], begin[family + 1], 0, family};
    ++family;
  });
}

void Families::find_members(const Rows& rows) {
  for (Members& members : of_heavy) {
    if (members.size() == 0) continue;
    const std::span<const std::uint32_t> row = rows.of(head[members.family]);
    const auto first = static_cast<std::size_t>(std::ranges::lower_bound(row, members.begin) - row.begin());
    // Rows that are passed over and are not found by their head would be lost.
    ISOBATH_EXPECTS(row.size() - first >= members.size());
    ISOBATH_EXPECTS(row[first] == members.begin && row[first + members.size() - 1] == members.end - 1);
    members.first = static_cast<std::uint32_t>(first);
  }
}

std::size_t Families::number_of_heavy(std::uint32_t column) const {
  const auto after = std::upper_bound(first_col.begin(), first_col.end(), column);
  const auto piece = static_cast<std::size_t>(after - first_col.begin()) - 1;
  const std::size_t number = std::size_t{first_heavy[piece]} + (column - first_col[piece]);
  return number < first_heavy[piece + 1] ? number : of_heavy.size();
}

void set_bits(Word* words, std::size_t begin, std::size_t end) {
  if (begin >= end) return;
  const std::size_t last = (end - 1) / word_bits;
  const Word from_begin = ~Word{0} << (begin % word_bits);
  const Word to_end = ~Word{0} >> (word_bits - 1 - (end - 1) % word_bits);
  std::size_t w = begin / word_bits;
  if (w == last) {
    words[w] |= from_begin & to_end;
    return;
  }
  words[w] |= from_begin;
  for (++w; w < last; ++w) words[w] = ~Word{0};
  words[last] |= to_end;
}

void Families::mark_followers(std::size_t first_word, std::size_t words, const Word* visited_cols,
                              Word* followers) const {
  mark(*this, first_word, words, followers,
       [&](std::size_t family) { return test_bit(visited_cols, head[family]); });
}

void Families::mark_followers_of(std::size_t first_word, std::size_t words, std::span<const char> is_marked,
                                 Word* followers) const {
  mark(*this, first_word, words, followers, [&](std::size_t family) { return is_marked[family] != 0; });
}

HeavyFamilies number_by_first_heavy(Numbering& numbering, const OriginalArcs& arcs,
                                    const Endpoints& endpoints, const BlockPartition& blocks,
                                    const Grid& grid) {
  ISOBATH_EXPECTS(grid.shape.cols == 1);
  std::vector<std::uint32_t> heavy_of_piece = grid.col_comm.allgather(numbering.num_heavy());
  const std::vector<std::uint32_t> heavy = tell_heavy(numbering, heavy_of_piece, grid);
  if (heavy.empty()) return {};
  const SourcePlaces places = heavy_places(heavy, heavy_of_piece, blocks);
  const LargeArray<std::uint32_t> first_head = arcs.first_places(0, numbering.num_originals, places);
  return {number_families(numbering, endpoints, first_head.span(), places.count(),
                          {numbering.num_heavy(), class_lower_bound[0]}),
          std::move(heavy_of_piece)};
}

Families number_by_first_hub(Numbering& numbering, const OriginalArcs& arcs, const Endpoints& endpoints,
                             const BlockPartition& blocks, const Grid& grid, const NamedHubs& named) {
  const LargeArray<std::uint32_t> first = first_hubs(arcs, blocks, grid, named);
  const std::int64_t least = std::min<std::int64_t>(named.least_endpoints, class_lower_bound[0]);
  const std::vector<std::uint32_t> in_front = by_falling_degree(numbering.degrees(), least);
  put_in_front(numbering, in_front);
  const auto num_heads = std::min(static_cast<std::uint32_t>(named.by_degree.size()),
                                  numbering.searched() / Families::worthwhile);
  Families families = number_families(numbering, endpoints, first.span(), num_heads,
                                      {static_cast<std::uint32_t>(in_front.size()), least});
  for (std::uint32_t& head : families.head) head = named.by_degree[head];
  return families;
}

}  // namespace isobath
