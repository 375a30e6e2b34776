// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/vertex.hpp"
#include "comm/communicator.hpp"
#include "partition/block_partition.hpp"
#include "partition/edge_stream.hpp"
#include "validate/exchange_limits.hpp"
#include "validate/gathered_vertices.hpp"
#include "validate/rule_outcome.hpp"
#include "validate/rule_tally.hpp"

namespace isobath {

/// The rules of the specification, section "Kernel 2 validation", and two of our own (0 and 6). Which wrong
/// answer breaks which rule: docs/explanation/validation.md.
enum class BfsRule {
  parent_range,     // 0: a parent is -1 or a vertex; the root's parent is the root
  tree,             // 1: following the parents never runs in a circle
  tree_levels,      // 2: a tree edge joins vertices one level apart: a vertex with a parent has a level
  edge_levels,      // 3: an input edge between vertices of the tree joins levels that differ by at most one
  spans_component,  // 4: an input edge does not lead out of the tree
  tree_edges,       // 5: each tree edge is an input edge
  traversed_edges,  // 6: the edges counted here are those that construction counted for the component
};
inline constexpr std::size_t num_bfs_rules = 7;
template <>
inline constexpr std::size_t num_rules<BfsRule> = num_bfs_rules;
std::string_view name_of(BfsRule rule);
/// One sentence a user understands.
std::string_view meaning_of(BfsRule rule);

/// Rules 0, 1, 2 and 5 count vertices; first_other is the parent. Rule 3 counts edges; the vertex is the
/// deeper end. Rule 4 counts edges; the vertex is the end outside the tree. Rule 6 counts by how many edges
/// the numbers differ, and has no example.
struct BfsValidation {
  std::array<RuleOutcome, num_bfs_rules> rules;
  ClaimedEdges claimed;
  std::int64_t traversed_edges =
      0;  // input edges with an end in the tree, self-loops left out, duplicates counted
  std::int64_t self_loops = 0;  // self-loops at reached vertices
  std::int64_t vertices_reached = 0;
  std::vector<std::int64_t> vertices_per_level;  // levels from 0

  bool passed() const;
  /// E.g. "rule tree_edges: 3 violations, the first at vertex 17 (no edge joins it to its parent 5)"; empty
  /// when passed.
  std::string first_violation() const;
};

/// Whether the validator keeps a copy of the edge list, in an order of its own, for many searches. Several
/// ranks have one where they gather facts of vertices; more ranks go through their shares of the list.
enum class ListCopy { no, yes };

/// Validates one search after the other; work arrays are allocated once. Memory per rank: O(vertices / ranks)
/// and one chunk of edges, or 5 bytes a vertex of the graph where facts of vertices are gathered; with a copy
/// of the list 4 bytes an edge besides, about 7 while it is made, up to 14 a vertex of the graph (16 on two
/// ranks), and 8 for each row.
class BfsValidator {
 public:
  /// Collective. `partition` says which parents this rank holds: block world.rank(). All three must outlive
  /// the validator.
  /// @param limits  of messages to owners of vertices, those of so many ranks where absent
  /// @throws as validate() where the list is copied
  BfsValidator(const Communicator& world, const BlockPartition& partition, const EdgeStream& edges,
               ListCopy copy = ListCopy::no, VertexFacts facts = VertexFacts::fewest_bytes,
               std::optional<ExchangeLimits> limits = {});
  ~BfsValidator();

  /// Collective. All rules over all edges of the stream; never uses the searched graph. `parents` are this
  /// rank's, in original numbering. The outcome is equal on every rank.
  /// @throws EnvironmentError when edges cannot be read or name a vertex that does not exist
  BfsValidation validate(GlobalVertex root, std::span<const GlobalVertex> parents, ClaimedEdges claimed);

  bool has_copy() const;
  /// Collective. As count_distinct_edges() counts them; absent where the list is not copied.
  std::optional<std::int64_t> distinct_edges() const;
  /// The edges that are no self-loops in the order of the copy (EdgeCopy::by_rows), of one rank; null where
  /// there is none, and on several ranks: edges of neighbouring rows go to few of them, all at once.
  std::unique_ptr<EdgeStream> edges_by_rows() const;

 private:
  struct Work;
  bool confirm(GlobalVertex root, std::span<const GlobalVertex> parents, BfsValidation& validation);
  void go_through_list(GlobalVertex root, std::span<const GlobalVertex> parents, BfsValidation& validation);

  const Communicator& world_;
  BlockPartition partition_;
  std::unique_ptr<Work> work_;
};

}  // namespace isobath
