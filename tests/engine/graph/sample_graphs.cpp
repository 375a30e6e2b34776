// SPDX-License-Identifier: Apache-2.0
#include "graph/sample_graphs.hpp"

#include <algorithm>
#include <random>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "partition/block_partition.hpp"
#include "reference/kronecker.hpp"

namespace isobath::test {
namespace {

Edge edge(std::int64_t u, std::int64_t v) { return {GlobalVertex{u}, GlobalVertex{v}}; }

/// A bijection on 0 .. n-1 that scatters neighbouring numbers.
std::int64_t scattered(std::int64_t v, std::int64_t n) {
  if (n < 4) return v;
  std::int64_t factor = (n * 5 / 8) | 1;
  const auto divides = [](std::int64_t a, std::int64_t b) {
    while (b != 0) a = std::exchange(b, a % b);
    return a > 1;
  };
  while (divides(factor, n)) factor += 2;
  return (v * factor + n / 3) % n;
}

SampleGraph scattered(SampleGraph graph) {
  for (auto& [u, v] : graph.edges) {
    u = GlobalVertex{scattered(raw(u), graph.num_vertices)};
    v = GlobalVertex{scattered(raw(v), graph.num_vertices)};
  }
  graph.name += ", scattered";
  return graph;
}

void add_path(SampleGraph& graph, std::int64_t first, std::int64_t vertices) {
  for (std::int64_t v = first; v + 1 < first + vertices; ++v) graph.edges.push_back(edge(v, v + 1));
}

void add_star(SampleGraph& graph, std::int64_t centre, std::int64_t first, std::int64_t leaves) {
  for (std::int64_t v = first; v < first + leaves; ++v) graph.edges.push_back(edge(centre, v));
}

SampleGraph path(std::int64_t vertices) {
  SampleGraph graph{fmt::format("path of {}", vertices), vertices, {}};
  add_path(graph, 0, vertices);
  return graph;
}

SampleGraph star(std::int64_t leaves) {
  SampleGraph graph{fmt::format("star of {}", leaves), leaves + 1, {}};
  add_star(graph, leaves / 2, 0, leaves / 2);
  add_star(graph, leaves / 2, leaves / 2 + 1, leaves - leaves / 2);
  return graph;
}

SampleGraph complete(std::int64_t vertices) {
  SampleGraph graph{fmt::format("complete graph of {}", vertices), vertices, {}};
  for (std::int64_t v = 0; v < vertices; ++v) {
    for (std::int64_t u = 0; u < v; ++u) graph.edges.push_back(edge(v, u));
  }
  return graph;
}

SampleGraph bipartite(std::int64_t few, std::int64_t many) {
  SampleGraph graph{fmt::format("complete bipartite graph of {} and {}", few, many), few + many, {}};
  for (std::int64_t v = 0; v < many; ++v) {
    for (std::int64_t u = 0; u < few; ++u) graph.edges.push_back(edge(few + v, u));
  }
  return graph;
}

SampleGraph caterpillar(std::int64_t spine, std::int64_t legs) {
  SampleGraph graph{fmt::format("caterpillar of {} with {} legs each", spine, legs), spine * (legs + 1), {}};
  add_path(graph, 0, spine);
  for (std::int64_t v = 0; v < spine; ++v) add_star(graph, v, spine + v * legs, legs);
  return graph;
}

SampleGraph many_paths(std::int64_t paths, std::int64_t length) {
  SampleGraph graph{fmt::format("{} paths of {}", paths, length), paths * length, {}};
  for (std::int64_t p = 0; p < paths; ++p) add_path(graph, p * length, length);
  return graph;
}

SampleGraph hub_outside_the_largest_component() {
  SampleGraph graph{"a star of 60 beside a path of 90", 151, {}};
  add_path(graph, 0, 90);
  add_star(graph, 90, 91, 60);
  return graph;
}

/// Duplicates make the triangle a hub and the pair the vertices of highest degree; the ring is larger than
/// both.
SampleGraph heavy_duplicates() {
  SampleGraph graph{"heavy duplicates in a pair and a triangle beside a ring of 60", 65, {}};
  for (int i = 0; i < 2000; ++i) graph.edges.push_back(i % 2 == 0 ? edge(60, 61) : edge(61, 60));
  for (int i = 0; i < 700; ++i) {
    graph.edges.insert(graph.edges.end(), {edge(62, 63), edge(64, 63), edge(62, 64)});
  }
  add_path(graph, 0, 60);
  graph.edges.push_back(edge(59, 0));
  return graph;
}

SampleGraph looped_pairs() {
  SampleGraph graph{"pairs and a triangle, with self-loops everywhere", 23, {}};
  for (std::int64_t v = 0; v + 1 < 16; v += 2) graph.edges.push_back(edge(v + 1, v));
  graph.edges.insert(graph.edges.end(), {edge(17, 18), edge(18, 19), edge(19, 17)});
  for (std::int64_t v = 0; v < 23; v += 3) graph.edges.insert(graph.edges.end(), {edge(v, v), edge(v, v)});
  for (std::int64_t v = 17; v < 20; ++v) graph.edges.push_back(edge(v, v));
  return graph;
}

SampleGraph two_hubs() {
  SampleGraph graph{"two hubs joined, all else leaves", 2600, {}};
  add_star(graph, 7, 100, 1200);
  add_star(graph, 2599, 1300, 1100);
  graph.edges.push_back(edge(7, 2599));
  return graph;
}

}  // namespace

SampleGraph hub_in_every_block() {
  SampleGraph graph{"a hub after every fiftieth vertex", 607, {}};
  add_path(graph, 0, graph.num_vertices);
  for (std::int64_t hub = 25; hub < graph.num_vertices; hub += 50) {
    for (std::int64_t v = hub % 7; v < graph.num_vertices; v += 7) graph.edges.push_back(edge(hub, v));
  }
  return graph;
}

SampleGraph lattice(std::int64_t rows, std::int64_t cols) {
  SampleGraph graph{fmt::format("lattice of {} x {}", rows, cols), rows * cols, {}};
  for (std::int64_t v = 0; v < rows * cols; ++v) {
    if (v % cols + 1 < cols) graph.edges.push_back(edge(v, v + 1));
    if (v + cols < rows * cols) graph.edges.push_back(edge(v + cols, v));
  }
  return scattered(std::move(graph));
}

std::vector<SampleGraph> odd_graphs() {
  std::vector<SampleGraph> graphs = {
      {"one vertex, no edge", 1, {}},
      {"one vertex, a self-loop", 1, {edge(0, 0)}},
      {"seven vertices, no edge", 7, {}},
      {"only self-loops", 5, {edge(0, 0), edge(3, 3), edge(3, 3), edge(4, 4)}},
      {"a pair and nothing else", 2, {edge(1, 0)}},
      {"a pair among isolated vertices, three times", 9, {edge(8, 2), edge(2, 8), edge(8, 2)}},
      {"one edge a hundred times", 4, std::vector<Edge>(100, edge(1, 3))},
      {"a triangle: fewer vertices than ranks", 3, {edge(0, 1), edge(1, 2), edge(2, 0)}},
      path(3),
      path(4),
      scattered(path(5)),
      scattered(path(130)),
      star(10),
      scattered(star(3000)),
      complete(4),
      scattered(complete(41)),
      scattered(bipartite(5, 700)),
      scattered(bipartite(90, 120)),
      scattered(caterpillar(20, 3)),
      caterpillar(3, 1),
      lattice(9, 15),
      scattered(many_paths(12, 2)),
      many_paths(4, 3),
      scattered(many_paths(7, 9)),
      hub_outside_the_largest_component(),
      scattered(hub_outside_the_largest_component()),
      heavy_duplicates(),
      looped_pairs(),
      two_hubs(),
      hub_in_every_block(),
  };
  return graphs;
}

SampleGraph kronecker_graph(int scale, int edgefactor) {
  return {fmt::format("Kronecker, scale {}, edgefactor {}", scale, edgefactor), std::int64_t{1} << scale,
          reference::kronecker({.scale = scale, .edgefactor = edgefactor})};
}

SampleGraph random_multigraph(std::uint64_t seed, std::int64_t num_vertices, std::int64_t num_edges,
                              int hub_bits) {
  SampleGraph graph{
      fmt::format("random: seed {}, {} vertices, {} edges, hubs {}", seed, num_vertices, num_edges, hub_bits),
      num_vertices,
      {}};
  std::mt19937_64 draw(seed);
  const auto n = static_cast<std::uint64_t>(num_vertices);
  for (std::int64_t k = 0; k < num_edges; ++k) {
    const std::uint64_t few =
        hub_bits == 0 ? n : std::min(n, std::uint64_t{1} << (draw() % static_cast<unsigned>(2 * hub_bits)));
    const auto u = static_cast<std::int64_t>(draw() % few);
    const auto v = static_cast<std::int64_t>(draw() % n);
    graph.edges.push_back(edge(scattered(u, num_vertices), scattered(v, num_vertices)));
  }
  return graph;
}

SampleGraph hubs_in_front(std::int64_t num_vertices) {
  SampleGraph graph{fmt::format("hubs in front of {} vertices", num_vertices), num_vertices, {}};
  constexpr std::int64_t hubs = 3;
  constexpr std::int64_t one_in = 5;
  for (std::int64_t v = hubs; v < num_vertices; ++v) graph.edges.push_back(edge(v, v % hubs));
  add_path(graph, hubs, num_vertices - hubs);
  std::set<std::int64_t> first_of_block;
  for (const int ranks : {2, 3, 4, 6}) {
    for (int rank = 1; rank < ranks; ++rank)
      first_of_block.insert(BlockPartition(num_vertices, ranks).first(rank));
  }
  for (const std::int64_t first : first_of_block) {
    for (std::int64_t v = hubs + first % one_in; v < num_vertices; v += one_in)
      graph.edges.push_back(edge(first, v));
  }
  return graph;
}

SampleGraph joined_to_the_front(std::int64_t num_vertices) {
  SampleGraph graph{fmt::format("{} vertices joined to the front", num_vertices), num_vertices, {}};
  constexpr std::int64_t front = 3;
  for (std::int64_t v = 0; v < front; ++v) graph.edges.push_back(edge(v, (v + 1) % front));
  for (std::int64_t v = front; v < num_vertices; ++v) {
    graph.edges.insert(graph.edges.end(), {edge(v, v % front), edge((v + 1) % front, v)});
    if (v % 8 == 0 && v + 1 < num_vertices) graph.edges.push_back(edge(v, v + 1));
  }
  return graph;
}

SampleGraph two_halves(std::int64_t num_vertices) {
  SampleGraph graph{fmt::format("two halves of {} vertices", num_vertices), num_vertices, {}};
  const std::int64_t middle = num_vertices / 2;
  add_star(graph, 0, 1, middle - 1);
  add_path(graph, 1, middle - 1);
  add_star(graph, num_vertices - 1, middle, num_vertices - 1 - middle);
  add_path(graph, middle, num_vertices - 1 - middle);
  return graph;
}

SampleGraph crowded_corner(std::int64_t num_vertices) {
  SampleGraph graph{fmt::format("the first half of {} vertices around four", num_vertices), num_vertices, {}};
  constexpr std::int64_t hubs = 4;
  for (std::int64_t hub = 0; hub < hubs; ++hub) add_star(graph, hub, hub + 1, num_vertices / 2 - hub);
  graph.edges.push_back(edge(num_vertices - 1, 0));
  graph.edges.push_back(edge(num_vertices - 2, num_vertices - 2));
  return graph;
}

SampleGraph stars_in_front(std::int64_t num_vertices) {
  SampleGraph graph{fmt::format("stars in the first twelfth of {} vertices", num_vertices), num_vertices, {}};
  constexpr std::int64_t stars = 5;
  const std::int64_t of_star = num_vertices / 12 / stars;
  for (std::int64_t star = 0; star < stars; ++star) {
    const std::int64_t first = star * of_star;
    add_star(graph, first, first + 1, of_star - 1);
    for (std::int64_t v = first + 1; v + 1 < first + of_star; ++v) graph.edges.push_back(edge(v, v + 1));
    if (star > 0) graph.edges.push_back(edge(first, first - of_star));
  }
  return graph;
}

SampleGraph hubs_by_copies(std::int64_t followers) {
  constexpr std::int64_t hubs = 16;
  constexpr int copies = 600;
  SampleGraph graph{fmt::format("hubs of {} followers", followers), hubs * (followers + 1), {}};
  for (std::int64_t hub = 0; hub < hubs; ++hub) {
    for (int copy = 0; copy < copies; ++copy) graph.edges.push_back(edge(hub, (hub + 1) % hubs));
  }
  for (std::int64_t v = hubs; v < graph.num_vertices; ++v) graph.edges.push_back(edge(v % hubs, v));
  add_path(graph, hubs, graph.num_vertices - hubs);
  return graph;
}

std::vector<SampleGraph> graphs_of_few_hubs() {
  return {hubs_in_front(4001), scattered(hubs_in_front(4001)), two_halves(2600), hubs_by_copies(96),
          random_multigraph(5, 15000, 60000, 5)};
}

SampleGraph archipelago(std::uint64_t seed, std::int64_t num_vertices) {
  SampleGraph graph{fmt::format("archipelago: seed {}, {} vertices", seed, num_vertices), num_vertices, {}};
  std::mt19937_64 generator(seed);
  const auto draw = [&](std::int64_t below) {
    return static_cast<std::int64_t>(generator() % static_cast<std::uint64_t>(below));
  };
  const std::int64_t mainland = num_vertices / 3;
  for (std::int64_t k = 0; k < 3 * mainland; ++k) {
    const std::int64_t u = draw(mainland);
    graph.edges.push_back(edge(u, draw(mainland)));
  }
  for (std::int64_t first = mainland; first < num_vertices;) {
    const std::int64_t size = std::min(1 + draw(12), num_vertices - first);
    for (std::int64_t v = first + 1; v < first + size; ++v) {  // a random tree, then some more edges
      graph.edges.push_back(edge(v, first + draw(v - first)));
    }
    for (std::int64_t k = 0; k < size / 3; ++k) {
      const std::int64_t u = first + draw(size);
      graph.edges.push_back(edge(u, first + draw(size)));
    }
    first += size;
  }
  return scattered(std::move(graph));
}

SampleGraph listed_once(SampleGraph graph) {
  for (auto& [u, v] : graph.edges) {
    if (raw(v) < raw(u)) std::swap(u, v);
  }
  const auto ends = [](const Edge& edge) { return std::pair(raw(edge.u), raw(edge.v)); };
  std::ranges::sort(graph.edges, {}, ends);
  const auto again = std::ranges::unique(graph.edges, {}, ends);
  graph.edges.erase(again.begin(), again.end());
  std::erase_if(graph.edges, [](const Edge& edge) { return edge.u == edge.v; });
  graph.name += ", listed once";
  return graph;
}

SampleGraph with_copies(const SampleGraph& graph, int copies) {
  SampleGraph result{fmt::format("{}, each edge {} times", graph.name, copies), graph.num_vertices, {}};
  for (int copy = 0; copy < copies; ++copy) {
    for (const auto& [u, v] : graph.edges) result.edges.push_back(copy % 2 == 0 ? Edge{u, v} : Edge{v, u});
  }
  return result;
}

}  // namespace isobath::test
