// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/vertex.hpp"
#include "comm/communicator.hpp"
#include "partition/block_partition.hpp"
#include "partition/edge_stream.hpp"

namespace isobath {

/// The rules of the specification, section "Kernel 2 validation", and two of our own (0 and 6).
enum class BfsRule {
  parent_range,     // 0: a parent is -1 or a vertex; the root's parent is the root
  tree,             // 1: the parents form a tree rooted at the root, without cycles
  tree_levels,      // 2: a tree edge joins vertices whose levels differ by one
  edge_levels,      // 3: an input edge joins vertices whose levels differ by at most one, or both unreached
  spans_component,  // 4: an input edge does not lead out of the tree
  tree_edges,       // 5: each parent edge is an input edge
  traversed_edges,  // 6: the edges counted here are those that construction counted for the component
};
inline constexpr std::size_t num_bfs_rules = 7;
std::string_view name_of(BfsRule rule);
/// One sentence a user understands.
std::string_view meaning_of(BfsRule rule);

struct RuleOutcome {
  std::int64_t violations = 0;
  GlobalVertex first_vertex = no_vertex;  // first example: the vertex (lowest), and what it collides with
  GlobalVertex first_other = no_vertex;
};

struct BfsValidation {
  std::array<RuleOutcome, num_bfs_rules> rules;
  std::int64_t traversed_edges = 0;  // input edges with an end in the tree, self-loops left out, duplicates counted
  std::int64_t self_loops = 0;       // self-loops at reached vertices
  std::int64_t vertices_reached = 0;
  std::vector<std::int64_t> vertices_per_level;  // levels from 0

  bool passed() const;
  /// E.g. "rule tree_edges: 3 violations, the first at vertex 17 (parent 5 is no neighbour)"; empty when passed.
  std::string first_violation() const;
};

/// What construction claims for this search; a negative value is not compared.
struct ClaimedEdges {
  std::int64_t without_self_loops = -1;
  std::int64_t self_loops = -1;
};

/// Work arrays of validation, allocated once for many searches.
class BfsValidator {
 public:
  /// `partition` says which parents this rank holds: block world.rank().
  BfsValidator(const Communicator& world, const BlockPartition& partition, const EdgeStream& edges);
  ~BfsValidator();

  /// Collective. All rules over all edges of the stream; never uses the searched graph. `parents` are this rank's.
  BfsValidation validate(GlobalVertex root, std::span<const GlobalVertex> parents, ClaimedEdges claimed);

 private:
  struct Work;
  const Communicator& world_;
  BlockPartition partition_;
  const EdgeStream& edges_;
  std::unique_ptr<Work> work_;
};

}  // namespace isobath
