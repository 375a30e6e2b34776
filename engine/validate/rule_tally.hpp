// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <tuple>

#include "comm/communicator.hpp"
#include "validate/rule_outcome.hpp"

namespace isobath {

/// Rules of an enumeration; stands beside each of them.
template <class Rule>
inline constexpr std::size_t num_rules = 0;

/// Violations of one thread or rank. Merging keeps the first example in the order of (vertex, other), so that
/// the outcome does not depend on who found what.
template <class Rule>
class RuleTally {
 public:
  using Outcomes = std::array<RuleOutcome, num_rules<Rule>>;

  void add(Rule rule, GlobalVertex vertex, GlobalVertex other) {
    add(rule, RuleOutcome{.violations = 1, .first_vertex = vertex, .first_other = other});
  }
  void add(Rule rule, const RuleOutcome& found);
  void merge(const RuleTally& other);
  const RuleOutcome& of(Rule rule) const { return outcomes_[static_cast<std::size_t>(rule)]; }
  /// Collective. The merged outcome of all ranks, on every rank.
  Outcomes over_all_ranks(const Communicator& world) const;

 private:
  Outcomes outcomes_;
};

template <class Rule>
void RuleTally<Rule>::add(Rule rule, const RuleOutcome& found) {
  if (found.violations == 0) return;
  RuleOutcome& outcome = outcomes_[static_cast<std::size_t>(rule)];
  if (outcome.violations == 0 || std::tuple(found.first_vertex, found.first_other) <
                                     std::tuple(outcome.first_vertex, outcome.first_other)) {
    outcome.first_vertex = found.first_vertex;
    outcome.first_other = found.first_other;
  }
  outcome.violations += found.violations;
}

template <class Rule>
void RuleTally<Rule>::merge(const RuleTally& other) {
  for (std::size_t rule = 0; rule < num_rules<Rule>; ++rule)
    add(static_cast<Rule>(rule), other.outcomes_[rule]);
}

template <class Rule>
typename RuleTally<Rule>::Outcomes RuleTally<Rule>::over_all_ranks(const Communicator& world) const {
  RuleTally total;
  for (const Outcomes& of_rank : world.allgather(outcomes_)) {
    for (std::size_t rule = 0; rule < num_rules<Rule>; ++rule)
      total.add(static_cast<Rule>(rule), of_rank[rule]);
  }
  return total.outcomes_;
}

}  // namespace isobath
