// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "base/vertex.hpp"
#include "generator/kronecker.hpp"

namespace isobath {

/// The reference program's draws of search keys: candidate i is draw position 2 i of a stream of its own.
class SearchKeyCandidates {
 public:
  explicit SearchKeyCandidates(const KroneckerParameters& parameters);

  /// Candidates there are: the reference gives up once its position exceeds twice the number of vertices.
  std::int64_t size() const { return num_vertices_; }
  /// Candidate i, 0 <= i < size(). Candidates repeat, and may be isolated.
  GlobalVertex operator[](std::int64_t i) const;

 private:
  std::int64_t num_vertices_;
  MrgState initial_;
};

/// Says of each vertex whether it has an edge that is no self-loop; one char (0 or 1) each, in order.
using HasNeighbour = std::function<std::vector<char>(std::span<const GlobalVertex>)>;

/// The search keys as the reference program finds them: its candidates in order, without duplicates and
/// isolated vertices, until `wanted` are found or it gives up. Fewer than wanted is no error: small graphs
/// have fewer.
///
/// `has_neighbour` is asked about batches of vertices without duplicates. Batches depend on the parameters
/// and the answers alone, so where all ranks get the same answers all make the same calls, and it may
/// communicate.
std::vector<GlobalVertex> sample_search_keys(const KroneckerParameters& parameters, int wanted,
                                             const HasNeighbour& has_neighbour);

}  // namespace isobath
