// SPDX-License-Identifier: Apache-2.0
#include "graphfile/listed_edges.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "base/error.hpp"

namespace isobath {

EdgePiece::EdgePiece(std::span<const Edge> edges, std::span<const float> weights)
    : weights_(weights.begin(), weights.end()) {
  for (const auto& [u, v] : edges) highest_id_ = std::max({highest_id_, raw(u), raw(v)});
  if (highest_id_ > std::int64_t{std::numeric_limits<std::uint32_t>::max()}) {
    wide_.assign(edges.begin(), edges.end());
    return;
  }
  narrow_.resize(edges.size());
  for (std::size_t i = 0; i < edges.size(); ++i) {
    narrow_[i] = {static_cast<std::uint32_t>(raw(edges[i].u)), static_cast<std::uint32_t>(raw(edges[i].v))};
  }
}

void ListedEdges::append(EdgePiece piece) {
  if (piece.size() == 0) return;
  totals.edges += static_cast<std::int64_t>(piece.size());
  totals.highest_id = std::max(totals.highest_id, piece.highest_id());
  pieces.push_back(std::move(piece));
}

void require_as_declared(const ListedEdges& listed, const FileTotals& totals) {
  if (listed.declared_edges && *listed.declared_edges != totals.edges) {
    const bool is_short = totals.edges < *listed.declared_edges;
    throw EnvironmentError(fmt::format("{} has {} entries but its header promises {}; {}", listed.path,
                                       totals.edges, *listed.declared_edges,
                                       is_short ? "copy or download it again" : "correct the header"));
  }
  if (totals.asymmetry != 0) {
    throw EnvironmentError(
        fmt::format("the header of {} says undirected but an arc lacks its mirror image; write the file "
                    "again with converter -s",
                    listed.path));
  }
  if (totals.edges == 0) {
    throw EnvironmentError(fmt::format("{} holds no edge; name a file that holds a graph", listed.path));
  }
}

}  // namespace isobath
