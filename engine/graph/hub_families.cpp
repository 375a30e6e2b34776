// SPDX-License-Identifier: Apache-2.0
#include "graph/hub_families.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "graph/source_places.hpp"
#include "graph/told_along_row.hpp"

namespace isobath {
namespace {

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
    if (hub - begin < count)
      placed.push_back({static_cast<std::uint32_t>(hubs.original[hub] - first), place});
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
