// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <set>
#include <vector>

#include "graph/hubs.hpp"
#include "graph/numbering.hpp"
#include "graph/sample_graphs.hpp"

namespace isobath::test {

/// The rules once more, over the whole graph: degrees with copies, neighbours without.
struct HubTwin {
  HubTwin(const SampleGraph& sample, const NumberingOptions& options, GridShape shape)
      : neighbours(static_cast<std::size_t>(sample.num_vertices)),
        degree(static_cast<std::size_t>(sample.num_vertices), 0) {
    for (const auto& [u, v] : sample.edges) {
      if (u == v) continue;
      neighbours[index(u)].insert(raw(v));
      neighbours[index(v)].insert(raw(u));
      ++degree[index(u)];
      ++degree[index(v)];
    }
    std::vector<std::int64_t> degrees;
    for (std::int64_t v = 0; v < sample.num_vertices; ++v) {
      const std::size_t distinct = neighbours[static_cast<std::size_t>(v)].size();
      const bool is_searched = (distinct > 0 || !options.relabel) && (distinct != 1 || !options.leaves_out);
      searched.push_back(is_searched);
      if (is_searched) degrees.push_back(degree[static_cast<std::size_t>(v)]);
    }
    const std::int64_t most = most_hubs(std::ssize(degrees), shape);
    for (least = 1;; ++least) {
      if (std::ranges::count_if(degrees, [&](std::int64_t d) { return d >= least; }) <= most) break;
    }
  }
  /// Whether a vertex has a searched neighbour that is not among those that its owner keeps.
  bool has_others(std::int64_t v, const std::vector<std::int64_t>& kept) const {
    return std::ranges::any_of(neighbours[static_cast<std::size_t>(v)], [&](std::int64_t u) {
      return searched[static_cast<std::size_t>(u)] && std::ranges::find(kept, u) == kept.end();
    });
  }
  bool is_hub(std::int64_t v) const {
    return searched[static_cast<std::size_t>(v)] && degree[static_cast<std::size_t>(v)] >= least;
  }
  std::vector<std::int64_t> first_hubs_of(std::int64_t v) const {
    std::vector<std::int64_t> hubs;
    for (const std::int64_t neighbour : neighbours[static_cast<std::size_t>(v)]) {
      if (is_hub(neighbour)) hubs.push_back(neighbour);
    }
    std::ranges::stable_sort(hubs, [&](std::int64_t a, std::int64_t b) {
      return degree[static_cast<std::size_t>(a)] > degree[static_cast<std::size_t>(b)];
    });
    if (hubs.size() > num_kept_hubs) hubs.resize(num_kept_hubs);
    return hubs;
  }
  /// All hubs by falling degree, then by original number.
  std::vector<std::int64_t> in_order() const {
    std::vector<std::int64_t> hubs;
    for (std::int64_t v = 0; v < std::ssize(degree); ++v) {
      if (is_hub(v)) hubs.push_back(v);
    }
    std::ranges::stable_sort(hubs, std::greater(),
                             [&](std::int64_t v) { return degree[static_cast<std::size_t>(v)]; });
    return hubs;
  }
  bool is_in_front(std::int64_t v) const {
    const std::int64_t of_v = degree[static_cast<std::size_t>(v)];
    return searched[static_cast<std::size_t>(v)] && (of_v >= least || of_v >= 1024);
  }
  static std::size_t index(GlobalVertex v) { return static_cast<std::size_t>(raw(v)); }

  std::vector<std::set<std::int64_t>> neighbours;
  std::vector<std::int64_t> degree;
  std::vector<bool> searched;
  std::int64_t least = 1;
};

}  // namespace isobath::test
