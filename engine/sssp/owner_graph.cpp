// SPDX-License-Identifier: Apache-2.0
#include "sssp/owner_graph.hpp"

#include <algorithm>
#include <numeric>
#include <unordered_map>
#include <utility>

#include "bfs/component_labels.hpp"

namespace isobath {
namespace {

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

}  // namespace

OwnerGraph::OwnerGraph(const WeightedEdgeStream& edges, const Communicator& world, PhaseObserver& observer)
    : blocks(edges.num_vertices(), world.size()), rank(world.rank()), first(blocks.first(rank)) {
  observer.phase(Phase::deliver_arcs);
  deliver(edges, world);
  observer.phase(Phase::components);
  label_components(world);
  count(edges, world);
}

/// Both arcs of every edge go to the owners of their sources, and into rows there.
void OwnerGraph::deliver(const WeightedEdgeStream& edges, const Communicator& world) {
  const auto size = static_cast<std::size_t>(blocks.size(rank));
  self_loops.assign(size, 0);
  std::vector<SentArc> received;
  std::vector<Edge> piece(exchange_piece / 2);
  std::vector<float> weights(piece.size());
  std::int64_t at = 0;
  exchange_in_pieces<SentArc>(
      world,
      [&](MessageLists<SentArc>& lists) {
        const auto length =
            static_cast<std::size_t>(std::min(static_cast<std::int64_t>(piece.size()), edges.size() - at));
        edges.read_weighted(at, std::span(piece).first(length), std::span(weights).first(length));
        at += static_cast<std::int64_t>(length);
        const auto put = [&](GlobalVertex source, GlobalVertex target, float weight) {
          lists.add(blocks.block_of(source), {source, {target, weight}});
        };
        for (std::size_t i = 0; i < length; ++i) {
          put(piece[i].u, piece[i].v, weights[i]);
          if (piece[i].u != piece[i].v) put(piece[i].v, piece[i].u, weights[i]);
        }
        return at < edges.size();
      },
      [&](std::span<const SentArc> arrived) {
        for (const SentArc& sent : arrived) {
          if (sent.source == sent.arc.to) {
            ++self_loops[local(sent.source)];
          } else {
            received.push_back(sent);
          }
        }
      });
  row_starts.assign(size + 1, 0);
  for (const SentArc& sent : received) ++row_starts[local(sent.source) + 1];
  std::partial_sum(row_starts.begin(), row_starts.end(), row_starts.begin());
  std::vector<std::size_t> cursors(row_starts.begin(), row_starts.end() - 1);
  arcs.resize(received.size());
  for (const SentArc& sent : received) arcs[cursors[local(sent.source)]++] = sent.arc;
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

}  // namespace isobath
