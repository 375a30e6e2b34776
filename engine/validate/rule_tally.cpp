// SPDX-License-Identifier: Apache-2.0
#include "validate/rule_tally.hpp"

#include <tuple>

namespace isobath {

void RuleTally::add(BfsRule rule, const RuleOutcome& found) {
  if (found.violations == 0) return;
  RuleOutcome& outcome = outcomes_[static_cast<std::size_t>(rule)];
  if (outcome.violations == 0 || std::tuple(found.first_vertex, found.first_other) <
                                     std::tuple(outcome.first_vertex, outcome.first_other)) {
    outcome.first_vertex = found.first_vertex;
    outcome.first_other = found.first_other;
  }
  outcome.violations += found.violations;
}

void RuleTally::add(BfsRule rule, GlobalVertex vertex, GlobalVertex other) {
  add(rule, RuleOutcome{.violations = 1, .first_vertex = vertex, .first_other = other});
}

void RuleTally::merge(const RuleTally& other) {
  for (std::size_t rule = 0; rule < num_bfs_rules; ++rule)
    add(static_cast<BfsRule>(rule), other.outcomes_[rule]);
}

std::array<RuleOutcome, num_bfs_rules> RuleTally::over_all_ranks(const Communicator& world) const {
  RuleTally total;
  for (const auto& of_rank : world.allgather(outcomes_)) {
    for (std::size_t rule = 0; rule < num_bfs_rules; ++rule)
      total.add(static_cast<BfsRule>(rule), of_rank[rule]);
  }
  return total.outcomes_;
}

}  // namespace isobath
