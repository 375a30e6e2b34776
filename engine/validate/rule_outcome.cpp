// SPDX-License-Identifier: Apache-2.0
#include "validate/rule_outcome.hpp"

#include <cstdlib>

#include <fmt/format.h>

namespace isobath {
namespace {

std::int64_t off(std::int64_t claimed, std::int64_t counted) {
  return claimed < 0 ? 0 : std::abs(claimed - counted);
}

std::string counted_violations(std::string_view rule, std::int64_t violations) {
  return fmt::format("rule {}: {} violation{}", rule, violations, violations == 1 ? "" : "s");
}

}  // namespace

std::int64_t difference(const ClaimedEdges& claimed, const TreeEdgeCounts& counted) {
  return off(claimed.without_self_loops, counted.traversed_edges) +
         off(claimed.self_loops, counted.self_loops);
}

std::string difference_sentence(const ClaimedEdges& claimed, const TreeEdgeCounts& counted) {
  if (off(claimed.without_self_loops, counted.traversed_edges) != 0) {
    return fmt::format("counted {}, construction said {}", counted.traversed_edges,
                       claimed.without_self_loops);
  }
  return fmt::format("counted {} self-loops, construction said {}", counted.self_loops, claimed.self_loops);
}

std::string violation_sentence(std::string_view rule, const RuleOutcome& outcome, std::string_view example) {
  return fmt::format("{}, the first at vertex {} ({})", counted_violations(rule, outcome.violations),
                     raw(outcome.first_vertex), example);
}

std::string violation_sentence(std::string_view rule, std::int64_t violations, std::string_view reason) {
  return fmt::format("{} ({})", counted_violations(rule, violations), reason);
}

}  // namespace isobath
