// SPDX-License-Identifier: Apache-2.0
#include "validate/edge_rules.hpp"

#include <algorithm>
#include <array>

#include "base/first_exception.hpp"
#include "validate/edge_checks.hpp"
#include "validate/edge_classes.hpp"
#include "validate/vertex_index.hpp"

namespace isobath {
namespace {

/// Rules 3 and 4 on an edge that is no self-loop, by the levels of its ends (-1: outside the tree).
/// Returns by how much v is deeper, 0 where an end is outside.
std::int64_t judge(Edge edge, std::int64_t level_u, std::int64_t level_v, RuleTally<BfsRule>& rules) {
  if (level_u < 0 && level_v < 0) return 0;
  if (level_u < 0) {
    rules.add(BfsRule::spans_component, edge.u, edge.v);
    return 0;
  }
  if (level_v < 0) {
    rules.add(BfsRule::spans_component, edge.v, edge.u);
    return 0;
  }
  if (level_u > level_v + 1) rules.add(BfsRule::edge_levels, edge.u, edge.v);
  if (level_v > level_u + 1) rules.add(BfsRule::edge_levels, edge.v, edge.u);
  return level_v - level_u;
}

template <class CodeOfU, class CodeOfV>
void begin_batch(EdgeBatch& batch, std::span<const Edge> edges, const CodeOfU& code_of_u,
                 const CodeOfV& code_of_v) {
  const std::size_t count = edges.size();
  for (std::size_t i = 0; i < count; ++i) {
    const Edge edge = edges[i];
    batch.low_u[i] = static_cast<std::uint8_t>(raw(edge.u));
    batch.low_v[i] = static_cast<std::uint8_t>(raw(edge.v));
    batch.code_u[i] = code_of_u(edge, i);
    batch.code_v[i] = code_of_v(edge, i);
  }
  batch.size = count;
}

/// Classifies a batch and counts its edges; calls candidate(child, parent) and apart(edge, i) for what the
/// codes leave open.
template <class Candidate, class Apart>
void settle_batch(EdgeBatch& batch, std::span<const Edge> edges, TreeEdgeCounts& counts,
                  const Candidate& candidate, const Apart& apart) {
  counts.traversed_edges += batch.classify();
  batch.for_each_flagged([&](std::size_t i) {
    const Edge edge = edges[i];
    const std::uint8_t classes = batch.classes[i];
    if ((classes & (edge_class::self_loop | edge_class::apart)) != 0) {
      if (edge.u != edge.v) {
        if ((classes & edge_class::apart) != 0) apart(edge, i);
      } else if (level_code::is_in_tree(batch.code_u[i])) {
        ++counts.self_loops;
        --counts.traversed_edges;
      }
      return;
    }
    const bool v_is_child = (classes & edge_class::tree_edge_of_v) != 0;
    candidate(v_is_child ? edge.v : edge.u, v_is_child ? edge.u : edge.v);
  });
}

}  // namespace

void EdgeRules::Tallies::merge(const Tallies& other) {
  counts.traversed_edges += other.counts.traversed_edges;
  counts.self_loops += other.counts.self_loops;
  rules.merge(other.rules);
}

EdgeRules::EdgeRules(const Communicator& world, const BlockPartition& partition, const EdgeStream& edges,
                     OwnerExchange& exchange, GatheredVertices& gathered)
    : world_(world),
      edges_(edges),
      exchange_(exchange),
      gathered_(gathered),
      partition_(partition),
      marks_(gathered.first_held(), gathered.num_held()) {}

/// Most edges of one round; equal on every rank.
std::size_t EdgeRules::chunk() const { return exchange_.chunk() / 2; }  // two questions per edge

void EdgeRules::make_room_for_chunk() {
  const std::size_t chunk = std::min(this->chunk(), static_cast<std::size_t>(edges_.size()));
  if (chunk_edges_.size() == chunk) return;
  chunk_edges_ = LargeArray<Edge>(chunk);
  chunk_codes_ = LargeArray<LevelCode>(2 * chunk);
  chunk_levels_ = LargeArray<std::int64_t>(2 * chunk);
  candidates_.reserve(chunk);
  apart_.reserve(chunk);
}

TreeEdgeCounts EdgeRules::check(GlobalVertex root, std::span<const GlobalVertex> parents,
                                const TreeLevels& levels, RuleTally<BfsRule>& tally) {
  marks_.begin(root);
  TreeEdgeCounts counts;
  if (world_.size() == 1) {
    counts = check_at_hand(
        levels.codes(), [&](GlobalVertex v) { return levels.level_of(index(v)); },
        [&](GlobalVertex child, GlobalVertex parent) { return parents[index(child)] == parent; }, tally);
  } else if (gathered_.are_gathered() && !levels.any_deep()) {
    gathered_.share_parents(parents);
    const std::span<const LevelCode> codes = levels.held_codes();
    counts = check_at_hand(
        codes, [&](GlobalVertex v) { return level_code::level_of(codes[index(v)]); },
        [&](GlobalVertex child, GlobalVertex parent) { return gathered_.is_parent(child, parent); }, tally);
    gathered_.unite_own(marks_.words());
  } else {
    counts = check_together(parents, levels, tally);
  }
  report_unconfirmed(parents, levels, tally);
  return counts;
}

/// Codes and parents of all vertices are here, nothing is copied.
template <class LevelOf, class IsParent>
TreeEdgeCounts EdgeRules::check_at_hand(std::span<const LevelCode> codes_of_all, const LevelOf& level_of,
                                        const IsParent& is_parent, RuleTally<BfsRule>& tally) {
  const LevelCode* const codes = codes_of_all.data();
  const std::int64_t num_blocks = (edges_.size() + edges_of_block - 1) / edges_of_block;
  FirstException exception;
  Tallies total;
#pragma omp parallel
  {
    Tallies mine;
    EdgeBatch batch;
    std::array<GlobalVertex, EdgeBatch::capacity> children;  // whose tree edge was met
    const auto check_batch = [&](std::span<const Edge> edges) {
      expect_vertices_exist(edges, partition_.num_vertices());
      begin_batch(
          batch, edges, [&](Edge edge, std::size_t) { return codes[index(edge.u)]; },
          [&](Edge edge, std::size_t) { return codes[index(edge.v)]; });
      std::size_t num_children = 0;
      settle_batch(
          batch, edges, mine.counts,
          [&](GlobalVertex child, GlobalVertex parent) {
            children[num_children] = child;
            num_children += is_parent(child, parent) ? 1U : 0U;  // nobody could foretell a branch
          },
          [&](Edge edge, std::size_t) {
            const std::int64_t deeper = judge(edge, level_of(edge.u), level_of(edge.v), mine.rules);
            if (deeper == 1 && is_parent(edge.v, edge.u)) marks_.mark(edge.v);
            if (deeper == -1 && is_parent(edge.u, edge.v)) marks_.mark(edge.u);
          });
      for (std::size_t k = 0; k < num_children; ++k) marks_.mark(children[k]);
    };
#pragma omp for schedule(dynamic, 1)
    for (std::int64_t block = 0; block < num_blocks; ++block) {
      const std::int64_t first = block * edges_of_block;
      exception.guard([&] {
        for_each_batch(edges_, first, std::min(first + edges_of_block, edges_.size()), check_batch);
      });
    }
#pragma omp critical(isobath_edge_rules)
    total.merge(mine);
  }
  exception.rethrow();
  tally.merge(total.rules);
  return total.counts;
}

/// Several ranks: a chunk of edges at a time. All ranks make the same number of rounds.
TreeEdgeCounts EdgeRules::check_together(std::span<const GlobalVertex> parents, const TreeLevels& levels,
                                         RuleTally<BfsRule>& tally) {
  make_room_for_chunk();
  const auto chunk = static_cast<std::int64_t>(this->chunk());
  const std::int64_t rounds = exchange_.rounds(2 * edges_.size());
  Tallies total;
  for (std::int64_t round = 0; round < rounds; ++round) {
    const std::int64_t first = std::min(round * chunk, edges_.size());
    candidates_.clear();
    apart_.clear();
    check_chunk(first, static_cast<std::size_t>(std::min(chunk, edges_.size() - first)), levels, total);
    if (levels.any_deep()) judge_apart(levels, total);
    deliver_candidates(parents);
  }
  tally.merge(total.rules);
  return total.counts;
}

/// Collective. Reads a chunk of edges and asks for the codes of their ends.
void EdgeRules::check_chunk(std::int64_t first, std::size_t count, const TreeLevels& levels, Tallies& total) {
  FirstException exception;
#pragma omp parallel
  exception.guard([&] {
    const auto share = static_share(static_cast<std::int64_t>(count), thread_id(), num_threads());
    const std::span<Edge> part = chunk_edges_.span().subspan(
        static_cast<std::size_t>(share.first), static_cast<std::size_t>(share.second - share.first));
    edges_.read(first + share.first, part);
    expect_vertices_exist(part, partition_.num_vertices());
  });
  exception.rethrow();
  const std::span<const LevelCode> codes = levels.codes();
  exchange_.ask<LevelCode>(
      2 * count, [&](std::size_t i) { return i % 2 == 0 ? chunk_edges_[i / 2].u : chunk_edges_[i / 2].v; },
      [&](std::size_t v) { return codes[v]; }, chunk_codes_.span());
  classify_chunk(count, levels.any_deep(), total);
}

/// Sorts a chunk of edges by what the codes of their ends say.
void EdgeRules::classify_chunk(std::size_t count, bool codes_may_be_deep, Tallies& total) {
#pragma omp parallel
  {
    Tallies mine;
    EdgeBatch batch;
    std::array<Edge, EdgeBatch::capacity> candidates;
    std::array<Edge, EdgeBatch::capacity> apart;
#pragma omp for schedule(static)
    for (std::size_t first = 0; first < count; first += EdgeBatch::capacity) {
      const std::span<const Edge> edges =
          chunk_edges_.span().subspan(first, std::min(EdgeBatch::capacity, count - first));
      const LevelCode* const codes = chunk_codes_.data() + 2 * first;
      begin_batch(
          batch, edges, [&](Edge, std::size_t i) { return codes[2 * i]; },
          [&](Edge, std::size_t i) { return codes[2 * i + 1]; });
      std::size_t num_candidates = 0;
      std::size_t num_apart = 0;
      settle_batch(
          batch, edges, mine.counts,
          [&](GlobalVertex child, GlobalVertex parent) { candidates[num_candidates++] = {child, parent}; },
          [&](Edge edge, std::size_t i) {
            if (codes_may_be_deep) {
              apart[num_apart++] = edge;
            } else {
              judge(edge, level_code::level_of(batch.code_u[i]), level_code::level_of(batch.code_v[i]),
                    mine.rules);
            }
          });
      candidates_.append(std::span(candidates).first(num_candidates));
      apart_.append(std::span(apart).first(num_apart));
    }
#pragma omp critical(isobath_edge_rules)
    total.merge(mine);
  }
}

/// Collective. Edges with ends below level 28, and those that break a rule: their exact levels decide.
void EdgeRules::judge_apart(const TreeLevels& levels, Tallies& total) {
  const std::span<const Edge> edges = apart_.edges();
  exchange_.ask<std::int64_t>(
      2 * edges.size(), [&](std::size_t i) { return i % 2 == 0 ? edges[i / 2].u : edges[i / 2].v; },
      [&](std::size_t v) { return levels.level_of(v); }, chunk_levels_.span());
  for (std::size_t i = 0; i < edges.size(); ++i) {
    const std::int64_t deeper = judge(edges[i], chunk_levels_[2 * i], chunk_levels_[2 * i + 1], total.rules);
    const Edge turned{edges[i].v, edges[i].u};
    if (deeper == 1) candidates_.append(std::span(&turned, 1));
    if (deeper == -1) candidates_.append(std::span(&edges[i], 1));
  }
}

/// Collective. Edges that may be tree edges go to the owner of the child.
void EdgeRules::deliver_candidates(std::span<const GlobalVertex> parents) {
  const std::int64_t first = partition_.first(world_.rank());
  exchange_.deliver<Edge>(
      candidates_.edges(), [](Edge child_and_parent) { return child_and_parent.u; },
      [&](std::span<const Edge> arrived) {
#pragma omp parallel for schedule(static)
        for (std::size_t i = 0; i < arrived.size(); ++i) {
          const auto [child, parent] = arrived[i];
          if (parents[static_cast<std::size_t>(raw(child) - first)] == parent) marks_.mark(child);
        }
      });
}

/// Rule 5: vertices of the tree whose tree edge was not met.
void EdgeRules::report_unconfirmed(std::span<const GlobalVertex> parents, const TreeLevels& levels,
                                   RuleTally<BfsRule>& tally) const {
  const std::span<const LevelCode> codes = levels.codes();
  const std::int64_t first = partition_.first(world_.rank());
  const auto own = [&](GlobalVertex v) { return static_cast<std::size_t>(raw(v) - first); };
#pragma omp parallel
  {
    RuleTally<BfsRule> found;
    marks_.for_each_missing(
        first, partition_.size(world_.rank()),
        [&](GlobalVertex v) { return level_code::is_in_tree(codes[own(v)]); },
        [&](GlobalVertex v) { found.add(BfsRule::tree_edges, v, parents[own(v)]); });
#pragma omp critical(isobath_edge_rules)
    tally.merge(found);
  }
}

}  // namespace isobath
