// SPDX-License-Identifier: Apache-2.0
#include "bfs/switches.hpp"

#include <algorithm>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.hpp"

namespace isobath {
namespace {

/// To here hybrid in one column is fastest, for it sends no parents (ADR 0022).
constexpr int most_ranks_in_one_column = 16;

constexpr std::array<std::string_view, 2> on_off = {"on", "off"};

bool is_replicated(std::string_view plan) { return plan.starts_with("replicated-"); }
bool is_one_dimensional(std::string_view plan) {
  return is_replicated(plan) || plan == "simple" || plan == "one-sided";
}

/// What a plan lets a person choose for one option, the default first.
using Choices = std::vector<std::string_view>;

Choices exchanges_of(std::string_view plan) {
  if (is_replicated(plan)) return {"own"};
  if (plan == "one-sided") return {"own", "emulated"};
  Choices all(exchange_names.begin(), exchange_names.end());
  if (plan != "hybrid") all.insert(all.begin(), "own");
  return all;
}

struct PlanChoices {
  Choices relabel, leaves, likely_parents, hub_pass, duplicates, streams, overlap, dedup, ids, frontier, fold,
      direction, exchange;
};

PlanChoices choices_of(std::string_view plan) {
  PlanChoices choices{{"off"},  {"in"}, {"off"},    {"off"},   {"keep", "drop"}, {"off"},           {"off"},
                      {"none"}, {"64"}, {"bitmap"}, {"plain"}, {"top-down"},     exchanges_of(plan)};
  if (plan == "replicated-csr") choices.direction = {"bottom-up"};
  if (plan == "simple" || plan == "two-dim") {
    choices.dedup = {"none", "local"};
    choices.ids = {"64", "32"};
    choices.fold = {"plain"};
  }
  if (plan == "two-dim") choices.frontier = {"bitmap", "list", "smaller"};
  if (plan == "hybrid") {
    choices.relabel = {"on", "classes", "off"};
    choices.leaves = {"out", "in"};
    choices.likely_parents = {"on", "off"};
    choices.hub_pass = {"on", "off"};
    choices.duplicates = {"drop"};
    choices.streams = {"on", "off"};
    choices.overlap = {"on", "off"};
    choices.dedup = {"local"};
    choices.ids = {"32"};
    choices.frontier = {"packed", "bitmap", "list", "smaller"};
    choices.fold = {"packed", "plain"};
    choices.direction = {"policy", "top-down", "bottom-up"};
  }
  return choices;
}

/// The value asked for, or the default.
std::string_view chosen(std::string_view plan, std::string_view option, const std::string& asked,
                        const Choices& choices) {
  if (asked.empty()) return choices.front();
  const auto found = std::find(choices.begin(), choices.end(), asked);
  if (found != choices.end()) return *found;
  if (choices.size() == 1) {
    throw UsageError(fmt::format("--{} {} is nothing for the plan {}, which has {}; leave the option out",
                                 option, asked, plan, choices.front()));
  }
  throw UsageError(fmt::format("--{} {} is nothing for the plan {}; choose one of {}", option, asked, plan,
                               fmt::join(choices, ", ")));
}

template <class Enum, std::size_t count>
Enum value_of(std::string_view name, const std::array<std::string_view, count>& names) {
  return static_cast<Enum>(std::find(names.begin(), names.end(), name) - names.begin());
}

template <std::size_t count>
std::string name_in(const std::array<std::string_view, count>& names, std::size_t index) {
  return std::string(names[index]);
}

}  // namespace

Switches switches_for(std::string_view plan, const AskedSwitches& asked) {
  if (std::find(plan_names.begin(), plan_names.end(), plan) == plan_names.end()) {
    throw UsageError(
        fmt::format("there is no search plan '{}'; there are {}", plan, fmt::join(plan_names, ", ")));
  }
  const PlanChoices choices = choices_of(plan);
  Switches result;
  const std::string_view relabel = chosen(plan, "relabel", asked.relabel, choices.relabel);
  result.relabel = relabel != "off";
  result.families = relabel == "on";
  result.leaves_out = chosen(plan, "leaves", asked.leaves, choices.leaves) == "out";
  result.likely_parents =
      chosen(plan, "likely-parents", asked.likely_parents, choices.likely_parents) == "on";
  result.hub_pass = chosen(plan, "hubs", asked.hub_pass, choices.hub_pass) == "on";
  result.keep_duplicates = chosen(plan, "duplicates", asked.duplicates, choices.duplicates) == "keep";
  result.streams = chosen(plan, "streams", asked.streams, choices.streams) == "on";
  result.overlap = chosen(plan, "overlap", asked.overlap, choices.overlap) == "on";
  result.dedup = chosen(plan, "dedup", asked.dedup, choices.dedup) == "local";
  result.id_bits = chosen(plan, "ids", asked.ids, choices.ids) == "64" ? 64 : 32;
  result.frontier =
      value_of<FrontierForm>(chosen(plan, "frontier", asked.frontier, choices.frontier), frontier_names);
  result.fold = value_of<FoldForm>(chosen(plan, "fold", asked.fold, choices.fold), fold_names);
  result.direction =
      value_of<DirectionRule>(chosen(plan, "direction", asked.direction, choices.direction), direction_names);
  const std::string_view exchange = chosen(plan, "exchange", asked.exchange, choices.exchange);
  result.emulated = exchange == "emulated";
  result.exchange.reset();
  if (exchange != "own" && exchange != "emulated") {
    result.exchange = value_of<ExchangeKind>(exchange, exchange_names);
  }
  return result;
}

Switches default_switches(std::string_view plan) { return switches_for(plan, {}); }

std::array<NamedSwitch, 13> named_switches(const Switches& switches) {
  const auto on = [](bool value) { return std::string(on_off[value ? 0 : 1]); };
  std::string exchange = switches.emulated ? "emulated" : "own";
  if (switches.exchange) exchange = name_of(*switches.exchange);
  return {{{"exchange", exchange},
           {"duplicates", switches.keep_duplicates ? "keep" : "drop"},
           {"ids", std::to_string(switches.id_bits)},
           {"dedup", switches.dedup ? "local" : "none"},
           {"frontier", name_in(frontier_names, static_cast<std::size_t>(switches.frontier))},
           {"fold", name_in(fold_names, static_cast<std::size_t>(switches.fold))},
           {"relabel", switches.relabel && !switches.families ? "classes" : on(switches.relabel)},
           {"leaves", switches.leaves_out ? "out" : "in"},
           {"likely-parents", on(switches.likely_parents)},
           {"hubs", on(switches.hub_pass)},
           {"streams", on(switches.streams)},
           {"overlap", on(switches.overlap)},
           {"direction", name_in(direction_names, static_cast<std::size_t>(switches.direction))}}};
}

GridShape default_shape(std::string_view plan, int ranks) {
  if (is_replicated(plan)) return {ranks, 1};
  if (is_one_dimensional(plan)) return {1, ranks};
  const GridShape squarest = GridShape::squarest(ranks);
  if (plan != "hybrid") return squarest;
  return ranks <= most_ranks_in_one_column ? GridShape{ranks, 1} : GridShape{squarest.cols, squarest.rows};
}

std::string_view tasks_of(std::string_view plan, const Switches& switches, GridShape shape, int threads) {
  if (plan != "two-dim" || switches.exchange || shape.cols == 1) return {};
  return threads > 1 ? "side_by_side" : "in_turn";
}

void require_shape(std::string_view plan, GridShape shape) {
  if (!is_one_dimensional(plan) || shape == default_shape(plan, shape.size())) return;
  throw UsageError(fmt::format("the plan {} has the grid {} on {} ranks, not {}; leave --grid out", plan,
                               default_shape(plan, shape.size()).text(), shape.size(), shape.text()));
}

}  // namespace isobath
