// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/vertex.hpp"

namespace isobath {

/// How often a rule is broken, and the first example: the lowest vertex at fault, and the lowest that it
/// collides with there. Equal for any number of ranks and threads.
struct RuleOutcome {
  std::int64_t violations = 0;
  GlobalVertex first_vertex = no_vertex;
  GlobalVertex first_other = no_vertex;
  friend bool operator==(const RuleOutcome&, const RuleOutcome&) = default;
};

/// A rule's name in records, and one sentence that a user understands.
struct RuleText {
  std::string_view name;
  std::string_view meaning;
};

/// Edges of the input with an end in the tree, duplicates counted: those that are no self-loops, and the
/// self-loops at its vertices.
struct TreeEdgeCounts {
  std::int64_t traversed_edges = 0;
  std::int64_t self_loops = 0;
};

/// What construction claims for a search; a negative value is not compared.
struct ClaimedEdges {
  std::int64_t without_self_loops = -1;
  std::int64_t self_loops = -1;
};

/// By how many edges the claim is off; 0 where it is right.
std::int64_t difference(const ClaimedEdges& claimed, const TreeEdgeCounts& counted);
/// How it is off, e.g. "counted 6, construction said 7".
std::string difference_sentence(const ClaimedEdges& claimed, const TreeEdgeCounts& counted);

/// E.g. "rule tree_edges: 3 violations, the first at vertex 17 (no edge joins it to its parent 5)".
/// @param example  what is wrong with the first one
std::string violation_sentence(std::string_view rule, const RuleOutcome& outcome, std::string_view example);
/// E.g. "rule traversed_edges: 1 violation (counted 6, construction said 7)".
std::string violation_sentence(std::string_view rule, std::int64_t violations, std::string_view reason);

}  // namespace isobath
