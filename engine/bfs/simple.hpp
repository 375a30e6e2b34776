// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "bfs/proposing_plan.hpp"

namespace isobath {

/// The plan `simple`: vertices are cut over the ranks, every rank stores all arcs out of its own ones, and
/// the owner of a target decides about its parent. A grid of one row.
class Simple final : public ProposingPlan {
 public:
  /// Collective. Kernel 1, components included.
  Simple(const EdgeStream& edges, const Communicator& world, const PlanOptions& options,
         PhaseObserver& observer);
  std::string_view name() const override { return "simple"; }

 private:
  void search_level(Level level, SearchObserver& observer) override;
  void send_while_scanning(FrontierWork& work, SearchObserver& observer) override;

  std::vector<std::uint32_t> frontier_;  // own, as columns
};

}  // namespace isobath
