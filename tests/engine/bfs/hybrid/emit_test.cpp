// SPDX-License-Identifier: Apache-2.0
// Emit: parents of the queue search, given to it as a search leaves them, come out in original numbering;
// merged, as likely parents put right, or one by one.
#include "bfs/hybrid/emit.hpp"

#include <array>
#include <map>
#include <optional>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "all_shapes.hpp"
#include "bfs/hybrid/expand.hpp"
#include "bfs/oracle.hpp"
#include "mpi_main.hpp"

namespace isobath {
namespace {

using test::Oracle;

/// A tree as a search leaves it, of the own searched vertices.
struct Tree {
  Tree(const ConstructedGraph& built, const reference::BfsTree& tree)
      : visited(built.graph.layout.own_words() + piece_bits / word_bits, 0),
        by_first_neighbour(visited.size(), 0),
        parent_col(visited.size() * word_bits, 0),
        parent(visited.size() * word_bits, 0) {
    const Graph& graph = built.graph;
    std::map<std::int64_t, std::uint32_t> column_of;
    for (std::uint32_t col = 0; col < graph.layout.num_cols(); ++col) {
      column_of[graph.layout.first_col_original() + graph.column_original[col]] = col;
    }
    for (std::uint32_t t = 0; t < graph.layout.own_searched(); ++t) {
      const GlobalVertex v = graph.layout.blocks.to_global(graph.layout.rank, graph.numbering.original[t]);
      parent[t] = raw(tree.parents[static_cast<std::size_t>(raw(v))]);
      if (parent[t] < 0) continue;
      set_bit(visited, t);
      listed.push_back(t);
      if (first_of(built, t) == parent[t]) {  // a bit, and no parent
        set_bit(by_first_neighbour, t);
        ++by_first;
        parent_col[t] = graph.layout.missing_col();
        parent[t] = raw(no_vertex);
      } else if (const auto col = column_of.find(parent[t]); col != column_of.end()) {
        parent_col[t] = col->second;
      }
    }
  }

  /// The vertex that a bit alone stands for: the first neighbour, on several columns the first kept hub.
  static std::int64_t first_of(const ConstructedGraph& built, std::uint32_t t) {
    const Graph& graph = built.graph;
    if (graph.layout.rows_are_complete()) {
      return graph.layout.first_col_original() + graph.column_original[graph.by_target.of(t)[0]];
    }
    if (graph.hubs.empty() || graph.hubs.kept[0][t] == graph.hubs.missing()) return raw(no_vertex);
    return graph.hubs.original[graph.hubs.kept[0][t]];
  }

  std::vector<Word> visited;
  std::vector<Word> by_first_neighbour;
  std::vector<std::uint32_t> parent_col;
  std::vector<std::int64_t> parent;
  std::vector<std::uint32_t> listed;
  std::int64_t by_first = 0;  // bits of by_first_neighbour
};

std::vector<GlobalVertex> own_part(const ConstructedGraph& built, const std::vector<GlobalVertex>& all) {
  const BlockPartition& blocks = built.graph.layout.blocks;
  const auto first = all.begin() + blocks.first(built.world.rank());
  return {first, first + blocks.size(built.world.rank())};
}

/// The hub of this original number that a vertex keeps behind its first, if there is one.
std::optional<std::uint32_t> kept_hub(const Hubs& hubs, std::uint32_t own, std::int64_t original) {
  for (std::size_t k = 1; k < num_kept_hubs; ++k) {
    const std::uint32_t hub = hubs.kept[k][own];
    if (hub != hubs.missing() && hubs.original[hub] == original) return hub;
  }
  return std::nullopt;
}

/// Parents that are not a first kept hub, as two threads may have found them: by hub where one is kept.
std::array<ListedParents, 2> in_two_lists(const Graph& graph, const Tree& tree) {
  std::array<ListedParents, 2> lists;
  std::size_t count = 0;
  for (const std::uint32_t own : tree.listed) {
    if (test_bit(tree.by_first_neighbour, own)) continue;
    const auto hub = kept_hub(graph.hubs, own, tree.parent[own]);
    lists[count++ % 3 == 0 ? 0U : 1U].add(hub ? FoundParent::by_hub(own, *hub)
                                              : FoundParent::by_original(own, tree.parent[own]));
  }
  return lists;
}

/// What is written of a tree, block by block or vertex by vertex.
std::vector<GlobalVertex> written(Emit& emit, const ConstructedGraph& built, const SearchStart& start,
                                  const Tree& tree, bool one_by_one) {
  const Graph& graph = built.graph;
  const auto listed = one_by_one ? std::optional<std::span<const std::uint32_t>>(tree.listed) : std::nullopt;
  std::span<const GlobalVertex> parents;
  if (graph.layout.rows_are_complete()) {
    Expand expand(graph, built.grid.col_comm, FrontierForm::bitmap);
    parents = emit.write(start,
                         FoundOneColumn{graph, tree.visited.data(), expand.visited(tree.visited),
                                        tree.by_first_neighbour.data(), tree.parent_col.data()},
                         listed);
  } else {
    const bool in_main = start.label == Components::main;
    const bool takes_lists = emit.takes_lists(start);  // then parents by vertex are not looked at
    const auto others = takes_lists ? in_two_lists(graph, tree) : std::array<ListedParents, 2>{};
    parents =
        emit.write(start,
                   FoundSeveralColumns{graph, tree.visited.data(), tree.by_first_neighbour.data(),
                                       takes_lists ? nullptr : tree.parent.data(),
                                       in_main ? built.components.leaves_in_main().data() : nullptr, others},
                   listed);
  }
  return {parents.begin(), parents.end()};
}

TEST(Emit, WritesEveryParentInOriginalNumbering) {
  const Communicator& world = test::world();
  for (const test::SampleGraph& sample : {test::archipelago(9, 1500), test::kronecker_graph(9, 4)}) {
    const Oracle oracle(sample);
    for (const GridShape shape : test::shapes_of(world.size())) {
      const SpanEdgeStream edges = test::share_of(sample, world.rank(), world.size());
      PhaseObserver nobody;
      ConstructedGraph built(
          edges, world,
          {.shape = shape, .switches = default_switches("hybrid"), .hypersparse = Hypersparse::never},
          nobody);
      std::vector<Word> in_main;
      built.label_components(nobody, [&](const Location& first) -> std::span<const Word> {
        const bool is_mine = first.owner == world.rank();
        const std::uint32_t original =
            is_mine ? built.graph.numbering.original[static_cast<std::size_t>(first.working)] : 0;
        const std::int64_t v =
            world.sum(is_mine ? raw(built.graph.layout.blocks.to_global(world.rank(), original)) : 0);
        in_main = Tree(built, reference::bfs(oracle.adjacency(), GlobalVertex{v})).visited;
        return in_main;
      });
      Emit plain(built);
      Emit likely(built);
      if (can_have_likely_parents(built.graph)) {
        EXPECT_GT(world.sum(likely.prepare_likely_parents(in_main)), 0) << shape.text();
      }
      std::int64_t by_first = 0;
      std::int64_t by_others = 0;
      for (const GlobalVertex root : oracle.roots(12)) {
        const SearchStart start = locate_start(built, root);
        const reference::BfsTree expected = reference::bfs(oracle.adjacency(), root);
        const Tree tree(built, expected);
        by_first += tree.by_first;
        by_others += std::ssize(tree.listed) - tree.by_first;
        const std::vector<GlobalVertex> own = own_part(built, expected.parents);
        const std::string where = fmt::format("{} on {}, root {}", sample.name, shape.text(), raw(root));
        EXPECT_EQ(written(plain, built, start, tree, false), own) << where;
        EXPECT_EQ(written(likely, built, start, tree, false), own) << where << ", likely parents";
        if (start.label == Components::main) continue;
        EXPECT_EQ(written(plain, built, start, tree, true), own) << where << ", one by one";
      }
      EXPECT_GT(world.sum(by_first), 0) << shape.text();
      EXPECT_GT(world.sum(by_others), 0) << shape.text();
    }
  }
}

}  // namespace
}  // namespace isobath
