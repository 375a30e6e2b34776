// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "bfs/constructed_graph.hpp"
#include "graph/sample_graphs.hpp"
#include "mpi_main.hpp"
#include "reference/adjacency.hpp"

namespace isobath::test {

/// A graph on a grid as the parts of a search see it, beside the same in original numbering.
struct GridGraph {
  GridGraph(const SampleGraph& sample, const PlanOptions& options)
      : adjacency(reference::adjacency(sample.num_vertices, sample.edges)),
        edges(share_of(sample, world().rank(), world().size())),
        built(edges, world(), options, nobody) {}
  GridGraph(const SampleGraph& sample, GridShape shape, Hypersparse hypersparse = Hypersparse::never)
      : GridGraph(sample, options_on(shape, hypersparse)) {}

  /// Leaves stay in.
  static PlanOptions options_on(GridShape shape, Hypersparse hypersparse = Hypersparse::never) {
    PlanOptions options{.shape = shape, .switches = default_switches("hybrid"), .hypersparse = hypersparse};
    options.switches.leaves_out = false;
    return options;
  }
  const Graph& graph() const { return built.graph; }
  std::uint32_t length_by_source(std::uint32_t col) const {
    return built.graph.with_rows_by_source([&](const auto& columns) { return columns.length(col); });
  }
  /// Original number of an own searched vertex.
  std::int64_t original(std::uint32_t working) const {
    return raw(built.graph.layout.blocks.to_global(built.graph.layout.rank,
                                                   built.graph.numbering.original[working]));
  }
  std::int64_t original_of_column(std::uint32_t col) const {
    return built.graph.layout.first_col_original() + built.graph.column_original[col];
  }
  /// Own searched vertices whose original number is chosen, by working number.
  template <class Chosen>
  std::vector<std::uint32_t> list(Chosen&& chosen) const {
    std::vector<std::uint32_t> vertices;
    for (std::uint32_t v = 0; v < built.graph.layout.own_searched(); ++v) {
      if (chosen(original(v))) vertices.push_back(v);
    }
    return vertices;
  }
  /// The same as bits, and one that is never set.
  template <class Chosen>
  std::vector<Word> words(Chosen&& chosen) const {
    std::vector<Word> bits(built.graph.layout.own_words() + piece_bits / word_bits, 0);
    for (const std::uint32_t v : list(chosen)) set_bit(bits, v);
    return bits;
  }
  template <class Chosen>
  bool has_neighbour(std::int64_t v, Chosen&& chosen) const {
    for (const GlobalVertex u : adjacency.neighbours[static_cast<std::size_t>(v)]) {
      if (chosen(raw(u))) return true;
    }
    return false;
  }
  /// Whether an own vertex keeps a hub that is chosen: its owner finds it by that.
  template <class Chosen>
  bool keeps(std::uint32_t working, Chosen&& chosen) const {
    const Hubs& hubs = built.graph.hubs;
    if (hubs.empty()) return false;
    return std::ranges::any_of(hubs.kept, [&](const auto& hub) {
      return hub[working] != hubs.missing() && chosen(hubs.original[hub[working]]);
    });
  }
  /// Whether an own vertex is of a family of hubs whose head, the first hub that it keeps, is chosen.
  template <class Chosen>
  bool follows(std::uint32_t working, Chosen&& chosen) const {
    const Hubs& hubs = built.graph.hubs;
    if (working < hubs.families.first_row() || working >= hubs.families.end_row()) return false;
    return chosen(hubs.original[hubs.kept[0][working]]);
  }
  /// How many own vertices do, of those that are `among`.
  template <class Chosen, class Among>
  std::int64_t followers_of(Chosen&& chosen, Among&& among) const {
    const auto among_them = list(among);
    return std::ranges::count_if(among_them, [&](std::uint32_t t) { return follows(t, chosen); });
  }
  bool are_neighbours(std::int64_t v, std::int64_t u) const {
    return has_neighbour(v, [&](std::int64_t other) { return other == u; });
  }

  reference::Adjacency adjacency;
  SpanEdgeStream edges;
  PhaseObserver nobody;
  ConstructedGraph built;
};

/// Vertices drawn by their original number, the same on every rank: `share` of 64.
struct Drawn {
  std::uint64_t seed;
  std::uint64_t share;
  bool operator()(std::int64_t v) const {
    const std::uint64_t mixed = (static_cast<std::uint64_t>(v) + seed) * 0x9E3779B97F4A7C15ULL;
    return (mixed >> 58) < share;
  }
};

}  // namespace isobath::test
