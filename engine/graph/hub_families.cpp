// SPDX-License-Identifier: Apache-2.0
#include "graph/hub_families.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "graph/hub_sources.hpp"
#include "graph/told_along_row.hpp"

namespace isobath {
namespace {

/// Of every own vertex the least place of a hub among its neighbours, or how many hubs there are.
LargeArray<std::uint32_t> first_hubs(const OriginalArcs& arcs, const BlockPartition& blocks, const Grid& grid,
                                     const NamedHubs& named) {
  const GridShape shape = grid.shape;
  const std::int64_t first = blocks.first(shape.rank_at(0, grid.col));
  const int last = shape.rank_at(shape.rows - 1, grid.col);
  const HubSources hubs(named, grid.col, first, blocks.first(last) + blocks.size(last) - first);
  return told_along_row<std::uint32_t>(
      blocks, grid, [&](std::int64_t begin, std::int64_t end) { return arcs.first_hubs(begin, end, hubs); },
      [](std::uint32_t& own, std::uint32_t arrived) { own = std::min(own, arrived); });
}

/// Gives the vertices of so many end points the first numbers.
void put_in_front(Numbering& numbering, const FrontVertices& front) {
  std::vector<std::uint32_t> from;  // their numbers by degree class
  for (std::uint32_t t = 0; t < numbering.searched(); ++t) {
    if (numbering.degree[t] >= front.least_endpoints) from.push_back(t);
  }
  std::ranges::stable_sort(from, std::greater(), [&](std::uint32_t t) { return numbering.degree[t]; });
  std::vector<std::uint32_t> original;
  std::vector<std::uint32_t> degree;
  for (const std::uint32_t t : from) {
    original.push_back(numbering.original[t]);
    degree.push_back(numbering.degree[t]);
  }
  std::ranges::copy(original, numbering.original.begin());
  std::ranges::copy(degree, numbering.degree.begin());
  for (std::uint32_t t = 0; t < front.count; ++t) numbering.code[original[t]] = t;
}

}  // namespace

Families number_by_first_hub(Numbering& numbering, const OriginalArcs& arcs, const Endpoints& endpoints,
                             const BlockPartition& blocks, const Grid& grid, const NamedHubs& named) {
  const LargeArray<std::uint32_t> first = first_hubs(arcs, blocks, grid, named);
  const std::int64_t least = std::min<std::int64_t>(named.least_endpoints, class_lower_bound[0]);
  const std::span<const std::uint32_t> degrees = numbering.degree.span().first(numbering.searched());
  const auto is_in_front = [&](std::uint32_t degree) { return degree >= least; };
  const FrontVertices front{static_cast<std::uint32_t>(std::ranges::count_if(degrees, is_in_front)), least};
  const auto heads = std::min(static_cast<std::uint32_t>(named.by_degree.size()),
                              numbering.searched() / Families::worthwhile);
#pragma omp parallel for schedule(static)
  for (std::size_t v = 0; v < first.size(); ++v) {
    std::uint32_t& code = numbering.code[v];
    if (code < Numbering::leaf && !is_in_front(numbering.degree[code])) code = std::min(first[v], heads);
  }
  put_in_front(numbering, front);
  Families families = number_families(numbering, endpoints, heads, front);
  for (std::uint32_t& head : families.head) head = named.by_degree[head];
  return families;
}

}  // namespace isobath
