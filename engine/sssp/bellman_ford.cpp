// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/expects.hpp"
#include "bfs/component_labels.hpp"
#include "bfs/plan.hpp"
#include "comm/communicator.hpp"
#include "comm/exchange/message_lists.hpp"
#include "graph/rows.hpp"
#include "partition/block_partition.hpp"
#include "partition/edge_stream.hpp"
#include "sssp/plan.hpp"
#include "sssp/registered_path_plan.hpp"

namespace isobath {
namespace {

/// The simplest distributed weighted graph: every vertex's arcs at its owner, in original numbering,
/// duplicates kept, self-loops only counted; the component of each vertex and its edges.
struct OwnerGraph {
  using Arc = WeightedArcTo<GlobalVertex>;
  /// Collective. @throws EnvironmentError when edges cannot be read
  OwnerGraph(const WeightedEdgeStream& edges, const Communicator& world, PhaseObserver& observer);

  bool owns(GlobalVertex v) const { return blocks.block_of(v) == rank; }
  std::size_t local(GlobalVertex v) const { return static_cast<std::size_t>(raw(v) - first); }
  std::span<const Arc> arcs_of(std::size_t own) const {
    return std::span(arcs).subspan(row_starts[own], row_starts[own + 1] - row_starts[own]);
  }
  /// Collective.
  TraversedEdges edges_of_component(const Communicator& world, GlobalVertex root) const;

  BlockPartition blocks;
  int rank;
  std::int64_t first;                   // own vertices
  std::vector<std::size_t> row_starts;  // of each own vertex; one more
  std::vector<Arc> arcs;
  std::vector<std::int64_t> self_loops;  // of each own vertex
  std::vector<std::int64_t> labels;      // of each own vertex: lowest vertex of its component
  GraphFacts facts;

 private:
  void measure_rows(const WeightedEdgeStream& edges, const Communicator& world);
  void deliver(const WeightedEdgeStream& edges, const Communicator& world);
  void label_components(const Communicator& world);
  void count(const WeightedEdgeStream& edges, const Communicator& world);
};

/// Collective. Sends items to owners, a bounded number at a time: next(lists) adds some, about
/// exchange_piece, and says whether there are more; take(items) gets what arrives.
template <class Item, class Next, class Take>
void exchange_in_pieces(const Communicator& world, Next&& next, Take&& take) {
  MessageLists<Item> lists(world);
  for (bool more = true; world.any(more);) {
    if (more) more = next(lists);
    take(std::span<const Item>(lists.send()));
  }
}
/// Items that one call of `next` should make, about.
constexpr std::size_t exchange_piece = std::size_t{1} << 18;

struct SentArc {
  GlobalVertex source;
  OwnerGraph::Arc arc;
};

/// A label that a neighbour offers, or a vertex's share of the totals of its label.
struct LabelOffer {
  GlobalVertex vertex;
  std::int64_t label;
};
struct Totals {
  GlobalVertex label;
  std::int64_t vertices = 0;
  std::int64_t endpoints = 0;
};

OwnerGraph::OwnerGraph(const WeightedEdgeStream& edges, const Communicator& world, PhaseObserver& observer)
    : blocks(edges.num_vertices(), world.size()), rank(world.rank()), first(blocks.first(rank)) {
  observer.phase(Phase::count_degrees);
  measure_rows(edges, world);
  observer.phase(Phase::deliver_arcs);
  deliver(edges, world);
  observer.phase(Phase::components);
  label_components(world);
  count(edges, world);
}

/// Collective. Calls put(lists, source, arc) for both arcs of every edge, one of a self-loop, edges in the
/// order of the list, and take(items) for what arrives: the same arcs in the same order each time.
template <class Item, class Put, class Take>
void exchange_arcs(const WeightedEdgeStream& edges, const Communicator& world, Put&& put, Take&& take) {
  std::vector<Edge> piece(exchange_piece / 2);
  std::vector<float> weights(piece.size());
  std::int64_t at = 0;
  exchange_in_pieces<Item>(
      world,
      [&](MessageLists<Item>& lists) {
        const auto length =
            static_cast<std::size_t>(std::min(static_cast<std::int64_t>(piece.size()), edges.size() - at));
        edges.read_weighted(at, std::span(piece).first(length), std::span(weights).first(length));
        at += static_cast<std::int64_t>(length);
        for (std::size_t i = 0; i < length; ++i) {
          const auto& [u, v] = piece[i];
          put(lists, u, OwnerGraph::Arc{v, weights[i]});
          if (u != v) put(lists, v, OwnerGraph::Arc{u, weights[i]});
        }
        return at < edges.size();
      },
      take);
}

/// Where rows begin, from a first pass over the edges: of an arc only its source goes to the owner.
void OwnerGraph::measure_rows(const WeightedEdgeStream& edges, const Communicator& world) {
  const auto size = static_cast<std::size_t>(blocks.size(rank));
  self_loops.assign(size, 0);
  row_starts.assign(size + 1, 0);
  exchange_arcs<GlobalVertex>(
      edges, world,
      [&](MessageLists<GlobalVertex>& lists, GlobalVertex source, const Arc& arc) {
        if (source != arc.to) lists.add(blocks.block_of(source), source);
      },
      [&](std::span<const GlobalVertex> arrived) {
        for (const GlobalVertex source : arrived) ++row_starts[local(source) + 1];
      });
  std::partial_sum(row_starts.begin(), row_starts.end(), row_starts.begin());
}

/// Both arcs of every edge go to the owners of their sources, and straight into the rows there, each behind
/// those that came before it.
void OwnerGraph::deliver(const WeightedEdgeStream& edges, const Communicator& world) {
  arcs.resize(row_starts.back());
  std::vector<std::size_t> cursors(row_starts.begin(), row_starts.end() - 1);
  exchange_arcs<SentArc>(
      edges, world,
      [&](MessageLists<SentArc>& lists, GlobalVertex source, const Arc& arc) {
        lists.add(blocks.block_of(source), {source, arc});
      },
      [&](std::span<const SentArc> arrived) {
        for (const auto& [source, arc] : arrived) {
          const std::size_t own = local(source);
          if (source == arc.to) {
            ++self_loops[own];
            continue;
          }
          ISOBATH_EXPECTS(cursors[own] < row_starts[own + 1]);
          arcs[cursors[own]++] = arc;
        }
      });
}

/// Everybody takes the lowest label that a neighbour has, until nobody's changes.
void OwnerGraph::label_components(const Communicator& world) {
  const auto size = static_cast<std::size_t>(blocks.size(rank));
  labels.resize(size);
  std::iota(labels.begin(), labels.end(), first);
  std::vector<std::size_t> all(size);
  std::iota(all.begin(), all.end(), std::size_t{0});
  lower_labels(world, std::move(all), [&](const std::vector<std::size_t>& offering, auto&& take) {
    std::size_t vertex = 0;
    exchange_in_pieces<LabelOffer>(
        world,
        [&](MessageLists<LabelOffer>& lists) {
          for (std::size_t made = 0; vertex < offering.size() && made < exchange_piece; ++vertex) {
            for (const Arc& arc : arcs_of(offering[vertex])) {
              if (arc.to < GlobalVertex{labels[offering[vertex]]}) continue;  // has a lower one
              lists.add(blocks.block_of(arc.to), {arc.to, labels[offering[vertex]]});
              ++made;
            }
          }
          return vertex < offering.size();
        },
        [&](std::span<const LabelOffer> arrived) {
          for (const LabelOffer& offer : arrived) {
            const std::size_t own = local(offer.vertex);
            take(labels[own], offer.label, own);
          }
        });
  });
}

void OwnerGraph::count(const WeightedEdgeStream& edges, const Communicator& world) {
  std::unordered_map<std::int64_t, Totals> mine;
  for (std::size_t own = 0; own < labels.size(); ++own) {
    const auto degree = static_cast<std::int64_t>(arcs_of(own).size());
    facts.max_degree_with_duplicates = std::max(facts.max_degree_with_duplicates, degree);
    facts.self_loops += self_loops[own];
    facts.isolated_vertices += degree == 0 ? 1 : 0;
    if (degree == 0) continue;
    Totals& totals = mine[labels[own]];
    totals.label = GlobalVertex{labels[own]};
    ++totals.vertices;
    totals.endpoints += degree;
  }
  std::unordered_map<std::int64_t, ComponentSums> of_component;
  exchange_in_pieces<Totals>(
      world,
      [&](MessageLists<Totals>& lists) {
        for (const auto& [label, totals] : mine) lists.add(blocks.block_of(totals.label), totals);
        return false;
      },
      [&](std::span<const Totals> arrived) {
        for (const Totals& totals : arrived) {
          of_component[raw(totals.label)].add({totals.endpoints, 0, totals.vertices});
        }
      });
  LargestComponent largest;
  for (const auto& [label, totals] : of_component) largest.look_at(totals);
  facts.num_vertices = blocks.num_vertices();
  facts.num_edges = world.sum(edges.size());
  facts.self_loops = world.sum(facts.self_loops);
  facts.keeps_duplicates = true;
  facts.isolated_vertices = world.sum(facts.isolated_vertices);
  facts.searched_vertices = facts.num_vertices;
  facts.stored_arcs = world.sum(static_cast<std::int64_t>(arcs.size()));
  facts.max_stored_arcs_per_rank = world.max(static_cast<std::int64_t>(arcs.size()));
  facts.max_degree_with_duplicates = world.max(facts.max_degree_with_duplicates);
  facts.components = world.sum(static_cast<std::int64_t>(of_component.size()));
  largest.agree(world);
  facts.largest_component_vertices = largest.vertices();
  facts.largest_component_edges = largest.edges();
}

TraversedEdges OwnerGraph::edges_of_component(const Communicator& world, GlobalVertex root) const {
  const std::int64_t label = world.max(owns(root) ? labels[local(root)] : -1);
  std::int64_t sums[] = {0, 0};
  for (std::size_t own = 0; own < labels.size(); ++own) {
    if (labels[own] != label) continue;
    sums[0] += static_cast<std::int64_t>(arcs_of(own).size());
    sums[1] += self_loops[own];
  }
  world.sum(sums);
  return {sums[0] / 2, sums[1]};
}

constexpr float infinity = std::numeric_limits<float>::infinity();

/// `target` is so far from the root by way of `source`.
struct PathOffer {
  GlobalVertex target;
  GlobalVertex source;
  float distance;
};

/// The plan `bellman-ford` (Bellman 1958, Ford 1956), as simple as a distributed one can be: in each round
/// every vertex whose distance changed offers what it gives its neighbours to their owners, who take what is
/// less, until nothing changes. No edge is left out, nothing is relabelled, one thread. The baseline, and the
/// parallel twin of the other plans.
///
/// Parents make no circle, whatever the weights: who takes an offer has a larger distance than it, hence
/// than the sender, and distances only fall (Cormen et al., "Introduction to Algorithms", lemma 24.16; sums
/// in float32 never fall below their terms).
class BellmanFord final : public SearchPlan {
 public:
  /// Collective. Kernel 1. @param world  outlives the plan
  BellmanFord(const WeightedEdgeStream& edges, const Communicator& world, const PathOptions& options,
              PhaseObserver& observer);

  std::string_view name() const override { return "bellman-ford"; }
  const BlockPartition& partition() const override { return graph_.blocks; }
  const GraphFacts& facts() const override { return graph_.facts; }
  FoundTree search(GlobalVertex root, SearchObserver& observer) override;
  TraversedEdges traversed_edges(GlobalVertex root) const override {
    return graph_.edges_of_component(world_, root);
  }
  std::vector<char> has_neighbour(std::span<const GlobalVertex> candidates) const override;
  Traffic traffic() const override { return world_.traffic(); }

 private:
  std::int64_t relax_round(SearchObserver& observer);

  const Communicator& world_;
  OwnerGraph graph_;
  std::vector<GlobalVertex> parents_;  // of own vertices
  std::vector<float> distances_;
  std::vector<std::size_t> changed_;  // own vertices, in the last round
  std::vector<char> is_changed_;      // own vertices, in this round
};

BellmanFord::BellmanFord(const WeightedEdgeStream& edges, const Communicator& world,
                         const PathOptions& /*options*/, PhaseObserver& observer)
    : world_(world),
      graph_(edges, world, observer),
      parents_(graph_.labels.size(), no_vertex),
      distances_(graph_.labels.size(), infinity),
      is_changed_(graph_.labels.size(), 0) {}

FoundTree BellmanFord::search(GlobalVertex root, SearchObserver& observer) {
  observer.phase(Phase::reset);
  std::fill(parents_.begin(), parents_.end(), no_vertex);
  std::fill(distances_.begin(), distances_.end(), infinity);
  changed_.clear();
  if (graph_.owns(root)) {
    parents_[graph_.local(root)] = root;
    distances_[graph_.local(root)] = 0;
    changed_.push_back(graph_.local(root));
  }
  std::int64_t active = 1;
  for (int round = 0; active > 0; ++round) {
    observer.level_started(round, Direction::top_down, active);
    const std::int64_t relaxed = relax_round(observer);
    observer.phase(Phase::reduce);
    active = world_.sum(static_cast<std::int64_t>(changed_.size()));
    observer.level_finished(round, relaxed);
  }
  observer.phase(Phase::emit);  // they are in original numbering
  return {parents_, distances_};
}

/// Collective. Returns the arcs that this rank relaxed.
std::int64_t BellmanFord::relax_round(SearchObserver& observer) {
  const std::vector<std::size_t> sources = std::exchange(changed_, {});
  std::size_t at = 0;
  std::int64_t relaxed = 0;
  exchange_in_pieces<PathOffer>(
      world_,
      [&](MessageLists<PathOffer>& lists) {
        observer.phase(Phase::relax);
        for (std::size_t made = 0; at < sources.size() && made < exchange_piece; ++at) {
          const std::size_t own = sources[at];
          const GlobalVertex source{graph_.first + static_cast<std::int64_t>(own)};
          for (const OwnerGraph::Arc& arc : graph_.arcs_of(own)) {
            lists.add(graph_.blocks.block_of(arc.to), {arc.to, source, distances_[own] + arc.weight});
          }
          made += graph_.arcs_of(own).size();
          relaxed += static_cast<std::int64_t>(graph_.arcs_of(own).size());
        }
        observer.phase(Phase::fold);
        return at < sources.size();
      },
      [&](std::span<const PathOffer> arrived) {
        observer.phase(Phase::adopt);
        for (const PathOffer& offer : arrived) {
          const std::size_t own = graph_.local(offer.target);
          if (!(offer.distance < distances_[own])) continue;
          distances_[own] = offer.distance;
          parents_[own] = offer.source;
          if (is_changed_[own] == 0) changed_.push_back(own);
          is_changed_[own] = 1;
        }
      });
  for (const std::size_t own : changed_) is_changed_[own] = 0;
  return relaxed;
}

std::vector<char> BellmanFord::has_neighbour(std::span<const GlobalVertex> candidates) const {
  std::vector<std::int64_t> found;
  for (const GlobalVertex v : candidates)
    found.push_back(graph_.owns(v) && !graph_.arcs_of(graph_.local(v)).empty() ? 1 : 0);
  world_.max(std::span(found));
  return {found.begin(), found.end()};
}

}  // namespace

RegisteredPathPlan registered_bellman_ford() {
  return {.name = "bellman-ford", .construct = construct_as<BellmanFord, WeightedEdgeStream, PathOptions>};
}

}  // namespace isobath
