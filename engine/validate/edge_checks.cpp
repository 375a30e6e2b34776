// SPDX-License-Identifier: Apache-2.0
#include "validate/edge_checks.hpp"

#include <cmath>
#include <cstddef>
#include <limits>

#include <fmt/format.h>

#include "base/error.hpp"

namespace isobath {
namespace {

std::uint64_t ends(Edge edge) {
  return static_cast<std::uint64_t>(raw(edge.u)) | static_cast<std::uint64_t>(raw(edge.v));
}

}  // namespace

/// One bitwise or per edge where the graph has 2^scale vertices.
void expect_vertices_exist(std::span<const Edge> edges, std::int64_t num_vertices) {
  const auto limit = static_cast<std::uint64_t>(num_vertices);
  constexpr std::size_t group = 8;  // a fixed number, which the compiler unrolls
  std::uint64_t bits = 0;
  std::size_t at = 0;
  for (; at + group <= edges.size(); at += group) {
    for (std::size_t i = 0; i < group; ++i) bits |= ends(edges[at + i]);
  }
  for (; at < edges.size(); ++at) bits |= ends(edges[at]);
  if (bits < limit) return;
  for (const Edge& edge : edges) {
    for (const GlobalVertex v : {edge.u, edge.v}) {
      if (static_cast<std::uint64_t>(raw(v)) < limit) continue;
      throw EnvironmentError(
          fmt::format("the edge list names vertex {} in a graph of {} vertices; if it is kept in a file, "
                      "write the file again",
                      raw(v), num_vertices));
    }
  }
}

void expect_weights(std::span<const Edge> edges, std::span<const float> weights) {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  std::uint32_t wrong = 0;
  for (const float weight : weights) wrong |= weight >= 0 && weight < infinity ? 0U : 1U;
  if (wrong == 0) return;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (weights[i] >= 0 && weights[i] < infinity) continue;
    throw EnvironmentError(
        fmt::format("the edge list gives edge {}-{} the weight {}, but weights are finite and not negative; "
                    "if it is kept in a file, write the file again",
                    raw(edges[i].u), raw(edges[i].v), weights[i]));
  }
}

}  // namespace isobath
