// SPDX-License-Identifier: Apache-2.0
// The copy of the list on several ranks: which rank has which rows, and what the copy says by itself. That
// the verdict is right with and without it: bfs_rules_test, bfs_mutations_test.
#include <algorithm>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "mpi_main.hpp"
#include "mutations.hpp"
#include "partition/edge_stream.hpp"
#include "validate/copy_check.hpp"

namespace isobath::test {
namespace {

using Pair = std::pair<std::int64_t, std::int64_t>;

enum class Shares { even, on_the_last_rank };
constexpr Shares all_shares[] = {Shares::even, Shares::on_the_last_rank};

/// This rank's share of the edges of a graph.
std::span<const Edge> share_of(const Graph& graph, Shares shares) {
  const std::span<const Edge> all(graph.edges);
  const int last = world().size() - 1;
  if (shares == Shares::on_the_last_rank) return world().rank() == last ? all : all.first(0);
  const auto [first, end] = edge_share(static_cast<std::int64_t>(all.size()), world().rank(), world().size());
  return all.subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(end - first));
}

/// The check by a copy of a graph's edges, which outlives it.
class CheckOf {
 public:
  explicit CheckOf(const Graph& graph, Shares shares = Shares::even)
      : partition_(graph.num_vertices, world().size()),
        gathered_(world(), partition_, 0, VertexFacts::gathered),
        check_(world(), gathered_, SpanEdgeStream(graph.num_vertices, share_of(graph, shares))) {}

  const EdgeCopy& copy() const { return check_.copy(); }

  std::optional<CopyCheck::Confirmed> confirm(GlobalVertex root, const Parents& parents) {
    const int rank = world().rank();
    const auto found =
        check_.confirm(root, std::span(parents).subspan(static_cast<std::size_t>(partition_.first(rank)),
                                                        static_cast<std::size_t>(partition_.size(rank))));
    EXPECT_EQ(world().sum(std::int64_t{found.has_value()}), found.has_value() ? world().size() : 0);
    return found;
  }

 private:
  BlockPartition partition_;
  GatheredVertices gathered_;
  CopyCheck check_;
};

/// Edges without direction, self-loops apart, as often as they are there.
std::multiset<Pair> pairs_of(const std::vector<Edge>& edges) {
  std::multiset<Pair> pairs;
  for (const Edge& one : edges) {
    if (one.u != one.v) pairs.insert(std::minmax(raw(one.u), raw(one.v)));
  }
  return pairs;
}

std::vector<Graph> graphs() {
  std::vector<Graph> graphs =
      odd_graphs();  // rows of two blocks and fewer; numbers that no rank count divides
  graphs.push_back(kronecker(9));
  graphs.push_back(star(1000));
  graphs.push_back(random_multigraph(777, 2500, 3));
  return graphs;
}

TEST(ListCopy, HasEveryEdgeOnceOnSomeRank) {
  for (const Graph& graph : graphs()) {
    for (const Shares shares : all_shares) {
      const CheckOf check(graph, shares);
      const EdgeCopy& copy = check.copy();
      const std::vector<std::uint32_t> places(copy.places().begin(), copy.places().end());
      EXPECT_EQ(world().broadcast(places.front(), 0), places.front()) << graph.name;
      EXPECT_EQ(world().sum(static_cast<std::int64_t>(copy.num_rows())),
                static_cast<std::int64_t>(copy.num_places()))
          << graph.name;

      std::vector<Edge> mine(static_cast<std::size_t>(copy.starts().back()));
      copy.by_rows()->read(0, mine);
      for (const Edge& edge : mine) {
        EXPECT_GT(places[at(edge.u)], places[at(edge.v)]) << graph.name;
        EXPECT_EQ(copy.dealt().rank_of(places[at(edge.u)]), world().rank()) << graph.name;
      }
      const std::multiset<Pair> pairs = pairs_of(world().allgatherv<Edge>(mine));
      EXPECT_EQ(pairs, pairs_of(graph.edges)) << graph.name;
      EXPECT_EQ(world().sum(copy.distinct_edges()),
                static_cast<std::int64_t>(std::set<Pair>(pairs.begin(), pairs.end()).size()))
          << graph.name;
      const auto is_loop = [](const Edge& edge) { return edge.u == edge.v; };
      EXPECT_EQ(world().sum(static_cast<std::int64_t>(copy.self_loops().size())),
                std::count_if(graph.edges.begin(), graph.edges.end(), is_loop))
          << graph.name;
    }
  }
}

TEST(ListCopy, HasTheSamePlacesOnAllRanks) {
  const Graph graph = kronecker(10);
  const CheckOf check(graph);
  const std::span<const std::uint32_t> places = check.copy().places();
  std::vector<std::uint32_t> of_first(places.begin(), places.end());
  world().broadcast(std::span(of_first), 0);
  EXPECT_TRUE(std::equal(places.begin(), places.end(), of_first.begin()));
}

TEST(ListCopy, IsDealtEvenly) {
  const CheckOf check(kronecker(13));
  const auto edges = static_cast<std::int64_t>(check.copy().starts().back());
  const std::int64_t most = world().max(edges);
  EXPECT_LT(static_cast<double>(most * world().size()), 1.25 * static_cast<double>(world().sum(edges)));
}

TEST(ListCopy, ConfirmsRightAnswersWithTheCountsOfTheTwin) {
  int confirmed = 0;
  for (const Graph& graph : graphs()) {
    const reference::Adjacency adjacency = graph.adjacency();
    Random random(8);
    for (const Shares shares : all_shares) {
      CheckOf check(graph, shares);
      for (int trial = 0; trial < 2; ++trial) {
        const GlobalVertex root{draw(random, graph.num_vertices)};
        const Parents parents = right_answer(adjacency, root, random);
        const reference::Verdict twin = reference::validate_bfs(graph.edges, parents, root, -1, -1);
        ASSERT_TRUE(twin.passed()) << graph.name;

        const std::optional<CopyCheck::Confirmed> found = check.confirm(root, parents);

        const auto levels = twin.vertices_per_level.size();
        ASSERT_EQ(found.has_value(), levels > 1 && levels <= 14) << graph.name << ", root " << raw(root);
        if (!found) continue;
        EXPECT_EQ(found->vertices_per_level, twin.vertices_per_level) << graph.name;
        EXPECT_EQ(found->edges.traversed_edges, twin.traversed_edges) << graph.name;
        EXPECT_EQ(found->edges.self_loops, twin.self_loops) << graph.name;
        ++confirmed;
      }
    }
  }
  EXPECT_GT(confirmed, 20);
}

TEST(ListCopy, SaysNothingOfAnyMutation) {
  int silenced = 0;
  for (const Graph& graph :
       {kronecker(6), kronecker(9), two_components(64), star(300), random_multigraph(200, 300, 11)}) {
    const reference::Adjacency adjacency = graph.adjacency();
    const auto most = std::max_element(adjacency.endpoints.begin(), adjacency.endpoints.end());
    Random random(42);
    const RightAnswer right =
        make_right_answer(graph, adjacency, GlobalVertex{most - adjacency.endpoints.begin()}, random);
    CheckOf check(graph);
    for (const Mutation& mutation : mutations()) {
      const std::optional<Parents> wrong = mutation.apply(right, random);
      if (!wrong || *wrong == right.parents) continue;

      EXPECT_FALSE(check.confirm(right.root, *wrong)) << mutation.name << " in the " << graph.name;

      EXPECT_TRUE(check.confirm(right.root, right.parents)) << graph.name << " after " << mutation.name;
      ++silenced;
    }
  }
  EXPECT_GT(silenced, 40);
}

/// Of every vertex in turn, whoever owns it and whoever has its row.
TEST(ListCopy, SaysNothingOfOneWrongParent) {
  int silenced = 0;
  int still_right = 0;
  const Graph graph = random_multigraph(203, 420, 5);  // rows of four blocks
  const reference::Adjacency adjacency = graph.adjacency();
  const GlobalVertex root = graph.edges[0].u;
  Random random(3);
  const Parents right = right_answer(adjacency, root, random);
  CheckOf check(graph);
  ASSERT_TRUE(check.confirm(root, right));
  for (std::int64_t v = 0; v < graph.num_vertices; ++v) {
    Parents parents = right;
    parents[static_cast<std::size_t>(v)] = GlobalVertex{draw(random, graph.num_vertices + 2) - 1};
    const bool is_right = reference::validate_bfs(graph.edges, parents, root, -1, -1).passed();

    EXPECT_EQ(check.confirm(root, parents).has_value(), is_right) << v;

    (is_right ? still_right : silenced) += 1;
  }
  EXPECT_GT(silenced, 150);
}

/// Every fourth vertex in turn gets a parent of the right level that no edge joins it to: only who looks for
/// the tree edge can see it, in the row of the child, or of the parent, which another rank may have.
TEST(ListCopy, MissesTreeEdgesInWhicheverRowTheyWouldStand) {
  const Graph graph = random_multigraph(500, 900, 6);
  const reference::Adjacency adjacency = graph.adjacency();
  Random random(4);
  const RightAnswer right = make_right_answer(graph, adjacency, graph.edges[0].u, random);
  const std::multiset<Pair> pairs = pairs_of(graph.edges);
  CheckOf check(graph);
  const std::span<const std::uint32_t> places = check.copy().places();
  std::int64_t of_child = 0;
  std::int64_t of_parent_beside = 0;
  std::int64_t of_parent_elsewhere = 0;
  for (std::int64_t v = 0; v < graph.num_vertices; v += 4) {
    const Level level = right.levels[static_cast<std::size_t>(v)];
    std::vector<std::int64_t> strangers;
    for (std::int64_t u = 0; level > 0 && u < graph.num_vertices; ++u) {
      const bool is_above = right.levels[static_cast<std::size_t>(u)] == level - 1;
      if (is_above && !pairs.contains(std::minmax(u, v))) strangers.push_back(u);
    }
    if (strangers.empty()) continue;
    const std::int64_t stranger =
        strangers[static_cast<std::size_t>(draw(random, static_cast<std::int64_t>(strangers.size())))];
    Parents wrong = right.parents;
    wrong[static_cast<std::size_t>(v)] = GlobalVertex{stranger};

    EXPECT_FALSE(check.confirm(right.root, wrong)) << v << ", parent " << stranger;

    const std::uint32_t place = places[static_cast<std::size_t>(v)];
    const std::uint32_t of_parent = places[static_cast<std::size_t>(stranger)];
    const bool is_beside = check.copy().dealt().rank_of(place) == check.copy().dealt().rank_of(of_parent);
    ++(of_parent < place ? of_child : is_beside ? of_parent_beside : of_parent_elsewhere);
  }
  EXPECT_TRUE(check.confirm(right.root, right.parents));
  EXPECT_GT(of_child, 15);
  EXPECT_GT(of_parent_beside, 1);
  EXPECT_EQ(of_parent_elsewhere > 5, world().size() > 1);
}

TEST(ListCopy, LeavesDeepTreesToTheList) {
  for (const std::int64_t deepest : {13, 14, 200}) {
    const Graph line = scattered_path(deepest + 1);
    Random random(1);
    const Parents parents = right_answer(line.adjacency(), GlobalVertex{0}, random);
    EXPECT_EQ(CheckOf(line).confirm(GlobalVertex{0}, parents).has_value(), deepest == 13);
  }
}

TEST(ListCopy, IsMadeWhereFactsOfVerticesAreGathered) {
  const Graph graph = kronecker(8);
  const BlockPartition partition(graph.num_vertices, world().size());
  const SpanEdgeStream stream(graph.num_vertices, share_of(graph, Shares::even));
  const auto has_copy = [&](ListCopy copy, VertexFacts facts) {
    return BfsValidator(world(), partition, stream, copy, facts).has_copy();
  };
  EXPECT_TRUE(has_copy(ListCopy::yes, VertexFacts::fewest_bytes)) << "16 edges a vertex";
  EXPECT_EQ(has_copy(ListCopy::yes, VertexFacts::asked), world().size() == 1);
  EXPECT_FALSE(has_copy(ListCopy::no, VertexFacts::gathered));
  const BfsValidator validator(world(), partition, stream, ListCopy::yes);
  const std::multiset<Pair> pairs = pairs_of(graph.edges);
  EXPECT_EQ(validator.distinct_edges(),
            static_cast<std::int64_t>(std::set<Pair>(pairs.begin(), pairs.end()).size()));
  EXPECT_EQ(validator.edges_by_rows() != nullptr, world().size() == 1);
}

}  // namespace
}  // namespace isobath::test
