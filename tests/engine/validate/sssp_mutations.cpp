// SPDX-License-Identifier: Apache-2.0
#include "sssp_mutations.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

namespace isobath::test {
namespace {

using WrongPaths = std::optional<PathAnswer>;
using Vertex = std::optional<GlobalVertex>;
constexpr float never = std::numeric_limits<float>::infinity();

float distance(const RightPathAnswer& right, GlobalVertex v) { return right.answer.distances[at(v)]; }
GlobalVertex parent(const RightPathAnswer& right, GlobalVertex v) { return right.answer.parents[at(v)]; }
bool is_reached(const RightPathAnswer& right, GlobalVertex v) { return parent(right, v) != no_vertex; }
bool is_child(const RightPathAnswer& right, GlobalVertex v) {
  return is_reached(right, v) && v != right.root;
}
bool has_child(const RightPathAnswer& right, GlobalVertex v) {
  const Parents& parents = right.answer.parents;
  for (std::size_t child = 0; child < parents.size(); ++child) {
    if (parents[child] == v && child != at(v)) return true;
  }
  return false;
}
bool is_leaf(const RightPathAnswer& right, GlobalVertex v) {
  return is_child(right, v) && !has_child(right, v);
}

/// A vertex, beginning anywhere, that satisfies `wanted`.
Vertex find_vertex(const RightPathAnswer& right, Random& random,
                   const std::function<bool(GlobalVertex)>& wanted) {
  const auto size = static_cast<std::int64_t>(right.answer.parents.size());
  const std::int64_t begin = draw(random, size);
  for (std::int64_t step = 0; step < size; ++step) {
    const GlobalVertex v{(begin + step) % size};
    if (wanted(v)) return v;
  }
  return {};
}
Vertex find_child(const RightPathAnswer& right, Random& random) {
  return find_vertex(right, random, [&](GlobalVertex v) { return is_child(right, v); });
}
Vertex find_leaf(const RightPathAnswer& right, Random& random) {
  return find_vertex(right, random, [&](GlobalVertex v) { return is_leaf(right, v); });
}
Vertex find_unreached(const RightPathAnswer& right, Random& random) {
  return find_vertex(right, random, [&](GlobalVertex v) { return !is_reached(right, v); });
}

WrongPaths with(const RightPathAnswer& right, Vertex v, Vertex parent_of_v,
                std::optional<float> distance_of_v) {
  if (!v || !parent_of_v || !distance_of_v) return {};
  PathAnswer wrong = right.answer;
  wrong.parents[at(*v)] = *parent_of_v;
  wrong.distances[at(*v)] = *distance_of_v;
  return wrong;
}
WrongPaths with_parent(const RightPathAnswer& right, Vertex v, Vertex parent_of_v) {
  if (!v) return {};
  return with(right, v, parent_of_v, distance(right, *v));
}
WrongPaths with_distance(const RightPathAnswer& right, Vertex v, float distance_of_v) {
  if (!v) return {};
  return with(right, v, parent(right, *v), distance_of_v);
}

// Parents.

WrongPaths cycle_of_one(const RightPathAnswer& right, Random& random) {
  const Vertex v = find_child(right, random);
  return with_parent(right, v, v);
}
WrongPaths longest_cycle(const RightPathAnswer& right, Random& random) {
  const Vertex v = find_leaf(right, random);
  if (!v) return {};
  GlobalVertex top = *v;
  while (parent(right, top) != right.root) top = parent(right, top);
  if (top == *v) return {};
  return with_parent(right, top, v);
}
/// Two vertices at one distance, joined by an edge of weight 0: each gives the other its distance exactly.
WrongPaths cycle_that_adds_nothing(const RightPathAnswer& right, Random& random) {
  const auto partner = [&](GlobalVertex v) -> Vertex {
    for (const auto& [neighbour, weight] : right.adjacency[at(v)]) {
      const bool adds_nothing = distance(right, v) + weight == distance(right, neighbour) &&
                                distance(right, neighbour) + weight == distance(right, v);
      if (adds_nothing && neighbour != right.root && v != right.root) return neighbour;
    }
    return {};
  };
  const Vertex v =
      find_vertex(right, random, [&](GlobalVertex u) { return is_child(right, u) && partner(u); });
  if (!v) return {};
  WrongPaths wrong = with_parent(right, v, partner(*v));
  wrong->parents[at(*partner(*v))] = *v;
  return wrong;
}
/// The hole of the reference's validator: a component apart, all of it claimed, its parents in a circle, at
/// a distance to which no weight adds anything.
WrongPaths component_apart_is_claimed(const RightPathAnswer& right, Random& random) {
  const Vertex v = find_vertex(right, random, [&](GlobalVertex u) {
    return !is_reached(right, u) && !right.adjacency[at(u)].empty();
  });
  if (!v) return {};
  const reference::ShortestPathTree tree = reference::dijkstra(right.adjacency, *v);
  PathAnswer wrong = right.answer;
  for (std::size_t u = 0; u < tree.parents.size(); ++u) {
    if (tree.parents[u] == no_vertex) continue;
    wrong.parents[u] = tree.parents[u];
    wrong.distances[u] = std::numeric_limits<float>::max();
  }
  wrong.parents[at(*v)] = right.adjacency[at(*v)].front().target;
  return wrong;
}
WrongPaths root_has_a_parent(const RightPathAnswer& right, Random& random) {
  return with_parent(right, right.root, find_child(right, random));
}
WrongPaths root_is_unreached(const RightPathAnswer& right, Random&) {
  return with(right, right.root, no_vertex, never);
}
WrongPaths parent_is_no_neighbour(const RightPathAnswer& right, Random& random) {
  const Vertex v = find_leaf(right, random);
  if (!v) return {};
  return with_parent(right, v, find_vertex(right, random, [&](GlobalVertex w) {
                       const auto& row = right.adjacency[at(*v)];
                       return is_reached(right, w) && w != *v &&
                              std::none_of(row.begin(), row.end(), [&](const reference::WeightedArc& arc) {
                                return arc.target == w;
                              });
                     }));
}
/// A neighbour that gives another distance. `keeps_distance`: the distance stays; else it is that longer one.
WrongPaths through_another_neighbour(const RightPathAnswer& right, Random& random, bool keeps_distance) {
  for (int trial = 0; trial < 50; ++trial) {
    const Vertex v = find_leaf(right, random);
    if (!v) return {};
    for (const auto& [neighbour, weight] : right.adjacency[at(*v)]) {
      const float longer = distance(right, neighbour) + weight;
      if (longer > distance(right, *v))
        return with(right, v, neighbour, keeps_distance ? distance(right, *v) : longer);
    }
  }
  return {};
}
WrongPaths neighbour_gives_another_distance(const RightPathAnswer& right, Random& random) {
  return through_another_neighbour(right, random, true);
}
WrongPaths longer_path(const RightPathAnswer& right, Random& random) {
  return through_another_neighbour(right, random, false);
}
WrongPaths heavier_copy(const RightPathAnswer& right, Random&) {
  const WeightedGraph& graph = right.graph;
  for (std::size_t i = 0; i < graph.weights.size(); ++i) {
    for (auto [u, v] : {graph.graph.edges[i], Edge{graph.graph.edges[i].v, graph.graph.edges[i].u}}) {
      if (u == v || !is_leaf(right, v) || parent(right, v) != u) continue;
      const float longer = distance(right, u) + graph.weights[i];
      if (longer > distance(right, v)) return with_distance(right, v, longer);
    }
  }
  return {};
}
WrongPaths leaf_is_unreached(const RightPathAnswer& right, Random& random) {
  return with(right, find_leaf(right, random), no_vertex, never);
}
WrongPaths inner_vertex_is_unreached(const RightPathAnswer& right, Random& random) {
  return with(
      right,
      find_vertex(right, random, [&](GlobalVertex v) { return is_child(right, v) && has_child(right, v); }),
      no_vertex, never);
}
WrongPaths unreached_gets_a_parent(const RightPathAnswer& right, Random& random) {
  return with(right, find_unreached(right, random),
              find_vertex(right, random, [&](GlobalVertex u) { return is_reached(right, u); }), 0.5F);
}
WrongPaths unreached_leads_nowhere(const RightPathAnswer& right, Random& random) {
  const Vertex v = find_unreached(right, random);
  return with(right, v,
              find_vertex(right, random, [&](GlobalVertex u) { return !is_reached(right, u) && u != *v; }),
              0.5F);
}
WrongPaths set_any_parent(const RightPathAnswer& right, Random& random, std::int64_t wrong) {
  return with_parent(right, find_vertex(right, random, [](GlobalVertex) { return true; }),
                     GlobalVertex{wrong});
}
WrongPaths parent_is_minus_two(const RightPathAnswer& right, Random& random) {
  return set_any_parent(right, random, -2);
}
WrongPaths parent_is_the_vertex_count(const RightPathAnswer& right, Random& random) {
  return set_any_parent(right, random, right.graph.graph.num_vertices);
}
WrongPaths parent_is_the_largest_number(const RightPathAnswer& right, Random& random) {
  return set_any_parent(right, random, std::numeric_limits<std::int64_t>::max());
}

// Distances.

WrongPaths one_step_farther(const RightPathAnswer& right, Random& random) {
  const Vertex v = find_leaf(right, random);
  return v ? with_distance(right, v, std::nextafter(distance(right, *v), never)) : WrongPaths{};
}
WrongPaths one_step_nearer(const RightPathAnswer& right, Random& random) {
  const Vertex v = find_vertex(right, random,
                               [&](GlobalVertex u) { return is_child(right, u) && distance(right, u) > 0; });
  return v ? with_distance(right, v, std::nextafter(distance(right, *v), 0.0F)) : WrongPaths{};
}
WrongPaths no_number(const RightPathAnswer& right, Random& random) {
  return with_distance(right, find_child(right, random), std::numeric_limits<float>::quiet_NaN());
}
WrongPaths negative_distance(const RightPathAnswer& right, Random& random) {
  return with_distance(right, find_child(right, random), -0.25F);
}
WrongPaths parent_without_a_distance(const RightPathAnswer& right, Random& random) {
  return with_distance(right, find_child(right, random), never);
}
WrongPaths distance_without_a_parent(const RightPathAnswer& right, Random& random) {
  return with_distance(right, find_unreached(right, random), 0.5F);
}
/// The reference writes -1 where a vertex is not reached.
WrongPaths unreached_at_minus_one(const RightPathAnswer& right, Random& random) {
  return with_distance(right, find_unreached(right, random), -1);
}
WrongPaths root_is_not_at_zero(const RightPathAnswer& right, Random&) {
  return with_distance(right, right.root, std::numeric_limits<float>::denorm_min());
}
WrongPaths all_are_moved(const RightPathAnswer& right, Random&) {
  PathAnswer wrong = right.answer;
  for (float& moved : wrong.distances) moved += 1;
  return wrong;
}
/// Sums that are rounded only once. Below a vertex where the roundings differ, parents no longer fit.
WrongPaths sums_in_double_precision(const RightPathAnswer& right, Random&) {
  PathAnswer wrong = right.answer;
  std::vector<double> sums(wrong.parents.size());
  std::vector<std::size_t> order;
  for (std::size_t v = 0; v < wrong.parents.size(); ++v) {
    if (is_child(right, GlobalVertex{static_cast<std::int64_t>(v)})) order.push_back(v);
  }
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return wrong.distances[a] < wrong.distances[b]; });
  for (const std::size_t v : order) {
    const std::size_t p = at(right.answer.parents[v]);
    for (const auto& [neighbour, weight] : right.adjacency[v]) {
      if (at(neighbour) == p) sums[v] = sums[p] + double{weight};
    }
    wrong.distances[v] = static_cast<float>(sums[v]);
  }
  return wrong;
}
WrongPaths result_of_another_root(const RightPathAnswer& right, Random&) {
  if (right.other_root == right.root) return {};
  return right.other_answer;
}
WrongPaths nothing_is_reached(const RightPathAnswer& right, Random&) {
  const std::size_t size = right.answer.parents.size();
  return PathAnswer{Parents(size, no_vertex), Distances(size, never)};
}

}  // namespace

RightPathAnswer make_right_path_answer(const WeightedGraph& graph,
                                       const reference::WeightedAdjacency& adjacency, GlobalVertex root,
                                       Random& random) {
  RightPathAnswer right{graph, adjacency, root, right_path_answer(adjacency, root, random), root, {}};
  right.other_root = *find_vertex(right, random, [&](GlobalVertex v) { return is_reached(right, v); });
  right.other_answer = right_path_answer(adjacency, right.other_root, random);
  return right;
}

const std::vector<PathMutation>& path_mutations() {
  using enum SsspRule;
  static const std::vector<PathMutation> all = {
      {"a vertex is its own parent", tree, cycle_of_one},
      {"the longest cycle", tree, longest_cycle},
      {"a cycle of weights that add nothing", tree, cycle_that_adds_nothing},
      {"a component apart claimed in a circle", tree, component_apart_is_claimed},
      {"the root's parent is another vertex", parent_range, root_has_a_parent},
      {"the root is not reached", parent_range, root_is_unreached},
      {"a parent is no neighbour", tree_edges, parent_is_no_neighbour},
      {"a parent that gives another distance", tree_edges, neighbour_gives_another_distance},
      {"a longer path", edge_distances, longer_path},
      {"the heavier of two edges", edge_distances, heavier_copy},
      {"a reached vertex marked unreached", spans_component, leaf_is_unreached},
      {"a reached parent marked unreached", leads_to_root, inner_vertex_is_unreached},
      {"an unreached vertex with a reached parent", tree_edges, unreached_gets_a_parent},
      {"an unreached vertex with an unreached parent", leads_to_root, unreached_leads_nowhere},
      {"a parent of -2", parent_range, parent_is_minus_two},
      {"a parent of n", parent_range, parent_is_the_vertex_count},
      {"a parent of 2^63 - 1", parent_range, parent_is_the_largest_number},
      {"a distance one step too long", tree_edges, one_step_farther},
      {"a distance one step too short", tree_edges, one_step_nearer},
      {"a distance that is no number", distance_range, no_number},
      {"a negative distance", distance_range, negative_distance},
      {"a parent, but no distance", distance_range, parent_without_a_distance},
      {"a distance, but no parent", distance_range, distance_without_a_parent},
      {"a distance of -1 for an unreached vertex", distance_range, unreached_at_minus_one},
      {"a root that is not at 0", distance_range, root_is_not_at_zero},
      {"all distances moved", distance_range, all_are_moved},
      {"sums in double precision", tree_edges, sums_in_double_precision},
      {"the result of another root", parent_range, result_of_another_root},
      {"nothing is reached", parent_range, nothing_is_reached},
  };
  return all;
}

}  // namespace isobath::test
