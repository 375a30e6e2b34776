// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/named_value.hpp"
#include "comm/exchange/exchange.hpp"
#include "partition/grid_shape.hpp"

namespace isobath {

/// What expand sends in a top-down level: the frontier's bitmap; its list, 4 bytes a vertex; whichever of the
/// two is smaller over the grid column; or, rank by rank, the smaller of bits and delta-compressed list.
enum class FrontierForm { bitmap, list, smaller, packed };
inline constexpr std::array<std::string_view, 4> frontier_names = {"bitmap", "list", "smaller", "packed"};

/// What fold sends: pairs as they are, or targets as differences and sources in as few bits as they need.
enum class FoldForm { plain, packed };
inline constexpr std::array<std::string_view, 2> fold_names = {"plain", "packed"};

enum class DirectionRule { policy, top_down, bottom_up };
inline constexpr std::array<std::string_view, 3> direction_names = {"policy", "top-down", "bottom-up"};

/// Everything in which two plans may differ besides their partitioning. A switch that means nothing to a plan
/// has the value it has in default_switches() of that plan.
struct Switches {
  bool relabel = true;           // working numbers by degree; else those of the edge list
  bool families = true;          // vertices of one first heavy neighbour, or hub, stand together
  bool leaves_out = true;        // vertices of degree 1 are not searched; emit gives them their parent
  bool likely_parents = true;    // emit copies parents chosen in construction, and writes only the others
  bool hub_pass = true;          // owners look for parents among hubs first; on several grid columns
  bool few_hubs = false;         // so few hubs as a hundred thousand ranks have (graph/named_hubs.hpp)
  bool keep_duplicates = false;  // edges that the list has twice are stored twice
  bool streams = true;           // first neighbours of all rows also stand in arrays of their own
  bool overlap = true;           // the bottom-up ring sends one half while it searches the other
  bool dedup = true;             // a rank proposes each target once in a search
  int id_bits = 32;              // of an id in a fold tuple
  FrontierForm frontier = FrontierForm::packed;
  FoldForm fold = FoldForm::packed;
  DirectionRule direction = DirectionRule::policy;
  std::optional<ExchangeKind> exchange = ExchangeKind::eager;  // absent: the plan's own way
  bool emulated = false;                                       // one-sided communication played by alltoallv
};

/// One switch in words. Options, records and what plans choose from follow the table of these.
struct SwitchEntry {
  std::string_view name;       // of its option, without dashes
  std::string_view published;  // values of a plan that does not say which it has, as in SwitchChoice
  std::string_view words;      // for --help
  void (*set)(Switches& switches, std::string_view value);
  std::string (*value_of)(const Switches& switches);
};
/// All of them, in the order of records.
std::span<const SwitchEntry> switch_table();

/// What a plan lets a person choose for one switch.
struct SwitchChoice {
  std::string_view name;
  std::string_view values;  // separated by blanks, the default first
};

/// What a person asked for, by name of the switch; absent or empty: as the plan has it by default.
using AskedSwitches = std::map<std::string, std::string, std::less<>>;

/// The plan as it is published; hybrid as we run it. @throws UsageError for an unknown name
Switches default_switches(std::string_view plan);
/// The switches that result, checked against what the plan can do.
/// @throws UsageError in one sentence naming the option, what the plan allows, and the plan
Switches switches_for(std::string_view plan, const AskedSwitches& asked);
/// Every switch and its value, in the order of the table.
std::vector<NamedValue> named_switches(const Switches& switches);

}  // namespace isobath
