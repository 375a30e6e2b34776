// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/vertex.hpp"
#include "comm/communicator.hpp"
#include "partition/block_partition.hpp"
#include "partition/edge_stream.hpp"
#include "validate/exchange_limits.hpp"
#include "validate/gathered_vertices.hpp"
#include "validate/rule_outcome.hpp"
#include "validate/rule_tally.hpp"

namespace isobath {

/// The rules of the specification for shortest paths, what the validator of reference 3.0 checks besides, and
/// two of our own (2 and 7). Which wrong answer breaks which rule: docs/explanation/validation.md.
///
/// An answer that breaks none has the one right distance of every vertex: along any path from the root, rule
/// 4 bounds each distance by the float32 sum so far, and rule 6 makes it the sum along the tree.
enum class SsspRule {
  parent_range,     // 0: a parent is -1 or a vertex; the root's parent is the root
  tree,             // 1: following the parents never runs in a circle
  leads_to_root,    // 2: following the parents from a vertex that has one ends at the root
  distance_range,   // 3: a vertex with a parent has a finite distance that is not negative, the root 0; a
                    //    vertex without a parent has an infinite one
  edge_distances,   // 4: over an input edge between vertices of the tree neither end's distance is more than
                    //    the other's plus the weight, added in float32
  spans_component,  // 5: an input edge does not lead out of the tree
  tree_edges,       // 6: an input edge joins each vertex to its parent, and the vertex's distance is exactly
                    //    the parent's plus its weight, added in float32
  traversed_edges,  // 7: the edges counted here are those that construction counted for the component
};
inline constexpr std::size_t num_sssp_rules = 8;
template <>
inline constexpr std::size_t num_rules<SsspRule> = num_sssp_rules;
std::string_view name_of(SsspRule rule);
/// One sentence a user understands.
std::string_view meaning_of(SsspRule rule);

/// A vertex is in the tree, and counts as reached, where its parents lead to the root. Rules 0 to 3 and 6
/// count vertices; first_other is the parent. Rule 4 counts edges; the vertex is the farther end. Rule 5
/// counts edges; the vertex is the end outside the tree. Rule 7 counts by how many edges the numbers differ,
/// and has no example. Edges of a vertex that breaks rule 3 are not held against rule 4.
struct SsspValidation {
  std::array<RuleOutcome, num_sssp_rules> rules;
  ClaimedEdges claimed;
  TreeEdgeCounts counted;
  std::int64_t vertices_reached = 0;
  std::int64_t tree_levels = 0;  // of the tree, counted in edges, the root's included
  double distance_sum = 0;       // over reached vertices; its last digits depend on ranks and threads
  double distance_max = 0;

  bool passed() const;
  /// E.g. "rule tree_edges: 3 violations, the first at vertex 17 (no edge from its parent 5 gives its
  /// distance)"; empty when passed.
  std::string first_violation() const;
};

/// Validates one search after the other; work arrays are allocated once. Memory per rank: O(vertices / ranks)
/// and one chunk of edges, or 9 bytes a vertex of the graph where facts of vertices are gathered.
class SsspValidator {
 public:
  /// Collective. `partition` says which vertices this rank holds: block world.rank(). All three must outlive
  /// the validator.
  /// @param limits  of messages to owners of vertices, those of so many ranks where absent
  SsspValidator(const Communicator& world, const BlockPartition& partition, const WeightedEdgeStream& edges,
                VertexFacts facts = VertexFacts::fewest_bytes, std::optional<ExchangeLimits> limits = {});
  ~SsspValidator();

  /// Collective. All rules over all edges of the stream; never uses the searched graph. `parents` and
  /// `distances` are this rank's, in original numbering. The outcome is equal on every rank.
  /// @throws EnvironmentError when edges cannot be read, name a vertex that does not exist, or have a weight
  /// that is negative or not finite
  SsspValidation validate(GlobalVertex root, std::span<const GlobalVertex> parents,
                          std::span<const float> distances, ClaimedEdges claimed);

 private:
  struct Work;
  const Communicator& world_;
  BlockPartition partition_;
  std::unique_ptr<Work> work_;
};

}  // namespace isobath
