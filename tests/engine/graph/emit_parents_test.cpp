// SPDX-License-Identifier: Apache-2.0
// The emit pass against the plain definition, whatever a search may have left: random visited and first-found
// bits.
#include "graph/emit_parents.hpp"

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/threads.hpp"
#include "graph/graph.hpp"
#include "graph/sample_graphs.hpp"

namespace isobath {
namespace {

using test::SampleGraph;

constexpr GlobalVertex not_written{-77};

/// What a search on one rank leaves, made up.
struct Remains {
  LargeArray<Word> visited;
  LargeArray<Word> by_first_neighbour;
  LargeArray<std::uint32_t> parent_col;
  LargeArray<std::int64_t> parent_original;
  std::vector<Word> reached_leaves;
};

Remains random_remains(const Graph& graph, std::uint64_t seed, int density) {
  std::mt19937_64 draw(seed);
  const std::uint32_t searched = graph.layout.own_searched();
  const std::size_t words = graph.layout.own_words() + piece_bits / word_bits;
  Remains remains{LargeArray<Word>(words), LargeArray<Word>(words),
                  LargeArray<std::uint32_t>(words * word_bits), LargeArray<std::int64_t>(words * word_bits),
                  std::vector<Word>(words_for(graph.numbering.leaves()) + 1)};
  const auto chance = [&] { return static_cast<int>(draw() % 100) < density; };
  for (std::uint32_t t = 0; t < searched; ++t) {
    if (chance()) set_bit(remains.visited.span(), t);
    // Set where not visited too: there it means nothing and must be ignored.
    if (draw() % 2 == 0 && graph.by_target.length(t) > 0) set_bit(remains.by_first_neighbour.span(), t);
    remains.parent_col[t] = static_cast<std::uint32_t>(draw() % searched);
    remains.parent_original[t] = static_cast<std::int64_t>(draw() >> 20);
  }
  for (std::uint32_t leaf = 0; leaf < graph.numbering.leaves(); ++leaf) {
    if (chance()) set_bit(remains.reached_leaves, leaf);
  }
  return remains;
}

FoundOneColumn found_one_column(const Graph& graph, const Remains& remains) {
  return {graph, remains.visited.data(), remains.visited.data(), remains.by_first_neighbour.data(),
          remains.parent_col.data()};
}

/// One original after the other, by the definition of what a search leaves.
std::vector<GlobalVertex> expected_one_column(const Graph& graph, const Remains& remains) {
  const Numbering& numbering = graph.numbering;
  std::vector<GlobalVertex> parents(static_cast<std::size_t>(numbering.num_originals), no_vertex);
  for (std::size_t v = 0; v < parents.size(); ++v) {
    const std::uint32_t code = numbering.code[v];
    if (code == Numbering::isolated) continue;
    if (code == Numbering::leaf) {
      const std::int64_t neighbour =
          graph.leaves.neighbour[numbering.leaf_index(static_cast<std::int64_t>(v))];
      const std::uint32_t of_neighbour = numbering.code[static_cast<std::size_t>(neighbour)];
      const bool is_pair = of_neighbour == Numbering::leaf;
      if (!is_pair && test_bit(remains.visited.span(), of_neighbour)) parents[v] = GlobalVertex{neighbour};
      continue;
    }
    if (!test_bit(remains.visited.span(), code)) continue;
    const std::uint32_t parent = test_bit(remains.by_first_neighbour.span(), code)
                                     ? graph.by_target.of(code)[0]
                                     : remains.parent_col[code];
    parents[v] = GlobalVertex{std::int64_t{numbering.original[parent]}};
  }
  return parents;
}

std::vector<GlobalVertex> expected_several_columns(const Graph& graph, const Remains& remains,
                                                   bool with_leaves) {
  const Numbering& numbering = graph.numbering;
  std::vector<GlobalVertex> parents(static_cast<std::size_t>(numbering.num_originals), no_vertex);
  for (std::size_t v = 0; v < parents.size(); ++v) {
    const std::uint32_t code = numbering.code[v];
    if (code == Numbering::isolated) continue;
    if (code == Numbering::leaf) {
      const std::uint32_t leaf = numbering.leaf_index(static_cast<std::int64_t>(v));
      if (with_leaves && test_bit(remains.reached_leaves, leaf))
        parents[v] = GlobalVertex{graph.leaves.neighbour[leaf]};
    } else if (test_bit(remains.visited.span(), code)) {
      parents[v] = GlobalVertex{remains.parent_original[code]};
    }
  }
  return parents;
}

/// Blocks in parts of any size, then the hubs in two parts, as threads would share them.
template <class Blocks, class Hubs>
std::vector<GlobalVertex> emitted(const Numbering& numbering, std::int64_t part, Blocks&& blocks,
                                  Hubs&& hubs) {
  const auto n = static_cast<std::size_t>(numbering.num_originals);
  LargeArray<GlobalVertex> out(n + 16);
  for (std::size_t v = 0; v < n + 16; ++v) out[v] = not_written;
  const std::int64_t end = numbering.num_emit_blocks();
  for (std::int64_t first = 0; first < end; first += part)
    blocks(first, std::min(end, first + part), out.data());
  hubs(numbering.num_heavy() / 3, numbering.num_heavy(), out.data());
  hubs(0U, numbering.num_heavy() / 3, out.data());
  for (std::size_t v = n; v < n + 16; ++v) EXPECT_EQ(out[v], not_written) << "behind the end";
  return std::vector<GlobalVertex>(out.begin(), out.begin() + n);
}

Graph construct(const SampleGraph& sample) {
  set_num_threads(1);  // small graphs: a team would only wait
  const Communicator alone;
  const Grid grid = Grid::arrange(alone, {1, 1});
  PhaseObserver nobody;
  return construct_graph(SpanEdgeStream(sample.num_vertices, sample.edges), alone, grid, nobody);
}

std::vector<SampleGraph> graphs() {
  std::vector<SampleGraph> all = test::odd_graphs();
  std::erase_if(all, [](const SampleGraph& graph) { return graph.edges.empty(); });
  all.push_back(test::kronecker_graph(12, 16));
  all.push_back(test::random_multigraph(1, 2048, 3000, 5));
  all.push_back(test::random_multigraph(2, 2049, 9000, 5));
  all.push_back(test::random_multigraph(3, 3 * 2048 + 17, 20000, 3));
  all.push_back(test::random_multigraph(4, 10000, 9000));
  return all;
}

TEST(EmitParents, WritesEverySlotOnceFromWhatOneColumnFound) {
  for (const SampleGraph& sample : graphs()) {
    const Graph graph = construct(sample);
    for (const int density : {0, 40, 100}) {
      const Remains remains = random_remains(graph, static_cast<std::uint64_t>(density), density);
      const FoundOneColumn found = found_one_column(graph, remains);
      const std::vector<GlobalVertex> expected = expected_one_column(graph, remains);
      for (const std::int64_t part : {1, 3}) {
        const auto blocks = [&](std::int64_t first, std::int64_t end, GlobalVertex* out) {
          emit_blocks(found, first, end, out);
        };
        const auto hubs = [&](std::uint32_t first, std::uint32_t end, GlobalVertex* out) {
          emit_heavy(found, first, end, out);
        };
        EXPECT_EQ(emitted(graph.numbering, part, blocks, hubs), expected)
            << fmt::format("{}, density {}", sample.name, density);
      }
    }
  }
}

/// Leaves whose neighbour is visited.
std::vector<Word> leaves_of(const Graph& graph, std::span<const Word> visited) {
  std::vector<Word> leaves(words_for(graph.numbering.leaves()) + 1);
  for (std::uint32_t leaf = 0; leaf < graph.numbering.leaves(); ++leaf) {
    const auto neighbour = static_cast<std::size_t>(graph.leaves.neighbour[leaf]);
    const std::uint32_t code = graph.numbering.code[neighbour];
    if (code != Numbering::leaf && test_bit(visited, code)) set_bit(leaves, leaf);
  }
  return leaves;
}

/// What is visited plays the main component.
TEST(EmitParents, PutsLikelyParentsRight) {
  for (const SampleGraph& sample : graphs()) {
    const Graph graph = construct(sample);
    for (const int density : {0, 40, 100}) {
      const Remains remains = random_remains(graph, static_cast<std::uint64_t>(density), density);
      const FoundOneColumn found = found_one_column(graph, remains);
      const LikelyParents likely =
          likely_parents(graph, remains.visited.span(), leaves_of(graph, remains.visited.span()));
      const std::vector<GlobalVertex> expected = expected_one_column(graph, remains);
      for (const InstructionSet set : supported_instruction_sets()) {
        for (const std::int64_t part : {1, 3}) {
          const auto blocks = [&](std::int64_t first, std::int64_t end, GlobalVertex* out) {
            emit_main_component(found, likely, set, first, end, out);
          };
          const auto no_hubs = [](std::uint32_t, std::uint32_t, GlobalVertex*) {};
          EXPECT_EQ(emitted(graph.numbering, part, blocks, no_hubs), expected)
              << fmt::format("{}, {}, density {}", sample.name, name_of(set), density);
        }
      }
    }
  }
}

TEST(EmitParents, WritesEverySlotOnceFromWhatTravelled) {
  for (const SampleGraph& sample : graphs()) {
    const Graph graph = construct(sample);
    for (const int density : {0, 50, 100}) {
      const Remains remains = random_remains(graph, static_cast<std::uint64_t>(density), density);
      for (const bool with_leaves : {false, true}) {
        const FoundSeveralColumns found{graph, remains.visited.data(), nullptr,
                                        remains.parent_original.data(),
                                        with_leaves ? remains.reached_leaves.data() : nullptr};
        const auto blocks = [&](std::int64_t first, std::int64_t end, GlobalVertex* out) {
          emit_blocks(found, first, end, out);
        };
        const auto hubs = [&](std::uint32_t first, std::uint32_t end, GlobalVertex* out) {
          emit_heavy(found, first, end, out);
        };
        EXPECT_EQ(emitted(graph.numbering, 3, blocks, hubs),
                  expected_several_columns(graph, remains, with_leaves))
            << sample.name;
      }
    }
  }
}

}  // namespace
}  // namespace isobath
