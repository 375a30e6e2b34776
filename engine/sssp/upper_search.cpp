// SPDX-License-Identifier: Apache-2.0
#include "sssp/upper_search.hpp"

#include <algorithm>
#include <bit>

#include "base/instruction_set.hpp"
#include "sssp/path_steps.hpp"

namespace isobath {
namespace {

/// The greatest number first, of equal ones the nearest.
bool comes_later(const Offer& a, const Offer& b) {
  return a.to != b.to ? a.to < b.to : a.distance > b.distance;
}

}  // namespace

std::vector<Offer> climb(const UpperGraph& upper, std::vector<Offer> start) {
  std::vector<Offer> climbed;
  std::make_heap(start.begin(), start.end(), comes_later);
  while (!start.empty()) {
    std::pop_heap(start.begin(), start.end(), comes_later);
    const Offer offer = start.back();
    start.pop_back();
    if (!climbed.empty() && climbed.back().to == offer.to) continue;  // a better one came before
    climbed.push_back(offer);
    if (offer.to < upper.core) continue;
    for (const auto& [to, weight] : upper.rows.of(offer.to)) {
      start.push_back({to, offer.distance + weight, upper.original[offer.to]});
      std::push_heap(start.begin(), start.end(), comes_later);
    }
  }
  return climbed;
}

std::int64_t settle(const UpperGraph& upper, UpperPaths& paths, std::span<Word> changed) {
  std::int64_t arcs = 0;
  std::size_t words = changed.size();
  const RelaxState state{paths.distance.data(), paths.parent.data(), changed.data()};
  const auto relax = path_steps().relax;
  const auto relax_from = [&](std::size_t vertex) {
    const std::span<const WeightedArc> row = upper.rows.of(vertex);
    arcs += static_cast<std::int64_t>(row.size());
    relax(row.data(), row.size(), paths.distance[vertex], upper.original[vertex], state);
  };
  const auto is_any = [&] {
    while (words > 0 && changed[words - 1] == 0) --words;
    return words > 0;
  };
  while (is_any()) {
    for (std::size_t w = words; w-- > 0;) {  // towards the landmark
      while (changed[w] != 0) {
        const auto bit = static_cast<std::size_t>(std::bit_width(changed[w])) - 1;
        changed[w] ^= Word{1} << bit;
        relax_from(w * word_bits + bit);
      }
    }
    words = changed.size();
    for (std::size_t w = 0; w < words; ++w) {  // and out again
      while (changed[w] != 0) {
        const auto bit = static_cast<std::size_t>(std::countr_zero(changed[w]));
        changed[w] &= changed[w] - 1;
        relax_from(w * word_bits + bit);
      }
    }
  }
  return arcs;
}

void descend(const UpperGraph& upper, const UpperGraph::Round& round, std::uint32_t begin, std::uint32_t end,
             UpperPaths& paths) {
  const std::uint32_t one_until = std::clamp(round.one_until, begin, end);
  const WeightedArc* const only = upper.rows.neighbour.data() + upper.rows.start[begin];
  path_steps().add_over_arcs(only, one_until - begin, paths.distance.data(), paths.distance.data() + begin);
  for (std::uint32_t u = one_until; u < end; ++u) {
    const BestWay best = best_way(upper.rows.of(u), paths);
    paths.distance[u] = best.distance;
    paths.parent[u] = upper.original[best.over];
  }
}

}  // namespace isobath
