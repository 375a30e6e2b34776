// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "comm/communicator.hpp"
#include "validate/bfs_rules.hpp"

namespace isobath {

/// Violations of one thread or rank. Merging keeps the first example in the order of (vertex, other), so that
/// the outcome does not depend on who found what.
class RuleTally {
 public:
  void add(BfsRule rule, GlobalVertex vertex, GlobalVertex other);
  void add(BfsRule rule, const RuleOutcome& found);
  void merge(const RuleTally& other);
  /// Collective. The merged outcome of all ranks, on every rank.
  std::array<RuleOutcome, num_bfs_rules> over_all_ranks(const Communicator& world) const;

 private:
  std::array<RuleOutcome, num_bfs_rules> outcomes_;
};

}  // namespace isobath
