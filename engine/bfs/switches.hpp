// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "comm/exchange.hpp"
#include "partition/grid_shape.hpp"

namespace isobath {

/// The search plans by name (docs/explanation/plans.md).
inline constexpr std::array<std::string_view, 6> plan_names = {"replicated-csr", "replicated-csc", "simple",
                                                               "one-sided",      "two-dim",        "hybrid"};

/// What expand sends in a top-down level: the frontier's bitmap; its list, 4 bytes a vertex; whichever of the
/// two is smaller over the grid column; or the smaller of bitmap and delta-compressed list.
enum class FrontierForm { bitmap, list, smaller, packed };
inline constexpr std::array<std::string_view, 4> frontier_names = {"bitmap", "list", "smaller", "packed"};

/// What fold sends: pairs as they are, or targets as differences and sources in as few bits as they need.
enum class FoldForm { plain, packed };
inline constexpr std::array<std::string_view, 2> fold_names = {"plain", "packed"};

enum class DirectionRule { policy, top_down, bottom_up };
inline constexpr std::array<std::string_view, 3> direction_names = {"policy", "top-down", "bottom-up"};

/// Everything in which two plans may differ besides their partitioning. A switch that means nothing to a plan
/// has the value it has in published_switches() of that plan.
struct Switches {
  bool relabel = true;
  bool families = true;  // of the same first hub, where one rank has the whole graph
  bool leaves_out = true;
  bool likely_parents = true;  // written down in construction, copied by emit, where rows are complete
  bool hub_pass = true;        // owners find by hubs before the bottom-up ring, on several grid columns
  bool keep_duplicates = false;
  bool streams = true;
  bool overlap = true;  // of the bottom-up ring
  bool dedup = true;    // a rank proposes each target once in a search
  int id_bits = 32;     // of an id in a fold tuple
  FrontierForm frontier = FrontierForm::packed;
  FoldForm fold = FoldForm::packed;
  DirectionRule direction = DirectionRule::policy;
  std::optional<ExchangeKind> exchange = ExchangeKind::alltoallv;  // absent: the plan's own way
  bool emulated = false;  // one-sided communication played by alltoallv
};

/// What a person asked for; absent: as the plan has it by default.
struct AskedSwitches {
  std::string relabel, leaves, likely_parents, hub_pass, duplicates, streams, overlap, dedup, ids, frontier,
      fold, direction, exchange;
};

/// A switch as its option shows it.
struct NamedSwitch {
  std::string_view name;
  std::string value;
};

/// The plan as it is published; hybrid as we run it. @throws UsageError for an unknown name
Switches default_switches(std::string_view plan);
/// The switches that result, checked against what the plan can do.
/// @throws UsageError in one sentence naming the option, what the plan allows, and the plan
Switches switches_for(std::string_view plan, const AskedSwitches& asked);
/// Every switch under its option's name, in the order of the options.
std::array<NamedSwitch, 13> named_switches(const Switches& switches);

/// The grid of a plan where none is asked for: one grid column for the replicated plans and for hybrid on few
/// ranks, one grid row for simple and one-sided, the squarest rectangle else (of hybrid with rows >=
/// columns).
GridShape default_shape(std::string_view plan, int ranks);
/// How the sender and receiver tasks of two-dim run, "side_by_side" or "in_turn"; empty where there are none.
std::string_view tasks_of(std::string_view plan, const Switches& switches, GridShape shape, int threads);
/// @throws UsageError where the plan cannot have this grid
void require_shape(std::string_view plan, GridShape shape);

}  // namespace isobath
