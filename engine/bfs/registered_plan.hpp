// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "bfs/plan.hpp"

namespace isobath {

/// Which grids a plan can have.
struct PlanShapes {
  GridShape (*usual)(int ranks);  // where none is asked for
  bool is_the_only_one = false;
};
inline constexpr PlanShapes one_column = {[](int ranks) { return GridShape{ranks, 1}; }, true};
inline constexpr PlanShapes one_row = {[](int ranks) { return GridShape{1, ranks}; }, true};
inline constexpr PlanShapes usually_squarest = {GridShape::squarest};

/// Values of the switch `exchange`: all ways of exchange, and before them the plan's own.
inline constexpr std::string_view any_exchange =
    "eager alltoallv pairwise sparse neighbour one-sided persistent two-level";
inline constexpr std::string_view own_or_any_exchange =
    "own eager alltoallv pairwise sparse neighbour one-sided persistent two-level";

/// Kernel 1 of a plan.
template <class Edges, class Options>
using PlanConstructor = std::unique_ptr<SearchPlan> (*)(const Edges&, const Communicator&, const Options&,
                                                        PhaseObserver&);

/// All that is known of a search plan before it is constructed.
struct RegisteredPlan {
  std::string_view name;
  PlanShapes shapes;
  std::span<const SwitchChoice> choices = {};  // of switches that are not as published (SwitchEntry)
  bool has_tasks = false;                      // a thread communicates while others scan
  bool has_wide_positions = false;             // of originals, on several grid columns (PositionForm)
  PlanConstructor<EdgeStream, PlanOptions> construct = nullptr;
};

// A plan is a file that defines one of these, and a line in plans.cpp.
RegisteredPlan registered_replicated_csr();
RegisteredPlan registered_replicated_csc();
RegisteredPlan registered_simple();
RegisteredPlan registered_one_sided();
RegisteredPlan registered_two_dim();
RegisteredPlan registered_hybrid();

/// The registry.
std::span<const RegisteredPlan> search_plans();
/// @throws UsageError naming all plans where there is none of this name
const RegisteredPlan& plan_named(std::string_view name);

/// For the constructor in the registry.
template <class Plan, class Edges, class Options>
std::unique_ptr<SearchPlan> construct_as(const Edges& edges, const Communicator& world,
                                         const Options& options, PhaseObserver& observer) {
  return std::make_unique<Plan>(edges, world, options, observer);
}

/// Collective. Kernel 1 of a registered plan, of this kernel or of the other.
/// @throws InternalError where the plan is listed, but nothing constructs it: no other is ever taken for it
template <class Entry, class Edges, class Options>
std::unique_ptr<SearchPlan> construct_registered(const Entry& plan, const Edges& edges,
                                                 const Communicator& world, const Options& options,
                                                 PhaseObserver& observer) {
  if (plan.construct == nullptr) {
    throw InternalError("the plan " + std::string(plan.name) + " is listed, but nothing constructs it");
  }
  return plan.construct(edges, world, options, observer);
}

template <class Registry>
std::vector<std::string> names_of(const Registry& plans) {
  std::vector<std::string> names;
  for (const auto& plan : plans) names.emplace_back(plan.name);
  return names;
}

}  // namespace isobath
