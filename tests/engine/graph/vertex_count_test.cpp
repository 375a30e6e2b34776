// SPDX-License-Identifier: Apache-2.0
#include "graph/vertex_count.hpp"

#include <vector>

#include <gtest/gtest.h>

#include "graph/sample_graphs.hpp"
#include "mpi_main.hpp"

namespace isobath {
namespace {

/// A list that nobody may ask for its number of vertices.
class BareList final : public EdgeStream {
 public:
  explicit BareList(std::vector<Edge> edges) : edges_(std::move(edges)) {}
  std::int64_t size() const override { return std::ssize(edges_); }
  std::int64_t num_vertices() const override {
    ADD_FAILURE() << "asked for what was to be found";
    return 0;
  }
  void read(std::int64_t first, std::span<Edge> edges) const override {
    std::copy_n(edges_.begin() + first, edges.size(), edges.begin());
  }

 private:
  std::vector<Edge> edges_;
};

struct Phases final : PhaseObserver {
  void phase(Phase begun) override { begun_.push_back(begun); }
  std::vector<Phase> begun_;
};

/// Found by all ranks, where only the last one has the list.
std::int64_t found(std::vector<Edge> edges) {
  const Communicator& world = test::world();
  if (world.rank() != world.size() - 1) edges.clear();
  Phases phases;
  const std::int64_t count = count_vertices(BareList(std::move(edges)), world, phases);
  EXPECT_EQ(phases.begun_, std::vector<Phase>{Phase::count_vertices});
  return count;
}

Edge edge(std::int64_t u, std::int64_t v) { return {GlobalVertex{u}, GlobalVertex{v}}; }

TEST(CountVertices, IsTheLeastPowerOfTwoAboveTheLargestNumber) {
  EXPECT_EQ(found({edge(0, 0)}), 1);
  EXPECT_EQ(found({edge(0, 1)}), 2);
  EXPECT_EQ(found({edge(4, 1), edge(2, 3)}), 8);
  EXPECT_EQ(found({edge(1, 7)}), 8);
  EXPECT_EQ(found({edge(8, 1)}), 16);
  EXPECT_EQ(found({edge(0, (std::int64_t{1} << 47) + 1)}), std::int64_t{1} << 48);
  EXPECT_EQ(found({}), 1);
}

TEST(CountVertices, IsThatOfTheGeneratorOnEveryShareOfItsList) {
  const Communicator& world = test::world();
  for (const int scale : {3, 7, 12}) {
    const test::SampleGraph graph = test::kronecker_graph(scale, 16);
    const SpanEdgeStream share = test::share_of(graph, world.rank(), world.size());
    PhaseObserver nobody;
    EXPECT_EQ(count_vertices(share, world, nobody), std::int64_t{1} << scale);
  }
}

TEST(CountedEdges, AreTheListUnderTheNumberFound) {
  const BareList list({edge(2, 1), edge(0, 3)});
  const CountedEdges counted(list, 4);
  EXPECT_EQ(counted.num_vertices(), 4);
  EXPECT_EQ(counted.size(), 2);
  Edge last;
  counted.read(1, {&last, 1});
  EXPECT_EQ(last, edge(0, 3));
}

}  // namespace
}  // namespace isobath
