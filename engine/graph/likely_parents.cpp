// SPDX-License-Identifier: Apache-2.0
#include "graph/likely_parents.hpp"

#include <algorithm>

#include "base/vertex.hpp"

namespace isobath {
namespace {

/// Heavy vertices have working numbers by degree; emit wants them where it comes by.
void order_heavy(const Numbering& numbering, LikelyParents& likely) {
  likely.heavy_before.assign(static_cast<std::size_t>(numbering.num_emit_blocks()) + 1, 0);
  for (std::uint32_t working = 0; working < numbering.num_heavy(); ++working) {
    likely.heavy.push_back(working);
    ++likely.heavy_before[numbering.original[working] / static_cast<std::size_t>(emit_block) + 1];
  }
  for (std::size_t b = 1; b < likely.heavy_before.size(); ++b)
    likely.heavy_before[b] += likely.heavy_before[b - 1];
  std::sort(likely.heavy.begin(), likely.heavy.end(),
            [&](std::uint32_t a, std::uint32_t b) { return numbering.original[a] < numbering.original[b]; });
}

/// Original number of the likely parent of an own searched vertex, -1 where there is none.
std::int64_t likely_parent(const Graph& graph, std::uint32_t t) {
  if (!graph.layout.rows_are_complete()) {
    const std::uint32_t hub = graph.hubs.kept[0][t];
    return hub == graph.hubs.missing() ? raw(no_vertex) : graph.hubs.original[hub];
  }
  const std::span<const std::uint32_t> neighbours = graph.by_target.of(t);
  return neighbours.empty() ? raw(no_vertex) : graph.column_original[neighbours[0]];
}

}  // namespace

bool can_have_likely_parents(const Graph& graph) {
  constexpr std::int64_t most = std::int64_t{1} << 31;
  return graph.layout.rows_are_complete() ||
         (!graph.hubs.empty() && graph.layout.blocks.num_vertices() <= most);
}

bool can_deal_parents(const Graph& graph) {
  return graph.numbering.by_family && can_have_likely_parents(graph);
}

LikelyParents likely_parents(const Graph& graph, std::span<const Word> in_main,
                             std::span<const Word> leaves_in_main) {
  const Numbering& numbering = graph.numbering;
  LikelyParents likely;
  likely.of = LargeArray<std::int32_t>(static_cast<std::size_t>(numbering.num_emit_blocks() * emit_block));
#pragma omp parallel for schedule(static)
  for (std::size_t v = 0; v < likely.of.size(); ++v) likely.of[v] = static_cast<std::int32_t>(raw(no_vertex));
  const std::uint32_t searched = numbering.searched();
  std::int64_t known = 0;
#pragma omp parallel for schedule(static) reduction(+ : known)
  for (std::uint32_t t = 0; t < searched; ++t) {
    const std::int64_t parent = likely_parent(graph, t);
    if (parent == raw(no_vertex) || !test_bit(in_main, t)) continue;
    likely.of[numbering.original[t]] = static_cast<std::int32_t>(parent);
    ++known;
  }
  const std::uint32_t leaves = numbering.leaves();
#pragma omp parallel for schedule(static) reduction(+ : known)
  for (std::uint32_t leaf = 0; leaf < leaves; ++leaf) {
    if (!test_bit(leaves_in_main, leaf)) continue;
    likely.of[numbering.leaf_original[leaf]] = static_cast<std::int32_t>(
        graph.layout.rows_are_complete() ? std::int64_t{graph.leaves.neighbour_offset[leaf]}
                                         : graph.leaves.neighbour[leaf]);
    ++known;
  }
  likely.known = known;
  order_heavy(numbering, likely);
  return likely;
}

}  // namespace isobath
