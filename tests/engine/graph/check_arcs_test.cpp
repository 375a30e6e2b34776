// SPDX-License-Identifier: Apache-2.0
// The construction check says yes to what was constructed, and no to every way of being wrong (mutation
// classes 11 to 13: an edge dropped, duplicated or invented, a self-loop stored).
#include "graph/check_arcs.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "all_shapes.hpp"
#include "graph/codes.hpp"
#include "graph/sample_graphs.hpp"
#include "mpi_main.hpp"
#include "reference/adjacency.hpp"

namespace isobath {
namespace {

using test::SampleGraph;

/// A graph that this rank may spoil.
struct Patient {
  Patient(const SampleGraph& sample, GridShape shape, const GraphOptions& options = {})
      : grid(Grid::arrange(test::world(), shape)),
        edges(test::share_of(sample, test::world().rank(), test::world().size())),
        graph(construct_graph(edges, test::world(), grid, nobody, options)),
        adjacency(reference::adjacency(sample.num_vertices, sample.edges)) {}

  ArcCheck check(const EdgeStream& list) const {
    return check_arcs(graph, leaves_in_pairs(), list, test::world(), grid);
  }
  ArcCheck check() const { return check(edges); }

  std::int64_t leaves_in_pairs() const {
    std::int64_t count = 0;
    for (std::size_t leaf = 0; leaf < graph.numbering.leaves(); ++leaf) {
      count +=
          adjacency.neighbours[static_cast<std::size_t>(graph.leaves.neighbour[leaf])].size() == 1 ? 1 : 0;
    }
    return count;
  }
  std::int64_t arcs() const { return 2 * adjacency.num_distinct_edges(); }

  Grid grid;
  SpanEdgeStream edges;
  PhaseObserver nobody;
  Graph graph;
  reference::Adjacency adjacency;
};

bool passed(const ArcCheck& check) { return check.missing_arcs == 0 && check.stored_arcs == check.met_arcs; }

/// Planes and bits as construction makes them from the rows.
void refresh_streams(Graph& graph) {
  for (std::uint32_t row = 0; row < graph.layout.num_rows(); ++row) {
    const auto cols = graph.by_target.of(row);
    for (std::size_t k = 0; k < num_planes; ++k) {
      graph.plane[k][row] = k < cols.size() ? cols[k] : graph.layout.missing_col();
    }
    const Word bit = Word{1} << (row % word_bits);
    Word& has_arc = graph.has_arc[row / word_bits];
    Word& has_more = graph.has_more[row / word_bits];
    has_arc = cols.empty() ? has_arc & ~bit : has_arc | bit;
    has_more = cols.size() > num_planes ? has_more | bit : has_more & ~bit;
  }
}

/// Rows with row `row` replaced.
Rows with_row(const Rows& rows, std::uint32_t row, const std::vector<std::uint32_t>& neighbours) {
  Rows changed;
  changed.start = LargeArray<std::uint64_t>(rows.start.size());
  changed.neighbour = LargeArray<std::uint32_t>(rows.num_arcs() - rows.length(row) + neighbours.size());
  std::uint64_t at = 0;
  for (std::uint32_t r = 0; r < rows.num_rows(); ++r) {
    for (const std::uint32_t neighbour : r == row ? std::span<const std::uint32_t>(neighbours) : rows.of(r)) {
      changed.neighbour[at++] = neighbour;
    }
    changed.start[r + 1] = at;
  }
  return changed;
}

std::vector<std::uint32_t> row_of(const Rows& rows, std::uint32_t row) {
  const auto neighbours = rows.of(row);
  return {neighbours.begin(), neighbours.end()};
}

/// The rank that spoils its part: the last one that has what it needs.
bool is_chosen(bool has_what_it_needs) {
  const Communicator& world = test::world();
  const std::int64_t chosen = world.max(std::int64_t{has_what_it_needs ? world.rank() : -1});
  EXPECT_GE(chosen, 0) << "no rank can do this";
  return chosen == world.rank();
}

/// A row of this rank with at least `least` neighbours, or -1.
std::int64_t row_with(const Rows& rows, std::uint32_t least) {
  for (std::uint32_t row = static_cast<std::uint32_t>(rows.num_rows()); row-- > 0;) {
    if (rows.length(row) >= least) return row;
  }
  return -1;
}

struct Mutation {
  const char* name;
  std::function<void(Patient&)> spoil;
  bool is_missing;       // arcs of the edge list are not found
  std::int64_t surplus;  // stored arcs that no edge was found for, at least
};

void change_row(Rows& rows, std::uint32_t least,
                const std::function<void(std::vector<std::uint32_t>&)>& change) {
  const std::int64_t row = row_with(rows, least);
  if (!is_chosen(row >= 0)) return;
  std::vector<std::uint32_t> neighbours = row_of(rows, static_cast<std::uint32_t>(row));
  change(neighbours);
  rows = with_row(rows, static_cast<std::uint32_t>(row), neighbours);
}

void drop_an_arc(Patient& patient) {
  change_row(patient.graph.by_target, 2, [](auto& row) { row.erase(row.begin() + 1); });
  refresh_streams(patient.graph);
}

void drop_the_last_arc_of_a_long_row(Patient& patient) {
  change_row(patient.graph.by_target, 8, [](auto& row) { row.pop_back(); });
  refresh_streams(patient.graph);
}

void duplicate_an_arc(Patient& patient) {
  change_row(patient.graph.by_target, 2, [](auto& row) { row.insert(row.begin(), row.front()); });
  refresh_streams(patient.graph);
}

/// A column that the row lacks, at its place in the order.
void invent(std::vector<std::uint32_t>& row, const GridLayout& layout, bool replacing) {
  const HeavyFirst order(layout.col_offset);
  std::uint32_t col = 0;
  while (std::ranges::find(row, col) != row.end()) ++col;
  ASSERT_LT(col, layout.num_cols());
  if (replacing) row.pop_back();
  row.push_back(col);
  std::ranges::sort(row, {}, [&](std::uint32_t c) { return order.key_of(c); });
}

void invent_an_arc(Patient& patient) {
  change_row(patient.graph.by_target, 2, [&](auto& row) { invent(row, patient.graph.layout, false); });
  refresh_streams(patient.graph);
}

void replace_an_arc(Patient& patient) {
  change_row(patient.graph.by_target, 2, [&](auto& row) { invent(row, patient.graph.layout, true); });
  refresh_streams(patient.graph);
}

/// An own vertex as its own neighbour, on the rank whose grid row and column cross at it.
void store_a_self_loop(Patient& patient) {
  Graph& graph = patient.graph;
  if (is_chosen(graph.layout.own_searched() > 0)) {
    const HeavyFirst order(graph.layout.col_offset);
    std::vector<std::uint32_t> row = row_of(graph.by_target, graph.layout.own_row());
    row.push_back(graph.layout.own_col());
    std::ranges::sort(row, {}, [&](std::uint32_t c) { return order.key_of(c); });
    graph.by_target = with_row(graph.by_target, graph.layout.own_row(), row);
  }
  refresh_streams(graph);
}

/// Both arcs of one edge, wherever they are stored: the edge is gone without a trace.
void drop_an_edge(Patient& patient) {
  Graph& graph = patient.graph;
  const auto is_searched = [&](GlobalVertex v) {
    return patient.adjacency.neighbours[static_cast<std::size_t>(raw(v))].size() > 1;
  };
  GlobalVertex u{0};
  while (!is_searched(u)) u = GlobalVertex{raw(u) + 1};
  const auto& neighbours = patient.adjacency.neighbours[static_cast<std::size_t>(raw(u))];
  const GlobalVertex v = *std::ranges::find_if(neighbours, is_searched);
  const GridCodes codes = gather_codes(graph.layout, graph.numbering, patient.grid);
  const ArcRouter router(graph.layout);
  for (const auto& [source, target] : {Edge{u, v}, Edge{v, u}}) {
    const auto [rank, arc] = router.route(source, target);
    if (rank != test::world().rank()) continue;
    const std::uint32_t row = codes.row[arc.target];
    const std::uint32_t col = codes.col[arc.source];
    std::vector<std::uint32_t> by_target = row_of(graph.by_target, row);
    std::erase(by_target, col);
    graph.by_target = with_row(graph.by_target, row, by_target);
    if (graph.layout.shape.size() == 1) continue;
    std::vector<std::uint32_t> by_source = row_of(graph.by_source_stored, col);
    std::erase(by_source, row);
    graph.by_source_stored = with_row(graph.by_source_stored, col, by_source);
  }
  refresh_streams(graph);
}

void change_leaf_neighbour(Patient& patient) {
  Graph& graph = patient.graph;
  if (!is_chosen(graph.numbering.leaves() > 0)) return;
  std::int64_t& neighbour = graph.leaves.neighbour[graph.numbering.leaves() - 1];
  neighbour = (neighbour + 1) % graph.layout.blocks.num_vertices();
}

void cut_a_vertex_off(Patient& patient) {
  Graph& graph = patient.graph;
  if (!is_chosen(graph.layout.own_searched() > 0)) return;
  graph.numbering.code[graph.numbering.original[0]] = Numbering::isolated;
}

void lose_a_plane_entry(Patient& patient) {
  Graph& graph = patient.graph;
  const std::int64_t row = row_with(graph.by_target, 3);
  if (is_chosen(row >= 0)) graph.plane[2][static_cast<std::size_t>(row)] = graph.layout.missing_col();
}

void invent_a_plane_entry(Patient& patient) {
  Graph& graph = patient.graph;
  std::int64_t row = row_with(graph.by_target, 1);
  for (std::uint32_t r = 0; r < graph.by_target.num_rows(); ++r) {
    if (graph.by_target.length(r) == 1) row = r;
  }
  const bool can = row >= 0 && graph.by_target.length(static_cast<std::uint32_t>(row)) < num_planes;
  if (is_chosen(can)) graph.plane[num_planes - 1][static_cast<std::size_t>(row)] = 0;
}

void forget_that_a_row_has_more(Patient& patient) {
  Graph& graph = patient.graph;
  const std::int64_t row = row_with(graph.by_target, num_planes + 1);
  if (!is_chosen(row >= 0)) return;
  graph.has_more[static_cast<std::size_t>(row) / word_bits] &=
      ~(Word{1} << (static_cast<std::size_t>(row) % word_bits));
}

void forget_that_a_row_has_any(Patient& patient) {
  Graph& graph = patient.graph;
  const std::int64_t row = row_with(graph.by_target, 1);
  if (!is_chosen(row >= 0)) return;
  graph.has_arc[static_cast<std::size_t>(row) / word_bits] &=
      ~(Word{1} << (static_cast<std::size_t>(row) % word_bits));
}

std::vector<Mutation> mutations() {
  std::vector<Mutation> all = {
      {"an arc dropped", drop_an_arc, true, 0},
      {"the last arc of a long row dropped", drop_the_last_arc_of_a_long_row, true, 0},
      {"an edge dropped both ways", drop_an_edge, true, 0},
      {"an arc stored twice", duplicate_an_arc, false, 1},
      {"an arc invented", invent_an_arc, false, 1},
      {"an arc replaced by another", replace_an_arc, true, 1},
      {"a self-loop stored", store_a_self_loop, false, 1},
      {"a leaf with another neighbour", change_leaf_neighbour, true, 0},
      {"a vertex cut off", cut_a_vertex_off, true, 1},
      {"a first neighbour that bottom-up does not see", lose_a_plane_entry, true, 0},
      {"a first neighbour that only bottom-up sees", invent_a_plane_entry, false, 1},
      {"a long row that bottom-up takes for a short one", forget_that_a_row_has_more, true, 0},
      {"a row that bottom-up takes for an empty one", forget_that_a_row_has_any, true, 0},
  };
  if (test::world().size() == 1) return all;
  // On several ranks arcs are stored by source, too.
  all.push_back(
      {"an arc by source dropped",
       [](Patient& p) { change_row(p.graph.by_source_stored, 2, [](auto& row) { row.erase(row.begin()); }); },
       true, 0});
  all.push_back({"an arc by source stored twice",
                 [](Patient& p) {
                   change_row(p.graph.by_source_stored, 2, [](auto& row) { row.push_back(row.back()); });
                 },
                 false, 1});
  return all;
}

/// A row of this rank that holds an arc twice and another one, or -1.
std::int64_t row_with_copies(const Rows& rows) {
  for (std::uint32_t row = 0; row < rows.num_rows(); ++row) {
    const std::vector<std::uint32_t> neighbours = row_of(rows, row);
    if (neighbours.empty() || neighbours.front() == neighbours.back()) continue;
    if (std::ranges::adjacent_find(neighbours) != neighbours.end()) return row;
  }
  return -1;
}

void change_copies(Rows& rows, const std::function<void(std::vector<std::uint32_t>&)>& change) {
  const std::int64_t row = row_with_copies(rows);
  if (!is_chosen(row >= 0)) return;
  std::vector<std::uint32_t> neighbours = row_of(rows, static_cast<std::uint32_t>(row));
  change(neighbours);
  rows = with_row(rows, static_cast<std::uint32_t>(row), neighbours);
}

void drop_a_copy(std::vector<std::uint32_t>& row) { row.erase(std::ranges::adjacent_find(row)); }
void store_a_copy_more(std::vector<std::uint32_t>& row) {
  const auto copied = std::ranges::adjacent_find(row);
  row.insert(copied, *copied);
}
/// As many arcs as before: one copy less of an arc, one more of another.
void replace_a_copy(std::vector<std::uint32_t>& row) {
  const auto copied = std::ranges::adjacent_find(row);
  const auto other = std::ranges::find_if(row, [&](std::uint32_t of_row) { return of_row != *copied; });
  *copied = *other;
  std::ranges::sort(row);
}

std::vector<SampleGraph> patients() {
  return {test::kronecker_graph(8, 8), test::random_multigraph(1, 400, 1100, 4)};
}

TEST(CheckArcs, PassesWhatWasConstructed) {
  std::vector<SampleGraph> graphs = test::odd_graphs();
  graphs.push_back(test::kronecker_graph(9, 16));
  graphs.push_back(test::archipelago(2, 800));
  for (const SampleGraph& sample : graphs) {
    for (const GridShape shape : test::shapes_of(test::world().size())) {
      for (const int position_bits : {0, 5}) {
        const Patient patient(sample, shape, {.position_bits = position_bits});
        const ArcCheck check = patient.check();
        EXPECT_TRUE(passed(check)) << sample.name << " on " << shape.text();
        EXPECT_EQ(check.stored_arcs, patient.arcs()) << sample.name << " on " << shape.text();
        EXPECT_EQ(check.first_missing, (Edge{no_vertex, no_vertex}));
      }
    }
  }
}

TEST(CheckArcs, SaysNoToEveryMutation) {
  for (const SampleGraph& sample : patients()) {
    for (const GridShape shape : test::shapes_of(test::world().size())) {
      for (const Mutation& mutation : mutations()) {
        Patient patient(sample, shape);
        mutation.spoil(patient);
        const ArcCheck check = patient.check();
        const std::string where = std::string(mutation.name) + ", " + sample.name + " on " + shape.text();
        EXPECT_FALSE(passed(check)) << where;
        EXPECT_EQ(check.missing_arcs > 0, mutation.is_missing) << where;
        EXPECT_GE(check.stored_arcs - check.met_arcs, mutation.surplus) << where;
        EXPECT_EQ(raw(check.first_missing.u) >= 0, mutation.is_missing) << where;
      }
    }
  }
}

/// Where duplicates are kept, as many copies of an arc stand by source as by target and in the list.
TEST(CheckArcs, SaysNoToACopyBySourceMoreOrLess) {
  if (test::world().size() == 1) return;
  const GraphOptions as_published{
      .numbering = {.relabel = false, .leaves_out = false}, .keep_duplicates = true, .streams = false};
  struct Change {
    const char* name;
    void (*apply)(std::vector<std::uint32_t>&);
    bool is_missing;
    std::int64_t surplus;
  };
  const SampleGraph sample = test::random_multigraph(3, 60, 1500, 4);
  for (const GridShape shape : test::shapes_of(test::world().size())) {
    for (const Change& change :
         {Change{"dropped", drop_a_copy, true, 0}, Change{"stored once more", store_a_copy_more, false, 1},
          Change{"replaced by one of another arc", replace_a_copy, true, 1}}) {
      Patient patient(sample, shape, as_published);
      ASSERT_TRUE(passed(patient.check())) << shape.text();
      change_copies(patient.graph.by_source_stored, change.apply);
      const ArcCheck check = patient.check();
      const std::string where = std::string(change.name) + " on " + shape.text();
      EXPECT_FALSE(passed(check)) << where;
      EXPECT_EQ(check.missing_arcs > 0, change.is_missing) << where;
      EXPECT_GE(check.stored_arcs - check.met_arcs, change.surplus) << where;
    }
  }
}

/// The list that is checked against may differ from the one that was constructed: that shows as well.
TEST(CheckArcs, NoticesOneEdgeMoreAndOneEdgeLess) {
  const Communicator& world = test::world();
  // A cycle: every edge counts.
  constexpr std::int64_t n = 40;
  SampleGraph cycle{"a cycle of 40", n, {}};
  for (std::int64_t v = 0; v < n; ++v) cycle.edges.push_back({GlobalVertex{v}, GlobalVertex{(v + 1) % n}});
  for (const GridShape shape : test::shapes_of(test::world().size())) {
    const Patient patient(cycle, shape, {.position_bits = 3});
    const auto check = [&](const SampleGraph& list) {
      return patient.check(test::share_of(list, world.rank(), world.size()));
    };

    SampleGraph more = cycle;
    more.edges.push_back({GlobalVertex{31}, GlobalVertex{7}});
    const ArcCheck with_one_more = check(more);
    EXPECT_EQ(with_one_more.missing_arcs, 2) << shape.text();
    EXPECT_EQ(with_one_more.first_missing, (Edge{GlobalVertex{7}, GlobalVertex{31}})) << shape.text();

    SampleGraph less = cycle;
    less.edges.pop_back();
    const ArcCheck with_one_less = check(less);
    EXPECT_EQ(with_one_less.missing_arcs, 0) << shape.text();
    EXPECT_EQ(with_one_less.met_arcs, 2 * n - 2) << shape.text();
    EXPECT_GE(with_one_less.stored_arcs, 2 * n) << shape.text();

    SampleGraph same = cycle;  // self-loops and duplicates are no arcs
    same.edges.push_back({GlobalVertex{5}, GlobalVertex{5}});
    same.edges.push_back({GlobalVertex{6}, GlobalVertex{5}});
    EXPECT_TRUE(passed(check(same))) << shape.text();
  }
}

/// The lowest source with its lowest target, whichever rank misses it and whichever rank has the edge in its
/// share.
TEST(CheckArcs, NamesTheFirstMissingArc) {
  const Communicator& world = test::world();
  const SampleGraph sample = test::kronecker_graph(7, 4);
  for (const GridShape shape : test::shapes_of(test::world().size())) {
    const Patient patient(sample, shape, {.hypersparse = Hypersparse::always, .position_bits = 3});
    const auto& neighbours = patient.adjacency.neighbours;
    std::vector<std::int64_t> strangers;  // searched vertices, the first of which knows none of the others
    for (std::int64_t v = 0; v < sample.num_vertices && strangers.size() < 4; ++v) {
      const auto& of_v = neighbours[static_cast<std::size_t>(v)];
      if (of_v.size() < 2) continue;
      if (strangers.empty() || !std::ranges::binary_search(of_v, GlobalVertex{strangers[0]}))
        strangers.push_back(v);
    }
    ASSERT_EQ(strangers.size(), 4U);
    std::vector<Edge> list;
    if (world.rank() == world.size() - 1) {
      for (std::size_t k = 3; k > 0; --k)
        list.push_back({GlobalVertex{strangers[k]}, GlobalVertex{strangers[0]}});
    }
    const ArcCheck check = patient.check(SpanEdgeStream(sample.num_vertices, list));
    EXPECT_EQ(check.missing_arcs, 6) << shape.text();
    EXPECT_LE(check.met_arcs, 0) << shape.text();
    EXPECT_EQ(check.first_missing, (Edge{GlobalVertex{strangers[0]}, GlobalVertex{strangers[1]}}))
        << shape.text();
  }
}

}  // namespace
}  // namespace isobath
