// SPDX-License-Identifier: Apache-2.0
// Vertices numbered by first hub, on several grid columns: numbers, families, and what the grid row is told
// of them, against what follows, vertex by vertex, from the whole graph.
#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <numeric>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "all_shapes.hpp"
#include "graph/graph.hpp"
#include "graph/hub_twin.hpp"
#include "graph/sample_graphs.hpp"
#include "mpi_main.hpp"

namespace isobath {
namespace {

using test::SampleGraph;
using Twin = test::HubTwin;

/// Of a rank whose vertices are numbered by first hub: their order, and which families they make.
class NumberedByHub {
 public:
  NumberedByHub(const Twin& twin, const BlockPartition& blocks, int rank) : hubs_(twin.in_order()) {
    std::vector<std::int64_t> behind;
    std::int64_t searched = 0;
    for (std::int64_t v = blocks.first(rank); v < blocks.first(rank) + blocks.size(rank); ++v) {
      if (!twin.searched[static_cast<std::size_t>(v)]) continue;
      ++searched;
      (twin.is_in_front(v) ? order_ : behind).push_back(v);
    }
    std::ranges::stable_sort(order_, std::greater(),
                             [&](std::int64_t v) { return twin.degree[static_cast<std::size_t>(v)]; });
    const std::ptrdiff_t bound = std::min<std::ptrdiff_t>(std::ssize(hubs_), searched / 8);
    const auto place_of = [&](std::int64_t v) {
      const std::vector<std::int64_t> first = twin.first_hubs_of(v);
      return first.empty() ? bound : std::min(bound, std::ranges::find(hubs_, first[0]) - hubs_.begin());
    };
    followers_.assign(static_cast<std::size_t>(bound) + 1, 0);
    std::map<std::int64_t, std::ptrdiff_t> place;
    for (const std::int64_t v : behind) ++followers_[static_cast<std::size_t>(place[v] = place_of(v))];
    std::ranges::stable_sort(behind, {}, [&](std::int64_t v) { return place[v]; });
    order_.insert(order_.end(), behind.begin(), behind.end());
    followers_.pop_back();
  }

  /// Own searched vertices by number.
  const std::vector<std::int64_t>& order() const { return order_; }
  /// Whose followers here are a family: up to the first 64 hubs with fewer than eight followers each.
  std::vector<std::int64_t> heads() const {
    std::vector<std::int64_t> heads;
    for (std::size_t place = 0; place < followers_.size(); ++place) {
      if (place % 64 == 0) {
        const std::size_t lot = std::min<std::size_t>(64, followers_.size() - place);
        const auto first = followers_.begin() + static_cast<std::ptrdiff_t>(place);
        const auto rows = std::accumulate(first, first + static_cast<std::ptrdiff_t>(lot), std::size_t{0});
        if (rows < 8 * lot) break;
      }
      if (followers_[place] > 0) heads.push_back(hubs_[place]);
    }
    return heads;
  }

 private:
  std::vector<std::int64_t> hubs_;
  std::vector<std::int64_t> order_;
  std::vector<std::size_t> followers_;  // by place of their first hub
};

void compare_families(const Graph& graph, const Twin& twin, const std::string& where) {
  const GridLayout& layout = graph.layout;
  const NumberedByHub expected(twin, layout.blocks, layout.rank);
  std::vector<std::int64_t> order;
  for (const std::uint32_t v : graph.numbering.original)
    order.push_back(layout.blocks.first(layout.rank) + v);
  EXPECT_EQ(order, expected.order()) << where;
  for (std::uint32_t t = 0; t < graph.numbering.searched(); ++t) {
    EXPECT_EQ(graph.numbering.code[graph.numbering.original[t]], t) << where;
    EXPECT_EQ(graph.numbering.degree[t], twin.degree[static_cast<std::size_t>(order[t])]) << where;
  }
  const Hubs& hubs = graph.hubs;
  const Families& families = hubs.families;
  std::vector<std::int64_t> heads;
  for (std::size_t k = 0; k < families.size(); ++k) {
    heads.push_back(hubs.original[families.head[k]]);
    for (std::uint32_t row = families.begin[k]; row < families.begin[k + 1]; ++row) {
      EXPECT_EQ(hubs.kept[0][row], families.head[k]) << where << ", row " << row;
    }
  }
  EXPECT_EQ(heads, expected.heads()) << where;
}

/// Which rows here are families of the hubs of this grid column, and where the arcs to them stand.
void compare_followers(const Graph& graph, const Twin& twin, const std::string& where) {
  const GridLayout& layout = graph.layout;
  const HubFollowers& followers = graph.hubs.followers;
  ASSERT_TRUE(followers.have_families()) << where;
  std::map<std::int64_t, std::vector<std::vector<std::uint32_t>>> rows_of;  // by hub: rows of each family
  for (int piece = 0; piece < layout.shape.cols; ++piece) {
    const NumberedByHub numbered(twin, layout.blocks, layout.block_of_row_piece(piece));
    std::map<std::int64_t, std::vector<std::uint32_t>> followers_of;
    for (std::size_t t = 0; t < numbered.order().size(); ++t) {
      const std::int64_t v = numbered.order()[t];
      const std::vector<std::int64_t> first = twin.first_hubs_of(v);
      if (twin.is_in_front(v) || first.empty()) continue;
      followers_of[first[0]].push_back(layout.row_offset[static_cast<std::size_t>(piece)] +
                                       static_cast<std::uint32_t>(t));
    }
    for (const std::int64_t head : numbered.heads()) rows_of[head].push_back(followers_of[head]);
  }
  for (int piece = 0; piece < layout.shape.rows; ++piece) {
    const NumberedByHub numbered(twin, layout.blocks, layout.block_of_col_piece(piece));
    for (std::size_t t = 0; t < numbered.order().size(); ++t) {
      const std::int64_t v = numbered.order()[t];
      const std::uint32_t col =
          layout.col_offset[static_cast<std::size_t>(piece)] + static_cast<std::uint32_t>(t);
      EXPECT_EQ(followers.hub_of(col).has_value(), twin.is_hub(v)) << where;
      std::vector<std::vector<std::uint32_t>> told;
      for (const HubFollowers::Family& family : followers.of_column(col)) {
        graph.with_rows_by_source([&](const auto& columns) {
          const auto arcs = columns.of(col).subspan(family.first_arc, family.size());
          told.emplace_back(arcs.begin(), arcs.end());
        });
        EXPECT_EQ(told.back().front(), family.begin) << where;
        EXPECT_EQ(told.back().back(), family.end - 1) << where;
      }
      EXPECT_EQ(told, rows_of[v]) << where << ", vertex " << v;
    }
  }
}

/// Returns how many families this rank has.
std::size_t compare(const SampleGraph& sample, GridShape shape, Hypersparse hypersparse) {
  const Communicator& world = test::world();
  const Grid grid = Grid::arrange(world, shape);
  PhaseObserver nobody;
  const Graph graph = construct_graph(test::share_of(sample, world.rank(), world.size()), world, grid, nobody,
                                      {.families = true, .hubs = true, .hypersparse = hypersparse});
  const Twin twin(sample, {}, shape);
  const std::string where = sample.name + " on " + shape.text();
  EXPECT_EQ(graph.numbering.by_family, !graph.hubs.empty()) << where;
  if (graph.hubs.empty()) return 0;
  compare_families(graph, twin, where);
  compare_followers(graph, twin, where);
  return graph.hubs.families.size();
}

TEST(HubFamilies, AreThoseWhoKeepTheSameHubFirst) {
  const SampleGraph large = test::random_multigraph(5, 6000, 50000, 5);
  const SampleGraph heavy = test::hubs_by_copies(40);  // heavy vertices that are no hubs
  for (const GridShape shape : test::shapes_of(test::world().size())) {
    if (shape.cols == 1) continue;
    EXPECT_GT(compare(large, shape, Hypersparse::never), 0U) << shape.text();
    compare(large, shape, Hypersparse::always);
    compare(heavy, shape, Hypersparse::never);
    for (const SampleGraph& odd : test::odd_graphs()) compare(odd, shape, Hypersparse::never);
  }
}

}  // namespace
}  // namespace isobath
