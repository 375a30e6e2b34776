// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/vertex.hpp"
#include "partition/edge_stream.hpp"

namespace isobath::test {

/// A small graph with a name that failures print.
struct SampleGraph {
  std::string name;
  std::int64_t num_vertices = 0;
  std::vector<Edge> edges;
};

/// Graphs whose answers can be worked out by hand, one oddity each.
std::vector<SampleGraph> odd_graphs();

/// Twelve vertices of high degree so far apart that up to six ranks have one in each block.
SampleGraph hub_in_every_block();

/// Every vertex joined to its neighbours in a rectangle: many levels.
SampleGraph lattice(std::int64_t rows, std::int64_t cols);

/// The graph of the benchmark, by the slow twin of the generator.
SampleGraph kronecker_graph(int scale, int edgefactor);

/// `num_edges` edges with raw draws as ends, so duplicates and self-loops occur. With `hub_bits` > 0 the
/// first ends are drawn from few vertices: the largest degree is about num_edges >> hub_bits.
SampleGraph random_multigraph(std::uint64_t seed, std::int64_t num_vertices, std::int64_t num_edges,
                              int hub_bits = 0);

/// Three heavy vertices in front, every other one joined to one of them and to a path: of several ranks most
/// have none. The first vertex of every block has nearly as many neighbours, which are to come behind.
SampleGraph hubs_in_front(std::int64_t num_vertices);
/// Three vertices in front are joined to each other and, two of them, to each other vertex; one in eight of
/// these has an edge to the next, too. Of several grid columns the first has an arc to every row, of several
/// grid rows the first one from every column; in the others most have none.
SampleGraph joined_to_the_front(std::int64_t num_vertices);
/// The first and the last vertex have each one half of the others, and these their neighbour on a path: two
/// components, a hub on either end.
SampleGraph two_halves(std::int64_t num_vertices);

/// Four vertices in front are joined to all of the first half; the others have no edge but one, at the end.
/// On several grid rows and columns ranks in one corner have arcs at most of their vertices, others at few.
SampleGraph crowded_corner(std::int64_t num_vertices);

/// Sixteen heavy vertices in front, so by copies of the edges between them; all others follow one of them:
/// few on each of several ranks, which have no heavy vertex but the first.
SampleGraph hubs_by_copies(std::int64_t followers);

/// Graphs of few heavy vertices: where they stand together, at either end, and anywhere.
std::vector<SampleGraph> graphs_of_few_hubs();

/// Many small components beside a large one, scattered over the vertices.
SampleGraph archipelago(std::uint64_t seed, std::int64_t num_vertices);

/// A graph in front of so many vertices that all others have no edge: of several ranks the last have nothing
/// to search. Its hubs are far apart: stars on a path, each reached before the next.
SampleGraph stars_in_front(std::int64_t num_vertices);

/// The same graph, each pair of neighbours listed once, and no self-loops.
SampleGraph listed_once(SampleGraph graph);

/// The same list with so many copies of every edge, every other one from the other end.
SampleGraph with_copies(const SampleGraph& graph, int copies);

/// Edges that are a function of their index: long lists without memory.
class FormulaEdgeStream final : public EdgeStream {
 public:
  FormulaEdgeStream(std::int64_t num_vertices, std::int64_t first, std::int64_t end,
                    std::function<Edge(std::int64_t)> edge)
      : num_vertices_(num_vertices), first_(first), end_(end), edge_(std::move(edge)) {}
  std::int64_t size() const override { return end_ - first_; }
  std::int64_t num_vertices() const override { return num_vertices_; }
  void read(std::int64_t first, std::span<Edge> edges) const override {
    for (std::size_t i = 0; i < edges.size(); ++i)
      edges[i] = edge_(first_ + first + static_cast<std::int64_t>(i));
  }

 private:
  std::int64_t num_vertices_;
  std::int64_t first_;
  std::int64_t end_;
  std::function<Edge(std::int64_t)> edge_;
};

/// The share of the edges that `rank` of `ranks` contributes.
inline SpanEdgeStream share_of(const SampleGraph& graph, int rank, int ranks) {
  const auto [first, end] = edge_share(static_cast<std::int64_t>(graph.edges.size()), rank, ranks);
  return SpanEdgeStream(graph.num_vertices,
                        std::span<const Edge>(graph.edges)
                            .subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(end - first)));
}

}  // namespace isobath::test
