// SPDX-License-Identifier: Apache-2.0
#include "graph500/run_keys.hpp"

#include <algorithm>
#include <cstdint>
#include <span>

#include <fmt/format.h>

#include "base/error.hpp"
#include "generator/search_keys.hpp"

namespace isobath {
namespace {

/// Vertices that construction did not find are in no edge.
std::vector<char> have_neighbours(const SearchPlan& plan, std::span<const GlobalVertex> asked) {
  const std::int64_t found_vertices = plan.partition().num_vertices();
  std::vector<GlobalVertex> known;
  for (const GlobalVertex v : asked) {
    if (raw(v) < found_vertices) known.push_back(v);
  }
  const std::vector<char> of_known = plan.has_neighbour(known);
  std::vector<char> answers;
  auto next = of_known.begin();
  for (const GlobalVertex v : asked) answers.push_back(raw(v) < found_vertices ? *next++ : char{0});
  return answers;
}

}  // namespace

std::vector<GlobalVertex> keys_of_run(const Benchmark& benchmark, const SearchPlan& plan) {
  const auto has_neighbour = [&](std::span<const GlobalVertex> asked) {
    return have_neighbours(plan, asked);
  };
  if (benchmark.roots.empty()) {
    std::vector<GlobalVertex> keys = benchmark.sample_keys
                                         ? benchmark.sample_keys(benchmark.keys, has_neighbour)
                                         : sample_search_keys(benchmark.graph, benchmark.keys, has_neighbour);
    if (keys.empty()) {
      throw UsageError(
          "no vertex of this graph has a neighbour, so there is nothing to search; use a larger graph");
    }
    return keys;
  }
  const std::vector<char> usable = has_neighbour(benchmark.roots);
  const auto unusable = std::find(usable.begin(), usable.end(), 0);
  if (unusable != usable.end()) {
    const GlobalVertex root = benchmark.roots[static_cast<std::size_t>(unusable - usable.begin())];
    throw UsageError(fmt::format("--root {} has no neighbour; choose another vertex",
                                 benchmark.id_of ? benchmark.id_of(root) : raw(root)));
  }
  return benchmark.roots;
}

}  // namespace isobath
