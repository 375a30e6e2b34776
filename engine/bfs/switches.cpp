// SPDX-License-Identifier: Apache-2.0
#include "bfs/switches.hpp"

#include <algorithm>
#include <iterator>
#include <sstream>
#include <type_traits>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.hpp"
#include "base/expects.hpp"
#include "base/named_entry.hpp"
#include "bfs/registered_plan.hpp"

namespace isobath {
namespace {

// Words of values, in the order of their numbers.
constexpr std::array<std::string_view, 2> off_on = {"off", "on"};
constexpr std::array<std::string_view, 2> in_out = {"in", "out"};
constexpr std::array<std::string_view, 2> drop_keep = {"drop", "keep"};
constexpr std::array<std::string_view, 2> none_local = {"none", "local"};

template <class Names>
std::size_t number_of(std::string_view word, const Names& names) {
  const auto found = std::find(names.begin(), names.end(), word);
  ISOBATH_EXPECTS(found != names.end());
  return static_cast<std::size_t>(found - names.begin());
}

/// A switch whose value is a truth value or an enumerator, called by one of `names`.
template <auto member, const auto& names>
constexpr SwitchEntry of_words(std::string_view name, std::string_view published, std::string_view words) {
  return {name, published, words,
          [](Switches& switches, std::string_view value) {
            using Value = std::remove_reference_t<decltype(switches.*member)>;
            switches.*member = static_cast<Value>(number_of(value, names));
          },
          [](const Switches& switches) {
            return std::string(names[static_cast<std::size_t>(switches.*member)]);
          }};
}

void set_exchange(Switches& switches, std::string_view value) {
  switches.emulated = value == "emulated";
  switches.exchange.reset();
  if (value == "own" || switches.emulated) return;
  switches.exchange = static_cast<ExchangeKind>(number_of(value, exchange_names));
}

std::string exchange_of(const Switches& switches) {
  if (switches.exchange) return std::string(name_of(*switches.exchange));
  return switches.emulated ? "emulated" : "own";
}

void set_id_bits(Switches& switches, std::string_view value) { switches.id_bits = value == "64" ? 64 : 32; }
std::string id_bits_of(const Switches& switches) { return std::to_string(switches.id_bits); }

void set_relabel(Switches& switches, std::string_view value) {
  switches.relabel = value != "off";
  switches.families = value == "on";
}
std::string relabel_of(const Switches& switches) {
  if (!switches.relabel) return "off";
  return switches.families ? "on" : "classes";
}

void set_hubs(Switches& switches, std::string_view value) {
  switches.hub_pass = value != "off";
  switches.few_hubs = value == "few";
}
std::string hubs_of(const Switches& switches) {
  if (!switches.hub_pass) return "off";
  return switches.few_hubs ? "few" : "on";
}

/// The one table of switches.
constexpr std::array<SwitchEntry, 13> table = {{
    {"exchange", "own",
     "fold by: own, eager, alltoallv, pairwise, sparse, neighbour, one-sided, persistent, two-level, "
     "emulated",
     set_exchange, exchange_of},
    of_words<&Switches::keep_duplicates, drop_keep>("duplicates", "keep drop", "of edges: keep or drop"),
    {"ids", "64", "bits of an id in a fold tuple: 64 or 32", set_id_bits, id_bits_of},
    of_words<&Switches::dedup, none_local>("dedup", "none",
                                           "propose each target once per rank: local or none"),
    of_words<&Switches::frontier, frontier_names>("frontier", "bitmap",
                                                  "expanded as: bitmap, list, smaller or packed"),
    of_words<&Switches::fold, fold_names>("fold", "plain", "messages: plain or packed"),
    {"relabel", "off", "number heavy vertices first: on (families together), classes or off", set_relabel,
     relabel_of},
    of_words<&Switches::leaves_out, in_out>("leaves", "in", "of the searched graph: out or in"),
    of_words<&Switches::likely_parents, off_on>("likely-parents", "off",
                                                "written down in construction and copied by emit: on or off"),
    {"hubs", "off",
     "on several grid columns owners find first what has a hub as parent: on, few "
     "(one hub for 4096 vertices) or off",
     set_hubs, hubs_of},
    of_words<&Switches::streams, off_on>("streams", "off", "of first neighbours for bottom-up: on or off"),
    of_words<&Switches::overlap, off_on>("overlap", "off",
                                         "of the bottom-up ring with computation: on or off"),
    of_words<&Switches::direction, direction_names>("direction", "top-down",
                                                    "of levels: policy, top-down or bottom-up"),
}};

std::vector<std::string> values_of(const RegisteredPlan& plan, const SwitchEntry& entry) {
  const auto own = std::find_if(plan.choices.begin(), plan.choices.end(),
                                [&](const SwitchChoice& choice) { return choice.name == entry.name; });
  std::istringstream words{std::string(own == plan.choices.end() ? entry.published : own->values)};
  return {std::istream_iterator<std::string>(words), {}};
}

/// The value asked for, or the default.
std::string chosen(const RegisteredPlan& plan, const SwitchEntry& entry, const AskedSwitches& all_asked) {
  const std::vector<std::string> values = values_of(plan, entry);
  const auto asked = all_asked.find(entry.name);
  if (asked == all_asked.end() || asked->second.empty()) return values.front();
  if (std::find(values.begin(), values.end(), asked->second) != values.end()) return asked->second;
  if (values.size() == 1) {
    throw UsageError(fmt::format("--{} {} is nothing for the plan {}, which has {}; leave the option out",
                                 entry.name, asked->second, plan.name, values.front()));
  }
  throw UsageError(fmt::format("--{} {} is nothing for the plan {}; choose one of {}", entry.name,
                               asked->second, plan.name, fmt::join(values, ", ")));
}

}  // namespace

std::span<const SwitchEntry> switch_table() { return table; }

Switches switches_for(std::string_view plan, const AskedSwitches& asked) {
  const RegisteredPlan& registered = plan_named(plan);
  for (const auto& [name, value] : asked) entry_named(table, name, "switch");
  Switches result;
  for (const SwitchEntry& entry : table) entry.set(result, chosen(registered, entry, asked));
  return result;
}

Switches default_switches(std::string_view plan) { return switches_for(plan, {}); }

std::vector<NamedValue> named_switches(const Switches& switches) {
  std::vector<NamedValue> named;
  for (const SwitchEntry& entry : table) named.push_back({std::string(entry.name), entry.value_of(switches)});
  return named;
}

}  // namespace isobath
