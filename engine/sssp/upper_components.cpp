// SPDX-License-Identifier: Apache-2.0
#include "sssp/upper_components.hpp"

#include <algorithm>
#include <numeric>
#include <span>

namespace isobath {
namespace {

/// Union-find; the smallest member stands for its set.
class Sets {
 public:
  explicit Sets(std::uint32_t size) : parent_(size) { std::iota(parent_.begin(), parent_.end(), 0U); }
  std::uint32_t find(std::uint32_t x) {
    while (parent_[x] != x) x = parent_[x] = parent_[parent_[x]];
    return x;
  }
  void unite(std::uint32_t a, std::uint32_t b) {
    a = find(a);
    b = find(b);
    parent_[std::max(a, b)] = std::min(a, b);
  }

 private:
  std::vector<std::uint32_t> parent_;
};

/// Components are numbered as their smallest upper numbers follow each other.
std::vector<std::uint32_t> labels_of(const UpperGraph& upper, std::uint32_t& count) {
  Sets sets(upper.size());
  for (std::uint32_t u = 0; u < upper.size(); ++u) {
    for (const WeightedArc& arc : upper.rows.of(u)) sets.unite(u, arc.to);
  }
  std::vector<std::uint32_t> label(upper.size());
  count = 0;
  for (std::uint32_t u = 0; u < upper.size(); ++u) {
    const std::uint32_t first = sets.find(u);
    label[u] = first == u ? count++ : label[first];
  }
  return label;
}

}  // namespace

UpperComponents::UpperComponents(const UpperGraph& upper, const OwnVertices& own, const Endpoints& endpoints,
                                 const Communicator& world) {
  std::uint32_t components = 0;
  label_ = labels_of(upper, components);
  std::vector<std::int64_t> sums(std::size_t{3} * components, 0);  // end points, self-loops, vertices
  own.for_each_present([&](std::size_t v, std::uint32_t upper_vertex) {
    const std::size_t at = std::size_t{3} * label_[upper_vertex];
    sums[at] += static_cast<std::int64_t>(endpoints.of[v].count());
    ++sums[at + 2];
  });
  for (const std::uint32_t v : endpoints.self_loops_at) {
    if (!own.is_isolated(v)) ++sums[std::size_t{3} * label_at_owner(own, v) + 1];
  }
  world.sum(std::span<std::int64_t>(sums));
  for (std::size_t at = 0; at < sums.size(); at += 3) {
    const ComponentSums component{sums[at], sums[at + 1], sums[at + 2]};
    edges_.push_back(component.edges());
    largest_.look_at(component);
  }
}

std::uint32_t UpperComponents::label_at_owner(const OwnVertices& own, std::size_t v) const {
  return label_[own.way_up(v)];
}

}  // namespace isobath
