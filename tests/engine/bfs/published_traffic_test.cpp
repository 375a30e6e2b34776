// SPDX-License-Identifier: Apache-2.0
// What the published plans send and receive, phase by phase: bitmap steps by closed form, proposals against a
// plain loop over the edges.
#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "bfs/hybrid/searched.hpp"
#include "bfs/oracle.hpp"
#include "bfs/planned.hpp"
#include "comm/messages/channel.hpp"
#include "graph/layout.hpp"
#include "mpi_main.hpp"
#include "partition/block_partition.hpp"

namespace isobath {
namespace {

using test::Oracle;
using test::PhaseTraffic;
using test::Planned;
using test::SampleGraph;
using test::Setting;
using test::shapes_of_plan;
using test::Variant;

SampleGraph sample() { return test::kronecker_graph(8, 8); }

std::size_t at(GlobalVertex v) { return static_cast<std::size_t>(raw(v)); }

/// What one search of one rank has to send, counted one arc after the other.
class Expected {
 public:
  Expected(const SampleGraph& graph, const Oracle& oracle, GridShape shape, GlobalVertex root)
      : shape_(shape),
        blocks_(graph.num_vertices, shape.size()),
        levels_(reference::bfs(oracle.adjacency(), root).levels),
        kept_(graph.edges) {
    for (std::size_t v = 0; v < oracle.adjacency().neighbours.size(); ++v) {
      for (const GlobalVertex u : oracle.adjacency().neighbours[v]) {
        if (at(u) < v) distinct_.push_back({GlobalVertex{static_cast<std::int64_t>(v)}, u});
      }
    }
  }

  std::int64_t num_levels() const { return std::int64_t{*std::ranges::max_element(levels_)} + 1; }
  std::int64_t words_of(int rank) const {
    return static_cast<std::int64_t>(padded_bits(static_cast<std::size_t>(blocks_.size(rank))) / word_bits);
  }
  /// Own vertices of a rank on a level.
  std::int64_t vertices_of(int rank, Level level) const {
    std::int64_t vertices = 0;
    for (std::int64_t v = blocks_.first(rank); v < blocks_.first(rank) + blocks_.size(rank); ++v) {
      vertices += levels_[static_cast<std::size_t>(v)] == level ? 1 : 0;
    }
    return vertices;
  }

  struct Proposals {
    std::int64_t sent = 0;
    std::int64_t received = 0;
    std::int64_t messages = 0;  // of the own way
    std::int64_t parcels = 0;   // levels and destinations with at least one
    std::int64_t arcs = 0;      // out of the frontier, stored on this rank
  };
  /// Of `rank`. @param per_message  proposals
  Proposals proposals(int rank, bool keep_duplicates, bool dedup, std::int64_t per_message) const {
    Proposals result;
    std::map<std::pair<Level, int>, std::int64_t> to;  // level of the source, destination
    // By the level on which they are proposed, since each is proposed once.
    std::vector<Edge> arcs;
    for (const auto& [u, v] : keep_duplicates ? kept_ : distinct_) {
      if (u == v) continue;
      arcs.insert(arcs.end(), {Edge{u, v}, Edge{v, u}});
    }
    std::ranges::stable_sort(arcs, {}, [&](const Edge& arc) { return levels_[at(arc.u)]; });
    std::set<std::pair<int, GlobalVertex>> proposed;
    for (const auto& [source, target] : arcs) {
      const Level level = levels_[at(source)];
      if (level < 0) continue;
      const int owner = blocks_.block_of(target);
      const int sender = shape_.rank_at(shape_.row_of(owner), shape_.col_of(blocks_.block_of(source)));
      if (sender == rank) ++result.arcs;
      if (sender == owner || (sender != rank && owner != rank)) continue;
      if (dedup && !proposed.insert({sender, target}).second) continue;
      if (owner == rank) {
        ++result.received;
      } else {
        ++result.sent;
        ++to[{level, owner}];
      }
    }
    for (const auto& [level_and_owner, count] : to) {
      result.messages += (count + per_message - 1) / per_message;
      ++result.parcels;
    }
    return result;
  }

 private:
  GridShape shape_;
  BlockPartition blocks_;
  std::vector<Level> levels_;
  std::vector<Edge> kept_;
  std::vector<Edge> distinct_;
};

/// A search with its traffic.
struct CountedSearch {
  CountedSearch(const SampleGraph& graph, GridShape shape, const Variant& variant, GlobalVertex root,
                int threads = 1)
      : setting(best_instruction_set(), threads),
        planned(graph, test::world(), shape, variant),
        told(planned.plan()) {
    planned.plan().search(root, told);
    told.settle();
  }
  const Traffic& of(Phase phase) const { return told.of(phase); }

  Setting setting;
  Planned planned;
  PhaseTraffic told;
};

void expect_reduction_per_level(const CountedSearch& run, const std::string& where) {
  const std::int64_t others = test::world().size() - 1;
  EXPECT_EQ(run.of(Phase::reduce).bytes_sent, 8 * others * run.told.levels()) << where;
  EXPECT_EQ(run.of(Phase::reduce).bytes_received, 8 * others * run.told.levels()) << where;
}

/// Whatever is sent, is sent in one of these.
void expect_nothing_but(const CountedSearch& run, std::initializer_list<Phase> phases,
                        const std::string& where) {
  for (std::size_t p = 0; p < num_phases; ++p) {
    const auto phase = static_cast<Phase>(p);
    if (std::ranges::find(phases, phase) != phases.end()) continue;
    EXPECT_EQ(run.of(phase).bytes_sent, 0) << where << ": " << name_of(phase);
    EXPECT_EQ(run.of(phase).bytes_received, 0) << where << ": " << name_of(phase);
  }
}

TEST(PublishedTraffic, OfReplicatedPlansHasAClosedForm) {
  const SampleGraph graph = sample();
  const Oracle oracle(graph);
  const int me = test::world().rank();
  const int ranks = test::world().size();
  for (const char* const plan : {"replicated-csr", "replicated-csc"}) {
    for (const GlobalVertex root : oracle.roots(3)) {
      const GridShape shape{ranks, 1};
      const CountedSearch run(graph, shape, {plan}, root);
      const Expected expected(graph, oracle, shape, root);
      const std::int64_t levels = expected.num_levels();
      const auto bytes_of = [&](int rank) {
        const std::int64_t words = expected.words_of(rank);
        return 8 * words + 8 * ((words + 63) / 64);
      };
      std::int64_t others = 0;
      for (int rank = 0; rank < ranks; ++rank) others += rank == me ? 0 : bytes_of(rank);
      EXPECT_EQ(run.told.levels(), levels) << plan;
      EXPECT_EQ(run.of(Phase::expand).bytes_sent, (levels - 1) * bytes_of(me) * (ranks - 1)) << plan;
      EXPECT_EQ(run.of(Phase::expand).bytes_received, (levels - 1) * others) << plan;
      EXPECT_EQ(run.of(Phase::expand).messages, (levels - 1) * 2 * (ranks - 1)) << plan;
      expect_reduction_per_level(run, plan);
      expect_nothing_but(run, {Phase::expand, Phase::reduce}, plan);
    }
  }
}

/// Blocks whose summaries do not fill words, and more than one of them.
TEST(PublishedTraffic, SummariesAreRightWhereBlocksAreLong) {
  const SampleGraph graph = test::random_multigraph(21, 40'000, 60'000, 5);
  const Oracle oracle(graph);
  const int ranks = test::world().size();
  for (const char* const plan : {"replicated-csr", "replicated-csc"}) {
    Planned planned(graph, test::world(), {ranks, 1}, {plan});
    for (const GlobalVertex root : oracle.roots(2)) {
      const auto parents = planned.parents(root);
      if (test::world().rank() == 0) {
        EXPECT_EQ(oracle.complaint(parents, root), "");
      }
    }
  }
}

void expect_fold(const SampleGraph& graph, const Oracle& oracle, GridShape shape, const Variant& variant,
                 GlobalVertex root, int threads) {
  const std::string where =
      fmt::format("{} on {}, {} threads, root {}", variant.text(), shape.text(), threads, raw(root));
  const CountedSearch run(graph, shape, variant, root, threads);
  const Switches switches = variant.switches();
  const std::int64_t tuple = switches.id_bits / 4;
  const auto expected = Expected(graph, oracle, shape, root)
                            .proposals(test::world().rank(), switches.keep_duplicates, switches.dedup,
                                       static_cast<std::int64_t>(coalesced_bytes) / tuple);
  EXPECT_EQ(run.of(Phase::fold).bytes_sent + run.of(Phase::top_down).bytes_sent, tuple * expected.sent)
      << where;
  EXPECT_EQ(run.of(Phase::fold).bytes_sent, tuple * expected.sent) << where;
  EXPECT_EQ(run.of(Phase::fold).bytes_received, tuple * expected.received) << where;
  EXPECT_EQ(run.of(Phase::fold).messages, expected.messages) << where;
  EXPECT_EQ(run.told.arcs_scanned(), expected.arcs) << where;
  expect_reduction_per_level(run, where);
  expect_nothing_but(run, {Phase::expand, Phase::fold, Phase::reduce}, where);
}

TEST(PublishedTraffic, OfProposalsIsOneForEachArcOutOfTheFrontier) {
  const SampleGraph graph = sample();
  const Oracle oracle(graph);
  const GlobalVertex root = oracle.roots(1)[0];
  for (const char* const plan : {"simple", "two-dim"}) {
    const std::vector<Variant> variants = {
        {plan},
        {plan, "duplicates=drop"},
        {plan, "dedup=local"},
        {plan, "duplicates=drop dedup=local ids=32"},
    };
    for (const GridShape shape : shapes_of_plan(plan, test::world().size())) {
      for (const Variant& variant : variants) {
        for (const int threads : {1, 2}) expect_fold(graph, oracle, shape, variant, root, threads);
      }
    }
  }
}

TEST(PublishedTraffic, OfExpandOnAGridHasAClosedForm) {
  const SampleGraph graph = sample();
  const Oracle oracle(graph);
  const int me = test::world().rank();
  for (const GlobalVertex root : oracle.roots(2)) {
    for (const GridShape shape : shapes_of_plan("two-dim", test::world().size())) {
      const Expected expected(graph, oracle, shape, root);
      const std::int64_t levels = expected.num_levels();
      const std::int64_t partners = shape.rows - 1;
      std::int64_t list_bytes = 0;
      std::int64_t smaller_bytes = 0;
      for (Level level = 1; level < levels; ++level) {
        std::int64_t in_column = 0;
        std::int64_t column_words = 0;
        for (int row = 0; row < shape.rows; ++row) {
          const int rank = shape.rank_at(row, shape.col_of(me));
          in_column += expected.vertices_of(rank, level);
          column_words += expected.words_of(rank);
        }
        const std::int64_t own_list = 4 * expected.vertices_of(me, level);
        const bool takes_bitmap = 8 * column_words < 4 * in_column;
        list_bytes += partners * (8 + own_list);
        smaller_bytes += partners * (8 + (takes_bitmap ? 8 * expected.words_of(me) : own_list));
      }
      const std::int64_t bitmap_bytes = (levels - 1) * partners * 8 * expected.words_of(me);
      const auto expand_of = [&](const char* frontier) {
        return CountedSearch(graph, shape, {"two-dim", fmt::format("frontier={}", frontier)}, root)
            .of(Phase::expand)
            .bytes_sent;
      };
      EXPECT_EQ(expand_of("bitmap"), bitmap_bytes) << shape.text();
      EXPECT_EQ(expand_of("list"), list_bytes) << shape.text();
      EXPECT_EQ(expand_of("smaller"), smaller_bytes) << shape.text();
    }
  }
}

/// One grid column: the bytes of the replicated plans, without their summary. One grid row: those of simple.
TEST(PublishedTraffic, OfOneRowOrColumnIsThatOfTheOneDimensionalPlans) {
  const SampleGraph graph = sample();
  const Oracle oracle(graph);
  const int ranks = test::world().size();
  const auto same = [](const Traffic& a, const Traffic& b) {
    return a.bytes_sent == b.bytes_sent && a.bytes_received == b.bytes_received && a.messages == b.messages;
  };
  for (const GlobalVertex root : oracle.roots(2)) {
    const GridShape column{ranks, 1};
    const CountedSearch two_dim(graph, column, {"two-dim"}, root);
    for (const char* const plan : {"replicated-csr", "replicated-csc"}) {
      const CountedSearch replicated(graph, column, {plan}, root);
      const Expected expected(graph, oracle, column, root);
      const std::int64_t summary_words = (expected.words_of(test::world().rank()) + 63) / 64;
      const std::int64_t summaries = (expected.num_levels() - 1) * (ranks - 1) * 8 * summary_words;
      EXPECT_EQ(two_dim.told.whole().bytes_sent, replicated.told.whole().bytes_sent - summaries) << plan;
      EXPECT_EQ(two_dim.of(Phase::expand).bytes_sent, replicated.of(Phase::expand).bytes_sent - summaries);
    }
    for (const char* const asked : {"", "dedup=local ids=32"}) {
      const CountedSearch simple(graph, {1, ranks}, {"simple", asked}, root);
      const CountedSearch row(graph, {1, ranks}, {"two-dim", asked}, root);
      for (std::size_t p = 0; p < num_phases; ++p) {
        EXPECT_TRUE(same(row.of(static_cast<Phase>(p)), simple.of(static_cast<Phase>(p)))) << phase_names[p];
      }
    }
  }
}

/// Whatever way they take, the same proposals travel. One-sided rounds have a header of 8 bytes for each
/// parcel, segments of two levels one of 16; eager tells 8 bytes to every other rank in every level.
TEST(PublishedTraffic, OfDataIsTheSameWithAllExchanges) {
  const SampleGraph graph = sample();
  const Oracle oracle(graph);
  const GlobalVertex root = oracle.roots(1)[0];
  for (const char* const plan : {"simple", "two-dim"}) {
    for (const GridShape shape : shapes_of_plan(plan, test::world().size())) {
      const auto expected =
          Expected(graph, oracle, shape, root).proposals(test::world().rank(), true, false, 256);
      for (const std::string_view exchange : exchange_names) {
        const Variant variant{plan, fmt::format("exchange={}", exchange)};
        const std::int64_t header = exchange == "one-sided" ? 8 : exchange == "two-level" ? 16 : 0;
        const CountedSearch run(graph, shape, variant, root);
        const std::int64_t told = exchange == "eager" ? 8 * (shape.cols - 1) * run.told.levels() : 0;
        EXPECT_EQ(run.of(Phase::fold).bytes_sent, 16 * expected.sent + header * expected.parcels + told)
            << variant.text() << " on " << shape.text();
        EXPECT_EQ(run.told.arcs_scanned(), expected.arcs) << variant.text();
        expect_reduction_per_level(run, variant.text());
        expect_nothing_but(run, {Phase::expand, Phase::count, Phase::fold, Phase::reduce}, variant.text());
      }
    }
  }
}

/// Two accumulates of 8 bytes for each arc; played by an exchange, one record of 24.
TEST(PublishedTraffic, OfOneSidedIsTwoElementsForEachArc) {
  const SampleGraph graph = test::kronecker_graph(8, 5);
  const Oracle oracle(graph);
  const int ranks = test::world().size();
  const GridShape shape{1, ranks};
  for (const GlobalVertex root : oracle.roots(2)) {
    const auto expected =
        Expected(graph, oracle, shape, root).proposals(test::world().rank(), true, false, 1);
    const CountedSearch windows(graph, shape, {"one-sided"}, root);
    EXPECT_EQ(windows.of(Phase::fold).bytes_sent, 16 * expected.sent);
    EXPECT_EQ(windows.of(Phase::fold).messages, 2 * expected.sent);
    EXPECT_EQ(windows.of(Phase::fold).bytes_received, 0);  // nobody is told what others store
    EXPECT_EQ(windows.told.arcs_scanned(), expected.arcs);
    expect_reduction_per_level(windows, "windows");
    expect_nothing_but(windows, {Phase::fold, Phase::reduce}, "windows");
    const CountedSearch emulated(graph, shape, {"one-sided", "exchange=emulated"}, root);
    EXPECT_EQ(emulated.of(Phase::fold).bytes_sent, 24 * expected.sent);
    EXPECT_EQ(emulated.of(Phase::fold).bytes_received, 24 * expected.received);
    EXPECT_EQ(emulated.of(Phase::count).bytes_sent, 8 * (ranks - 1) * emulated.told.levels());
    EXPECT_EQ(emulated.told.arcs_scanned(), expected.arcs);
    expect_reduction_per_level(emulated, "emulated");
    expect_nothing_but(emulated, {Phase::count, Phase::fold, Phase::reduce}, "emulated");
  }
}

TEST(PublishedTraffic, ObserversAreToldLevelsInOrder) {
  const SampleGraph graph = sample();
  const Oracle oracle(graph);
  for (const std::string& plan : plan_names()) {
    if (plan == "hybrid") continue;
    const Variant variant{std::string(plan)};
    for (const GlobalVertex root : oracle.roots(2)) {
      const CountedSearch run(graph, default_shape(plan, test::world().size()), variant, root);
      std::vector<std::int64_t> frontiers;
      for (const Level level : reference::bfs(oracle.adjacency(), root).levels) {
        if (level < 0) continue;
        if (std::ssize(frontiers) <= level) frontiers.resize(static_cast<std::size_t>(level) + 1);
        ++frontiers[static_cast<std::size_t>(level)];
      }
      EXPECT_TRUE(run.told.is_in_order()) << plan;
      EXPECT_EQ(run.told.frontiers(), frontiers) << plan;
      EXPECT_EQ(run.told.last_phase(), Phase::emit) << plan;
      for (const Direction direction : run.told.directions()) {
        EXPECT_EQ(direction == Direction::bottom_up, plan == "replicated-csr");
      }
    }
  }
}

}  // namespace
}  // namespace isobath
