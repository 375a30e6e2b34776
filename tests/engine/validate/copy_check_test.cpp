// SPDX-License-Identifier: Apache-2.0
// What the copy of the list says by itself. That the verdict is right with and without it: bfs_rules_test,
// bfs_mutations_test.
#include "validate/copy_check.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "base/threads.hpp"
#include "partition/edge_stream.hpp"
#include "reference/adjacency.hpp"
#include "reference/bfs.hpp"
#include "reference/kronecker.hpp"
#include "validate/edge_copy.hpp"

namespace isobath {
namespace {

using Edges = std::vector<Edge>;
using Parents = std::vector<GlobalVertex>;
using Pair = std::pair<std::int64_t, std::int64_t>;

Edge edge(std::int64_t u, std::int64_t v) { return {GlobalVertex{u}, GlobalVertex{v}}; }

Parents parents_of(std::int64_t num_vertices, const Edges& edges, GlobalVertex root) {
  return reference::bfs(reference::adjacency(num_vertices, edges), root).parents;
}

EdgeCopy copy_of(std::int64_t num_vertices, const Edges& edges) {
  return {Communicator(), SpanEdgeStream(num_vertices, edges)};
}

/// The check of one rank.
class CheckOf {
 public:
  CheckOf(std::int64_t num_vertices, const Edges& edges)
      : gathered_(alone_, BlockPartition(num_vertices, 1), 0, VertexFacts::fewest_bytes),
        check_(alone_, gathered_, SpanEdgeStream(num_vertices, edges)) {}

  std::optional<CopyCheck::Confirmed> confirm(GlobalVertex root, const Parents& parents) {
    return check_.confirm(root, parents);
  }

 private:
  Communicator alone_;
  GatheredVertices gathered_;
  CopyCheck check_;
};

bool is_confirmed(std::int64_t num_vertices, const Edges& edges, const Parents& parents, std::int64_t root) {
  return CheckOf(num_vertices, edges).confirm(GlobalVertex{root}, parents).has_value();
}

Parents parents(std::initializer_list<std::int64_t> numbers) {
  Parents list;
  for (const std::int64_t number : numbers) list.push_back(GlobalVertex{number});
  return list;
}

/// Edges without direction, self-loops apart, as often as they are there.
std::multiset<Pair> pairs_of(const Edges& edges) {
  std::multiset<Pair> pairs;
  for (const Edge& one : edges) {
    if (one.u != one.v) pairs.insert(std::minmax(raw(one.u), raw(one.v)));
  }
  return pairs;
}

TEST(EdgeCopy, HoldsEveryEdgeOnce) {
  const int scale = 11;
  const Edges edges = reference::kronecker({.scale = scale});
  const std::int64_t num_vertices = std::int64_t{1} << scale;
  for (const int threads : {1, 3}) {
    set_num_threads(threads);
    const EdgeCopy copy = copy_of(num_vertices, edges);
    std::vector<std::int64_t> vertex_at(copy.num_rows(), -1);
    for (std::int64_t v = 0; v < num_vertices; ++v) {
      const std::uint32_t place = copy.places()[static_cast<std::size_t>(v)];
      if (place != EdgeCopy::no_place) vertex_at[place] = v;
    }
    EXPECT_EQ(std::count(vertex_at.begin(), vertex_at.end(), -1), 0);
    std::multiset<Pair> pairs;
    for (std::size_t place = 0; place < copy.num_rows(); ++place) {
      for (const std::uint32_t other : copy.row(place)) {
        EXPECT_LT(other, place);
        pairs.insert(std::minmax(vertex_at[place], vertex_at[other]));
      }
    }
    EXPECT_EQ(pairs, pairs_of(edges));
    EXPECT_EQ(copy.distinct_edges(),
              static_cast<std::int64_t>(std::set<Pair>(pairs.begin(), pairs.end()).size()));
    const auto is_loop = [](const Edge& one) { return one.u == one.v; };
    EXPECT_EQ(static_cast<std::ptrdiff_t>(copy.self_loops().size()),
              std::count_if(edges.begin(), edges.end(), is_loop));
  }
}

TEST(EdgeCopy, IsReadRowByRow) {
  const Edges edges = reference::kronecker({.scale = 10});
  const EdgeCopy copy = copy_of(std::int64_t{1} << 10, edges);
  const std::unique_ptr<EdgeStream> by_rows = copy.by_rows();
  EXPECT_EQ(by_rows->num_vertices(), std::int64_t{1} << 10);
  Edges read(static_cast<std::size_t>(by_rows->size()));
  by_rows->read(0, read);
  EXPECT_EQ(pairs_of(read), pairs_of(edges));
  const auto place_of = [&](GlobalVertex v) { return copy.places()[static_cast<std::size_t>(raw(v))]; };
  EXPECT_TRUE(std::is_sorted(read.begin(), read.end(),
                             [&](const Edge& a, const Edge& b) { return place_of(a.u) < place_of(b.u); }));
  for (const std::int64_t first : {std::int64_t{0}, std::int64_t{1}, by_rows->size() / 3, by_rows->size()}) {
    Edges part(static_cast<std::size_t>(std::min<std::int64_t>(1000, by_rows->size() - first)));
    by_rows->read(first, part);
    EXPECT_TRUE(std::equal(part.begin(), part.end(), read.begin() + first));
  }
}

TEST(EdgeCopy, PutsVerticesOfManyEdgesFirst) {
  set_num_threads(1);  // several may lose a count, and the order is only about right then
  const EdgeCopy copy = copy_of(6, {edge(5, 1), edge(3, 5), edge(5, 4), edge(3, 4), edge(0, 0)});
  EXPECT_EQ(copy.num_rows(), 4U);
  EXPECT_EQ(copy.places()[5], 0U);
  EXPECT_EQ(copy.places()[1], 3U);
  EXPECT_EQ(copy.places()[0], EdgeCopy::no_place) << "has only a self-loop";
  EXPECT_EQ(copy.places()[2], EdgeCopy::no_place);
}

TEST(EdgeCopy, RefusesVerticesThatDoNotExist) { EXPECT_THROW(copy_of(4, {edge(1, 4)}), EnvironmentError); }

TEST(DealtRows, AreNumberedOnEachRankFromZero) {
  for (const std::uint32_t ranks : {1U, 2U, 3U, 6U}) {
    for (const std::size_t num_places : {0U, 1U, 63U, 64U, 65U, 200U, 384U, 1000U}) {
      std::size_t places = 0;
      std::vector<std::uint32_t> next(ranks);
      for (std::uint32_t place = 0; place < num_places; ++place) {
        const auto rank = static_cast<std::uint32_t>(DealtRows{0, ranks}.rank_of(place));
        const DealtRows rows{rank, ranks};
        EXPECT_TRUE(rows.is_here(place));
        const DealtRows of_next{(rank + 1) % ranks, ranks};
        EXPECT_EQ(of_next.is_here(place), ranks == 1);
        EXPECT_EQ(rows.row_of(place), next[rank]++);
        EXPECT_EQ(rows.place_of(rows.row_of(place)), place);
      }
      for (std::uint32_t rank = 0; rank < ranks; ++rank) {
        EXPECT_EQ(DealtRows{}.rows_of(0, num_places), num_places);
        const std::size_t rows = DealtRows{rank, ranks}.rows_of(static_cast<int>(rank), num_places);
        EXPECT_EQ(rows, next[rank]) << rank << " of " << ranks << ", " << num_places << " places";
        places += rows;
      }
      EXPECT_EQ(places, num_places);
    }
  }
}

TEST(CopyCheck, ConfirmsARightAnswerWithItsCounts) {
  const Edges edges = reference::kronecker({.scale = 12});
  const std::int64_t num_vertices = std::int64_t{1} << 12;
  CheckOf check(num_vertices, edges);
  for (const GlobalVertex root : {edges[0].u, edges[7].v, edges[1000].u}) {
    const reference::BfsTree tree = reference::bfs(reference::adjacency(num_vertices, edges), root);
    const auto confirmed = check.confirm(root, tree.parents);
    ASSERT_TRUE(confirmed.has_value());
    std::vector<std::int64_t> per_level;
    for (const Level level : tree.levels) {
      if (level == reference::no_level) continue;
      per_level.resize(std::max(per_level.size(), static_cast<std::size_t>(level) + 1));
      ++per_level[static_cast<std::size_t>(level)];
    }
    EXPECT_EQ(confirmed->vertices_per_level, per_level);
    TreeEdgeCounts counts;
    for (const Edge& one : edges) {
      if (tree.levels[static_cast<std::size_t>(raw(one.u))] == reference::no_level) continue;
      ++(one.u == one.v ? counts.self_loops : counts.traversed_edges);
    }
    EXPECT_EQ(confirmed->edges.traversed_edges, counts.traversed_edges);
    EXPECT_EQ(confirmed->edges.self_loops, counts.self_loops);
  }
}

// A star of six with a tail: 0 has the most edges and the first place. A search from the end of the tail has
// vertices whose parents have later places.
const Edges star = {edge(0, 1), edge(0, 2), edge(0, 3), edge(0, 4), edge(0, 4), edge(4, 5)};
constexpr std::int64_t star_size = 7;

TEST(CopyCheck, ConfirmsParentsOfFewerEdgesThanTheirChildren) {
  EXPECT_TRUE(is_confirmed(star_size, star, parents({4, 0, 0, 0, 5, 5, -1}), 5));
  EXPECT_TRUE(is_confirmed(star_size, star, parents({0, 0, 0, 0, 0, 4, -1}), 0));
}

TEST(CopyCheck, SaysNothingOfWrongAnswers) {
  const struct {
    const char* what;
    Parents parents;
    std::int64_t root;
  } wrong_answers[] = {
      {"the root's parent is another", parents({4, 0, 0, 0, 5, 4, -1}), 5},
      {"the root has no edge", parents({-1, -1, -1, -1, -1, -1, 6}), 6},
      {"no edge to the parent, which has fewer", parents({5, 0, 0, 0, 5, 5, -1}), 5},
      {"no edge to the parent, which has more", parents({0, 0, 0, 0, 0, 0, -1}), 0},
      {"not reached, but its neighbour is", parents({0, 0, 0, 0, 0, -1, -1}), 0},
      {"its own parent, not the root", parents({0, 0, 2, 0, 0, 4, -1}), 0},
      {"a circle", parents({4, 0, 0, 0, 0, 5, -1}), 5},
      {"a parent that was not reached", parents({0, 0, 0, 0, -1, 4, -1}), 0},
      {"a parent without edges", parents({0, 6, 0, 0, 0, 4, -1}), 0},
      {"a vertex without edges has a parent", parents({0, 0, 0, 0, 0, 4, 0}), 0},
      {"a parent that is no vertex", parents({0, 7, 0, 0, 0, 4, -1}), 0},
      {"a parent below -1", parents({0, 0, 0, -2, 0, 4, -1}), 0},
  };
  for (const auto& wrong : wrong_answers) {
    EXPECT_FALSE(is_confirmed(star_size, star, wrong.parents, wrong.root)) << wrong.what;
  }
}

TEST(CopyCheck, SeesALevelSkipped) {
  const Edges square = {edge(0, 1), edge(1, 2), edge(2, 3), edge(3, 0), edge(1, 3)};
  EXPECT_TRUE(is_confirmed(4, square, parents({0, 0, 1, 0}), 0));
  EXPECT_FALSE(is_confirmed(4, square, parents({0, 0, 1, 2}), 0)) << "3 is next to 0, two levels above";
}

TEST(CopyCheck, LeavesDeepTreesToTheList) {
  for (const std::int64_t deepest : {13, 14}) {
    Edges path;
    for (std::int64_t v = 0; v < deepest; ++v) path.push_back(edge(v, v + 1));
    const std::int64_t size = deepest + 1;
    EXPECT_EQ(is_confirmed(size, path, parents_of(size, path, GlobalVertex{0}), 0), deepest == 13);
  }
}

TEST(CopyCheck, ForgetsTheSearchBefore) {
  CheckOf check(star_size, star);
  for (int i = 0; i < 3; ++i) {
    EXPECT_TRUE(check.confirm(GlobalVertex{5}, parents({4, 0, 0, 0, 5, 5, -1})).has_value());
    EXPECT_FALSE(check.confirm(GlobalVertex{5}, parents({5, 0, 0, 0, 5, 5, -1})).has_value());
    EXPECT_TRUE(check.confirm(GlobalVertex{0}, parents({0, 0, 0, 0, 0, 4, -1})).has_value());
  }
}

}  // namespace
}  // namespace isobath
