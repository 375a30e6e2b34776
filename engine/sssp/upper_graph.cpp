// SPDX-License-Identifier: Apache-2.0
#include "sssp/upper_graph.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace isobath {
namespace {

/// An upper vertex on its way to all ranks; its arcs travel in the same order.
struct UpperVertex {
  std::uint32_t original;
  std::uint32_t round;
  std::uint32_t arcs;
  float distance;  // from the landmark
};

/// Does the arc v -> to belong to v's upper row?
bool is_in_row(const Peeling& peeling, std::size_t v, std::size_t to) {
  return peeling.round[v] == 0 ? peeling.round[to] == 0 : peeling.outlasts(to, v);
}

/// The order of upper numbers.
bool is_before(const UpperVertex& a, const UpperVertex& b) {
  if ((a.round == 0) != (b.round == 0)) return a.round == 0;
  if (a.round == 0) return std::tuple(a.distance, a.original) < std::tuple(b.distance, b.original);
  return std::tuple(~a.round, a.arcs != 1, a.original) < std::tuple(~b.round, b.arcs != 1, b.original);
}

std::vector<UpperGraph::Round> rounds_of(const std::vector<UpperVertex>& sorted, std::uint32_t core) {
  std::vector<UpperGraph::Round> rounds;
  for (std::uint32_t u = core; u < sorted.size();) {
    UpperGraph::Round round{u, u, u};
    const std::uint32_t number = sorted[u].round;
    while (u < sorted.size() && sorted[u].round == number && sorted[u].arcs == 1) ++u;
    round.one_until = u;
    while (u < sorted.size() && sorted[u].round == number) ++u;
    round.end = u;
    rounds.push_back(round);
  }
  return rounds;
}

}  // namespace

UpperGraph gather_upper_graph(const KeptEdges& kept, const Peeling& peeling, const BlockPartition& blocks,
                              const Communicator& world, UpperNumbers& numbers) {
  const std::int64_t first = blocks.first(world.rank());
  std::vector<UpperVertex> own;
  std::vector<WeightedArc> own_arcs;
  for (std::size_t row = 0; row < kept.rows.num_rows(); ++row) {
    const auto v = static_cast<std::size_t>(first) + row;
    if (peeling.round[v] == 1 || kept.rows.of(row).empty()) continue;
    const std::size_t before = own_arcs.size();
    for (const WeightedArc& arc : kept.rows.of(row)) {
      if (is_in_row(peeling, v, arc.to)) own_arcs.push_back(arc);
    }
    own.push_back({static_cast<std::uint32_t>(v), peeling.round[v],
                   static_cast<std::uint32_t>(own_arcs.size() - before), kept.distance[v]});
  }
  const std::vector<UpperVertex> vertices = world.allgatherv<UpperVertex>(own);
  const std::vector<WeightedArc> arcs = world.allgatherv<WeightedArc>(own_arcs);

  std::vector<std::uint64_t> arcs_begin(vertices.size());
  std::uint64_t at = 0;
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    arcs_begin[i] = at;
    at += vertices[i].arcs;
  }
  std::vector<std::uint32_t> order(vertices.size());
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(),
            [&](std::uint32_t a, std::uint32_t b) { return is_before(vertices[a], vertices[b]); });

  UpperGraph upper;
  upper.original = LargeArray<std::uint32_t>(vertices.size());
  numbers.of = LargeArray<std::uint32_t>(static_cast<std::size_t>(blocks.num_vertices()));
#pragma omp parallel for schedule(static)
  for (std::size_t v = 0; v < numbers.of.size(); ++v) numbers.of[v] = UpperNumbers::not_upper;
  std::vector<UpperVertex> sorted(vertices.size());
  for (std::uint32_t u = 0; u < order.size(); ++u) {
    sorted[u] = vertices[order[u]];
    upper.original[u] = sorted[u].original;
    numbers.of[sorted[u].original] = u;
    upper.core += sorted[u].round == 0 ? 1U : 0U;
  }
  upper.rounds = rounds_of(sorted, upper.core);
  upper.rows.start = LargeArray<std::uint64_t>(sorted.size() + 1);
  upper.rows.neighbour = LargeArray<WeightedArc>(arcs.size());
  for (std::size_t u = 0; u < sorted.size(); ++u) {
    std::uint64_t place = upper.rows.start[u];
    for (std::uint64_t k = arcs_begin[order[u]]; k < arcs_begin[order[u]] + sorted[u].arcs; ++k) {
      upper.rows.neighbour[place++] = {numbers.of[arcs[k].to], arcs[k].weight};
    }
    upper.rows.start[u + 1] = place;
  }
  return upper;
}

}  // namespace isobath
