// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

#include "base/vertex.hpp"

namespace isobath {

/// Weights that a search gives to the edges of a file, which has none or whose own are not wanted.
struct AssignedWeights {
  enum class Rule {
    none,    // those of the file
    unit,    // 1: distances are levels
    random,  // at least 0 and below 1, in steps of 2^-24
  };
  Rule rule = Rule::none;
  std::uint64_t seed = 1;  // of random ones

  bool are_assigned() const { return rule != Rule::none; }
  /// Of an edge as the file calls its ends. Random ones depend on the two ends and the seed alone: both
  /// directions of an edge and its copies weigh the same, whatever the format, the order of the file and the
  /// number of ranks. docs/reference/graph-files.md has the formula.
  float of(const Edge& edge) const;
};

/// "unit" or "random"; empty for the weights of the file.
std::string_view name_of(AssignedWeights::Rule rule);
/// Rule::none for any other word, which is then the name of a file.
AssignedWeights::Rule weight_rule_of(std::string_view word);

}  // namespace isobath
