// SPDX-License-Identifier: Apache-2.0
#include "mutations.hpp"

#include <algorithm>
#include <functional>
#include <limits>

namespace isobath::test {
namespace {

using Wrong = std::optional<Parents>;

bool is_reached(const RightAnswer& right, GlobalVertex v) {
  return right.levels[at(v)] != reference::no_level;
}

bool are_neighbours(const RightAnswer& right, GlobalVertex u, GlobalVertex v) {
  const auto& row = right.adjacency.neighbours[at(u)];
  return std::binary_search(row.begin(), row.end(), v);
}

bool has_child(const RightAnswer& right, GlobalVertex v) {
  for (std::size_t child = 0; child < right.parents.size(); ++child) {
    if (right.parents[child] == v && child != at(v)) return true;
  }
  return false;
}

/// Is `v` the vertex `ancestor` or below it?
bool is_below(const RightAnswer& right, GlobalVertex v, GlobalVertex ancestor) {
  while (v != ancestor && v != right.root) v = right.parents[at(v)];
  return v == ancestor;
}

/// A vertex, beginning anywhere, that satisfies `wanted`.
std::optional<GlobalVertex> find_vertex(const RightAnswer& right, Random& random,
                                        const std::function<bool(GlobalVertex)>& wanted) {
  const std::int64_t begin = draw(random, right.graph.num_vertices);
  for (std::int64_t step = 0; step < right.graph.num_vertices; ++step) {
    const GlobalVertex v{(begin + step) % right.graph.num_vertices};
    if (wanted(v)) return v;
  }
  return {};
}

std::optional<GlobalVertex> find_child_of_the_root(const RightAnswer& right, Random& random) {
  return find_vertex(right, random, [&](GlobalVertex v) { return right.levels[at(v)] == 1; });
}

Wrong with_parent(const RightAnswer& right, std::optional<GlobalVertex> v,
                  std::optional<GlobalVertex> parent) {
  if (!v || !parent) return {};
  Parents parents = right.parents;
  parents[at(*v)] = *parent;
  return parents;
}

/// A cycle of vertex v, `depth` levels below the root, and all between it and a child of the root.
Wrong cycle_through(const RightAnswer& right, Random& random, Level depth) {
  const auto v = find_vertex(right, random, [&](GlobalVertex u) { return right.levels[at(u)] == depth; });
  if (!v) return {};
  GlobalVertex top = *v;
  while (right.levels[at(top)] > 1) top = right.parents[at(top)];
  return with_parent(right, top, v);
}

Wrong cycle_of_one(const RightAnswer& right, Random& random) {
  const auto v = find_child_of_the_root(right, random);
  return with_parent(right, v, v);
}
Wrong cycle_of_two(const RightAnswer& right, Random& random) { return cycle_through(right, random, 2); }
Wrong cycle_of_three(const RightAnswer& right, Random& random) { return cycle_through(right, random, 3); }
Wrong longest_cycle(const RightAnswer& right, Random& random) {
  return cycle_through(right, random, *std::max_element(right.levels.begin(), right.levels.end()));
}

Wrong root_has_a_parent(const RightAnswer& right, Random& random) {
  return with_parent(right, right.root, find_child_of_the_root(right, random));
}
Wrong root_is_unreached(const RightAnswer& right, Random&) {
  return with_parent(right, right.root, no_vertex);
}

Wrong parent_is_no_neighbour(const RightAnswer& right, Random& random) {
  const auto v = find_vertex(right, random, [&](GlobalVertex u) { return right.levels[at(u)] >= 2; });
  if (!v) return {};
  return with_parent(right, v, find_vertex(right, random, [&](GlobalVertex w) {
                       return right.levels[at(w)] == right.levels[at(*v)] - 1 &&
                              !are_neighbours(right, *v, w);
                     }));
}

Wrong parent_on_the_same_level(const RightAnswer& right, Random& random) {
  for (int trial = 0; trial < 50; ++trial) {
    const auto v = find_vertex(right, random, [&](GlobalVertex u) { return right.levels[at(u)] >= 1; });
    if (!v) return {};
    for (const GlobalVertex w : right.adjacency.neighbours[at(*v)]) {
      if (right.levels[at(w)] == right.levels[at(*v)]) return with_parent(right, v, w);
    }
  }
  return {};
}

Wrong parent_two_levels_too_deep(const RightAnswer& right, Random& random) {
  const auto v = find_child_of_the_root(right, random);
  if (!v) return {};
  return with_parent(right, v, find_vertex(right, random, [&](GlobalVertex w) {
                       return right.levels[at(w)] == 2 && !is_below(right, w, *v);
                     }));
}

Wrong parent_is_too_high(const RightAnswer& right, Random& random) {
  return with_parent(right,
                     find_vertex(right, random, [&](GlobalVertex u) { return right.levels[at(u)] >= 3; }),
                     right.root);
}

Wrong reached_leaf_is_unreached(const RightAnswer& right, Random& random) {
  return with_parent(
      right,
      find_vertex(right, random,
                  [&](GlobalVertex u) { return right.levels[at(u)] >= 1 && !has_child(right, u); }),
      no_vertex);
}
Wrong reached_parent_is_unreached(const RightAnswer& right, Random& random) {
  return with_parent(
      right,
      find_vertex(right, random,
                  [&](GlobalVertex u) { return right.levels[at(u)] >= 1 && has_child(right, u); }),
      no_vertex);
}

std::optional<GlobalVertex> find_unreached(const RightAnswer& right, Random& random) {
  return find_vertex(right, random, [&](GlobalVertex u) { return !is_reached(right, u); });
}
Wrong unreached_gets_a_parent(const RightAnswer& right, Random& random) {
  return with_parent(right, find_unreached(right, random),
                     find_vertex(right, random, [&](GlobalVertex u) { return is_reached(right, u); }));
}
Wrong unreached_is_its_own_parent(const RightAnswer& right, Random& random) {
  const auto v = find_unreached(right, random);
  return with_parent(right, v, v);
}
Wrong unreached_leads_nowhere(const RightAnswer& right, Random& random) {
  const auto v = find_unreached(right, random);
  return with_parent(
      right, v, find_vertex(right, random, [&](GlobalVertex u) { return !is_reached(right, u) && u != *v; }));
}
/// The hole of the reference's validator: a component apart, all of it claimed, its parents in a circle.
Wrong component_apart_is_claimed(const RightAnswer& right, Random& random) {
  const auto v = find_vertex(right, random, [&](GlobalVertex u) {
    return !is_reached(right, u) && !right.adjacency.neighbours[at(u)].empty();
  });
  if (!v) return {};
  Parents parents = right.parents;
  const Parents tree = right_answer(right.adjacency, *v, random);
  for (std::size_t u = 0; u < parents.size(); ++u) {
    if (tree[u] != no_vertex) parents[u] = tree[u];
  }
  parents[at(*v)] = right.adjacency.neighbours[at(*v)].front();
  return parents;
}

Wrong set_any_parent(const RightAnswer& right, Random& random, std::int64_t parent) {
  return with_parent(right, GlobalVertex{draw(random, right.graph.num_vertices)}, GlobalVertex{parent});
}
Wrong parent_is_minus_two(const RightAnswer& right, Random& random) {
  return set_any_parent(right, random, -2);
}
Wrong parent_is_the_vertex_count(const RightAnswer& right, Random& random) {
  return set_any_parent(right, random, right.graph.num_vertices);
}
Wrong parent_has_a_high_bit(const RightAnswer& right, Random& random) {
  const GlobalVertex v{draw(random, right.graph.num_vertices)};
  return with_parent(
      right, v, GlobalVertex{(std::int64_t{1} << 32) + std::max<std::int64_t>(raw(right.parents[at(v)]), 0)});
}
Wrong parent_is_the_largest_number(const RightAnswer& right, Random& random) {
  return set_any_parent(right, random, std::numeric_limits<std::int64_t>::max());
}
Wrong parent_is_the_smallest_number(const RightAnswer& right, Random& random) {
  return set_any_parent(right, random, std::numeric_limits<std::int64_t>::min());
}

/// All below a child of another tree's root, and that root, as in the other tree: they lead there, not to our
/// root.
Wrong subtree_of_another_root(const RightAnswer& right, Random& random) {
  if (right.other_root == right.root) return {};
  const auto top = find_vertex(right, random, [&](GlobalVertex u) {
    return right.other_parents[at(u)] == right.other_root && u != right.other_root && u != right.root;
  });
  if (!top) return {};
  Parents parents = right.parents;
  for (std::size_t v = 0; v < parents.size();
       ++v) {  // all below `top` in the other tree, and that tree's root
    GlobalVertex u{static_cast<std::int64_t>(v)};
    if (right.other_parents[v] == no_vertex || u == right.root) continue;
    while (u != *top && u != right.other_root) u = right.other_parents[at(u)];
    if (u == *top) parents[v] = right.other_parents[v];
  }
  parents[at(right.other_root)] = right.other_root;
  return parents;
}
Wrong result_of_another_root(const RightAnswer& right, Random&) {
  if (right.other_root == right.root) return {};
  return right.other_parents;
}
Wrong nothing_is_reached(const RightAnswer& right, Random&) {
  return Parents(right.parents.size(), no_vertex);
}

}  // namespace

RightAnswer make_right_answer(const Graph& graph, const reference::Adjacency& adjacency, GlobalVertex root,
                              Random& random) {
  RightAnswer right{
      graph, adjacency, root, right_answer(adjacency, root, random), reference::bfs(adjacency, root).levels,
      root,  {}};
  right.other_root = *find_vertex(right, random, [&](GlobalVertex v) { return is_reached(right, v); });
  right.other_parents = right_answer(adjacency, right.other_root, random);
  return right;
}

const std::vector<Mutation>& mutations() {
  static const std::vector<Mutation> all = {
      {"a vertex is its own parent", BfsRule::tree, cycle_of_one},
      {"a cycle of two", BfsRule::tree, cycle_of_two},
      {"a cycle of three", BfsRule::tree, cycle_of_three},
      {"the longest cycle", BfsRule::tree, longest_cycle},
      {"the root's parent is another vertex", BfsRule::parent_range, root_has_a_parent},
      {"the root has no parent", BfsRule::parent_range, root_is_unreached},
      {"a parent is no neighbour", BfsRule::tree_edges, parent_is_no_neighbour},
      {"a parent on the same level", BfsRule::edge_levels, parent_on_the_same_level},
      {"a parent two levels too deep", BfsRule::edge_levels, parent_two_levels_too_deep},
      {"a parent too high", BfsRule::tree_edges, parent_is_too_high},
      {"a reached vertex marked -1", BfsRule::spans_component, reached_leaf_is_unreached},
      {"a reached parent marked -1", BfsRule::tree_levels, reached_parent_is_unreached},
      {"an unreached vertex with a reached parent", BfsRule::tree_edges, unreached_gets_a_parent},
      {"an unreached vertex that is its own parent", BfsRule::tree, unreached_is_its_own_parent},
      {"an unreached vertex with an unreached parent", BfsRule::tree_levels, unreached_leads_nowhere},
      {"a component apart claimed in a circle", BfsRule::tree, component_apart_is_claimed},
      {"a parent of -2", BfsRule::parent_range, parent_is_minus_two},
      {"a parent of n", BfsRule::parent_range, parent_is_the_vertex_count},
      {"a parent of 2^32 + v", BfsRule::parent_range, parent_has_a_high_bit},
      {"a parent of 2^63 - 1", BfsRule::parent_range, parent_is_the_largest_number},
      {"a parent of -2^63", BfsRule::parent_range, parent_is_the_smallest_number},
      {"a subtree of another root", BfsRule::tree, subtree_of_another_root},
      {"the result of another root", BfsRule::parent_range, result_of_another_root},
      {"nothing is reached", BfsRule::parent_range, nothing_is_reached},
  };
  return all;
}

}  // namespace isobath::test
