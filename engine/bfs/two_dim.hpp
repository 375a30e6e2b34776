// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "bfs/proposing_plan.hpp"

namespace isobath {

/// The plan `two-dim` (Yoo et al., SC 2005; with two tasks as Ueno and Suzumura, HPDC 2012, have it): arcs
/// are cut over an R x C grid. Expand: the frontier of a grid column is made known to all its ranks. Fold:
/// parents are proposed along the grid row to the owners of their targets.
class TwoDim final : public ProposingPlan {
 public:
  /// Collective. Kernel 1, components included.
  TwoDim(const EdgeStream& edges, const Communicator& world, const PlanOptions& options,
         PhaseObserver& observer);
  std::string_view name() const override { return "two-dim"; }

 private:
  void forget(const Root& root) override;
  void search_level(Level level, SearchObserver& observer) override;
  void expand(SearchObserver& observer);
  void expand_list();
  void expand_bitmap();
  void send_while_scanning(FrontierWork& work, SearchObserver& observer) override;

  std::vector<std::int64_t> words_;      // of every piece of the grid column
  std::vector<std::uint32_t> own_list_;  // own frontier, as columns
  std::vector<std::uint32_t> frontier_;  // of the grid column, as columns
  std::vector<Word> frontier_words_;
};

}  // namespace isobath
