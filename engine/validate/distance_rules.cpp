// SPDX-License-Identifier: Apache-2.0
#include "validate/distance_rules.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "base/first_exception.hpp"
#include "validate/distance_classes.hpp"
#include "validate/edge_checks.hpp"
#include "validate/vertex_index.hpp"

namespace isobath {
namespace {

/// Rules 4 and 5 on an edge that breaks one of them, by its end distances.
void judge(Edge edge, float to_u, float to_v, float weight, RuleTally<SsspRule>& rules) {
  if (!end_distance::is_in_tree(to_u)) {
    rules.add(SsspRule::spans_component, edge.u, edge.v);
  } else if (!end_distance::is_in_tree(to_v)) {
    rules.add(SsspRule::spans_component, edge.v, edge.u);
  } else if (to_u + weight < to_v) {
    rules.add(SsspRule::edge_distances, edge.v, edge.u);
  } else {
    rules.add(SsspRule::edge_distances, edge.u, edge.v);
  }
}

template <class EndOfU, class EndOfV>
void begin_batch(DistanceBatch& batch, std::span<const Edge> edges, std::span<const float> weights,
                 const EndOfU& end_of_u, const EndOfV& end_of_v) {
  const std::size_t count = edges.size();
  for (std::size_t i = 0; i < count; ++i) {
    const Edge edge = edges[i];
    batch.to_u[i] = end_of_u(edge, i);
    batch.to_v[i] = end_of_v(edge, i);
    batch.self_loops[i] = edge.u == edge.v ? 1 : 0;
  }
  std::copy(weights.begin(), weights.end(), batch.weights.begin());
  batch.size = count;
}

/// Classifies a batch, counts its edges and judges those that break a rule; calls candidate(child, parent)
/// for those that may be tree edges.
template <class Candidate>
void settle_batch(DistanceBatch& batch, std::span<const Edge> edges, TreeEdgeCounts& counts,
                  RuleTally<SsspRule>& rules, const Candidate& candidate) {
  counts.traversed_edges += batch.classify();
  batch.for_each_flagged([&](std::size_t i) {
    const Edge edge = edges[i];
    const std::uint8_t classes = batch.classes[i];
    if ((classes & edge_class::self_loop) != 0) {
      const std::int64_t in_tree = end_distance::is_in_tree(batch.to_u[i]) ? 1 : 0;
      counts.self_loops += in_tree;
      counts.traversed_edges -= in_tree;
      return;
    }
    if ((classes & edge_class::apart) != 0)
      judge(edge, batch.to_u[i], batch.to_v[i], batch.weights[i], rules);
    if ((classes & edge_class::tree_edge_of_v) != 0) candidate(edge.v, edge.u);
    if ((classes & edge_class::tree_edge_of_u) != 0) candidate(edge.u, edge.v);
  });
}

}  // namespace

void DistanceRules::Tallies::merge(const Tallies& other) {
  counts.traversed_edges += other.counts.traversed_edges;
  counts.self_loops += other.counts.self_loops;
  rules.merge(other.rules);
}

DistanceRules::DistanceRules(const Communicator& world, const BlockPartition& partition,
                             const WeightedEdgeStream& edges, OwnerExchange& exchange,
                             GatheredVertices& gathered)
    : world_(world),
      edges_(edges),
      exchange_(exchange),
      gathered_(gathered),
      num_vertices_(partition.num_vertices()),
      first_(partition.first(world.rank())),
      held_ends_(static_cast<std::size_t>(gathered.num_held())),
      ends_(gathered.own(held_ends_.span())),
      marks_(gathered.first_held(), gathered.num_held()) {}

/// Most edges of one round; equal on every rank.
std::size_t DistanceRules::chunk() const { return exchange_.chunk() / 2; }  // two questions per edge

void DistanceRules::make_room_for_chunk() {
  const std::size_t chunk = std::min(this->chunk(), static_cast<std::size_t>(edges_.size()));
  if (chunk_edges_.size() == chunk) return;
  chunk_edges_ = LargeArray<Edge>(chunk);
  chunk_weights_ = LargeArray<float>(chunk);
  chunk_ends_ = LargeArray<float>(2 * chunk);
  candidates_.reserve(2 * chunk);  // where a weight adds nothing, either end may be the child
}

DistanceRules::Facts DistanceRules::check(GlobalVertex root, std::span<const GlobalVertex> parents,
                                          std::span<const float> distances, const TreeLevels& levels,
                                          RuleTally<SsspRule>& tally) {
  marks_.begin(root);
  Facts facts = take_distances(root, parents, distances, levels, tally);
  Tallies total;
  if (world_.size() == 1) {
    check_at_hand([&](GlobalVertex child, GlobalVertex parent) { return parents[index(child)] == parent; },
                  total);
  } else if (gathered_.are_gathered()) {
    gathered_.share_parents(parents);
    gathered_.share(held_ends_.span());
    check_at_hand([&](GlobalVertex child, GlobalVertex parent) { return gathered_.is_parent(child, parent); },
                  total);
    gathered_.unite_own(marks_.words());
  } else {
    check_together(parents, total);
  }
  facts.edges = total.counts;
  tally.merge(total.rules);
  report_unconfirmed(parents, tally);
  return facts;
}

/// Rule 3, and what edges will ask for.
DistanceRules::Facts DistanceRules::take_distances(GlobalVertex root, std::span<const GlobalVertex> parents,
                                                   std::span<const float> distances, const TreeLevels& levels,
                                                   RuleTally<SsspRule>& tally) {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  const std::span<const LevelCode> codes = levels.codes();
  double sum = 0;
  double longest = 0;
#pragma omp parallel reduction(+ : sum) reduction(max : longest)
  {
    RuleTally<SsspRule> found;
#pragma omp for schedule(static)
    for (std::size_t v = 0; v < distances.size(); ++v) {
      const float claimed = distances[v];
      const bool is_distance = end_distance::is_distance(claimed);
      const bool in_tree = level_code::is_in_tree(codes[v]);
      const bool is_right = parents[v] == no_vertex ? claimed == infinity : is_distance;
      const GlobalVertex vertex{first_ + static_cast<std::int64_t>(v)};
      if (!is_right && vertex != root) found.add(SsspRule::distance_range, vertex, parents[v]);
      ends_[v] = !in_tree ? end_distance::outside : is_distance ? claimed : end_distance::unusable;
      const double counted = in_tree && is_distance ? double{claimed} : 0;
      sum += counted;
      longest = std::max(longest, counted);
    }
#pragma omp critical(isobath_distance_rules)
    tally.merge(found);
  }
  const auto own_root = static_cast<std::size_t>(raw(root) - first_);  // wraps where it is another rank's
  if (own_root < distances.size() && distances[own_root] != 0) {
    tally.add(SsspRule::distance_range, root, parents[own_root]);
  }
  return {.edges = {}, .distance_sum = sum, .distance_max = longest};
}

/// Distances and parents of all vertices are here, nothing is copied.
template <class IsParent>
void DistanceRules::check_at_hand(const IsParent& is_parent, Tallies& total) {
  const float* const ends = held_ends_.data();
  const std::int64_t num_blocks = (edges_.size() + edges_of_block - 1) / edges_of_block;
  FirstException exception;
#pragma omp parallel
  {
    Tallies mine;
    DistanceBatch batch;
    const auto check_batch = [&](std::span<const Edge> edges, std::span<const float> weights) {
      expect_vertices_exist(edges, num_vertices_);
      expect_weights(edges, weights);
      begin_batch(
          batch, edges, weights, [&](Edge edge, std::size_t) { return ends[index(edge.u)]; },
          [&](Edge edge, std::size_t) { return ends[index(edge.v)]; });
      settle_batch(batch, edges, mine.counts, mine.rules, [&](GlobalVertex child, GlobalVertex parent) {
        if (is_parent(child, parent)) marks_.mark(child);
      });
    };
#pragma omp for schedule(dynamic, 1)
    for (std::int64_t block = 0; block < num_blocks; ++block) {
      const std::int64_t first = block * edges_of_block;
      exception.guard([&] {
        for_each_weighted_batch(edges_, first, std::min(first + edges_of_block, edges_.size()), check_batch);
      });
    }
#pragma omp critical(isobath_distance_rules)
    total.merge(mine);
  }
  exception.rethrow();
}

/// Several ranks: a chunk of edges at a time. All ranks make the same number of rounds.
void DistanceRules::check_together(std::span<const GlobalVertex> parents, Tallies& total) {
  make_room_for_chunk();
  const auto chunk = static_cast<std::int64_t>(this->chunk());
  const std::int64_t rounds = exchange_.rounds(2 * edges_.size());
  for (std::int64_t round = 0; round < rounds; ++round) {
    const std::int64_t first = std::min(round * chunk, edges_.size());
    const auto count = static_cast<std::size_t>(std::min(chunk, edges_.size() - first));
    candidates_.clear();
    read_chunk(first, count);
    exchange_.ask<float>(
        2 * count, [&](std::size_t i) { return i % 2 == 0 ? chunk_edges_[i / 2].u : chunk_edges_[i / 2].v; },
        [&](std::size_t v) { return ends_[v]; }, chunk_ends_.span());
    classify_chunk(count, total);
    // No more than a chunk at once; the rounds of the rank with the most.
    const std::span<const Edge> candidates = candidates_.edges();
    const std::int64_t deliveries = exchange_.rounds(static_cast<std::int64_t>(candidates.size()));
    for (std::int64_t delivery = 0; delivery < deliveries; ++delivery) {
      const std::size_t at =
          std::min(static_cast<std::size_t>(delivery) * exchange_.chunk(), candidates.size());
      exchange_.deliver<Edge>(
          candidates.subspan(at, std::min(exchange_.chunk(), candidates.size() - at)),
          [](Edge child_and_parent) { return child_and_parent.u; },
          [&](std::span<const Edge> arrived) {
#pragma omp parallel for schedule(static)
            for (std::size_t i = 0; i < arrived.size(); ++i) {
              const auto [child, parent] = arrived[i];
              if (parents[static_cast<std::size_t>(raw(child) - first_)] == parent) marks_.mark(child);
            }
          });
    }
  }
}

void DistanceRules::read_chunk(std::int64_t first, std::size_t count) {
  FirstException exception;
#pragma omp parallel
  exception.guard([&] {
    const auto share = static_share(static_cast<std::int64_t>(count), thread_id(), num_threads());
    const auto begin = static_cast<std::size_t>(share.first);
    const auto length = static_cast<std::size_t>(share.second - share.first);
    const std::span<Edge> edges = chunk_edges_.span().subspan(begin, length);
    const std::span<float> weights = chunk_weights_.span().subspan(begin, length);
    edges_.read_weighted(first + share.first, edges, weights);
    expect_vertices_exist(edges, num_vertices_);
    expect_weights(edges, weights);
  });
  exception.rethrow();
}

/// Sorts a chunk of edges by what the distances of their ends say.
void DistanceRules::classify_chunk(std::size_t count, Tallies& total) {
#pragma omp parallel
  {
    Tallies mine;
    DistanceBatch batch;
    std::array<Edge, 2 * DistanceBatch::capacity> candidates;
#pragma omp for schedule(static)
    for (std::size_t first = 0; first < count; first += DistanceBatch::capacity) {
      const std::size_t size = std::min(DistanceBatch::capacity, count - first);
      const std::span<const Edge> edges = chunk_edges_.span().subspan(first, size);
      const float* const ends = chunk_ends_.data() + 2 * first;
      begin_batch(
          batch, edges, chunk_weights_.span().subspan(first, size),
          [&](Edge, std::size_t i) { return ends[2 * i]; },
          [&](Edge, std::size_t i) { return ends[2 * i + 1]; });
      std::size_t num_candidates = 0;
      settle_batch(batch, edges, mine.counts, mine.rules, [&](GlobalVertex child, GlobalVertex parent) {
        candidates[num_candidates++] = {child, parent};
      });
      candidates_.append(std::span(candidates).first(num_candidates));
    }
#pragma omp critical(isobath_distance_rules)
    total.merge(mine);
  }
}

/// Rule 6: vertices of the tree whose tree edge was not met.
void DistanceRules::report_unconfirmed(std::span<const GlobalVertex> parents,
                                       RuleTally<SsspRule>& tally) const {
  const auto own = [this](GlobalVertex v) { return static_cast<std::size_t>(raw(v) - first_); };
#pragma omp parallel
  {
    RuleTally<SsspRule> found;
    marks_.for_each_missing(
        first_, std::ssize(ends_), [&](GlobalVertex v) { return end_distance::is_in_tree(ends_[own(v)]); },
        [&](GlobalVertex v) { found.add(SsspRule::tree_edges, v, parents[own(v)]); });
#pragma omp critical(isobath_distance_rules)
    tally.merge(found);
  }
}

}  // namespace isobath
