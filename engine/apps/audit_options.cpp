// SPDX-License-Identifier: Apache-2.0
// The command line of isobath-audit. What the plans allow stands here a second time, as short as it can be:
// the program shares nothing with the plans that it audits.
#include <algorithm>
#include <array>
#include <charconv>
#include <sstream>
#include <string_view>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "apps/audit_program.hpp"
#include "partition/grid_shape.hpp"

namespace isobath {
namespace {

using reference::TrafficRules;

constexpr std::string_view audit_name = "isobath-audit";

constexpr std::array<std::string_view, 6> plans = {"replicated-csr", "replicated-csc", "simple",
                                                   "one-sided",      "two-dim",        "hybrid"};

/// Values of an option by plan, in the order of `plans`; the first is the default.
struct Switch {
  std::string_view name;
  std::array<std::string_view, 6> allowed;
};
constexpr std::string_view any_exchange =
    "own eager alltoallv pairwise sparse neighbour one-sided persistent two-level";
constexpr std::array<Switch, 13> switches = {{
    {"exchange",
     {"own", "own", any_exchange, "own emulated", any_exchange,
      "eager alltoallv pairwise sparse neighbour one-sided persistent two-level"}},
    {"duplicates", {"keep drop", "keep drop", "keep drop", "keep drop", "keep drop", "drop"}},
    {"ids", {"64", "64", "64 32", "64", "64 32", "32"}},
    {"dedup", {"none", "none", "none local", "none", "none local", "local"}},
    {"frontier",
     {"bitmap", "bitmap", "bitmap", "bitmap", "bitmap list smaller", "packed bitmap list smaller"}},
    {"fold", {"plain", "plain", "plain", "plain", "plain", "packed plain"}},
    {"relabel", {"off", "off", "off", "off", "off", "on classes off"}},
    {"leaves", {"in", "in", "in", "in", "in", "out in"}},
    {"likely-parents", {"off", "off", "off", "off", "off", "on off"}},
    {"hubs", {"off", "off", "off", "off", "off", "on few off"}},
    {"streams", {"off", "off", "off", "off", "off", "on off"}},
    {"overlap", {"off", "off", "off", "off", "off", "on off"}},
    {"direction", {"bottom-up", "top-down", "top-down", "top-down", "top-down", "policy top-down bottom-up"}},
}};

/// The options as they are typed.
struct Typed {
  std::optional<int> scale;
  std::string plan = "hybrid";
  std::string grid;
  std::array<std::string, switches.size()> values;
  std::string node_map;
};

void declare(CLI::App& app, AuditRequest& request, Typed& typed) {
  app.add_option("--scale", typed.scale, "log2 of the number of vertices (needed)")->check(CLI::Range(1, 31));
  app.add_option("--edgefactor", request.graph.edgefactor, "edges per vertex")
      ->capture_default_str()
      ->check(CLI::Range(1, max_edgefactor));
  app.add_option("--plan", typed.plan, "search plan")->capture_default_str();
  app.add_option("--grid", typed.grid, "rows x columns of ranks, for example 2x3 (needed)");
  for (std::size_t i = 0; i < switches.size(); ++i) {
    app.add_option(fmt::format("--{}", switches[i].name), typed.values[i],
                   fmt::format("as of isobath-graph500; hybrid: {}", switches[i].allowed.back()));
  }
  app.add_option("--node-map", typed.node_map,
                 "node of every rank, for example 0,0,1,1 (two-level exchange)");
  app.add_option("--searches", request.searches_file,
                 "lines of {\"search\":0,\"root\":5,\"directions\":[\"top_down\"]} (needed)");
  app.add_option("--threads", request.threads, "searches that are walked at a time; default: as OpenMP says")
      ->check(CLI::Range(1, 4096));
}

std::vector<std::string> words_of(std::string_view text) {
  std::istringstream words{std::string(text)};
  return {std::istream_iterator<std::string>(words), {}};
}

std::size_t index_of_plan(const std::string& plan) {
  const auto found = std::ranges::find(plans, plan);
  if (found == plans.end()) {
    throw UsageError(fmt::format("there is no search plan '{}'; there are {}", plan, fmt::join(plans, ", ")));
  }
  return static_cast<std::size_t>(found - plans.begin());
}

std::string chosen(const Typed& typed, std::string_view name, std::size_t plan) {
  const auto found = std::ranges::find(switches, name, &Switch::name);
  const std::string& value = typed.values[static_cast<std::size_t>(found - switches.begin())];
  const std::vector<std::string> allowed = words_of(found->allowed[plan]);
  if (value.empty()) return allowed.front();
  if (std::ranges::find(allowed, value) == allowed.end()) {
    throw UsageError(fmt::format("--{} {} is nothing for the plan {}, which has {}", name, value, plans[plan],
                                 fmt::join(allowed, ", ")));
  }
  return value;
}

/// The place of a value that is known to be among the names.
template <class Enum>
Enum named(const std::string& value, std::string_view names) {
  const std::vector<std::string> all = words_of(names);
  return static_cast<Enum>(std::ranges::find(all, value) - all.begin());
}

std::vector<int> nodes_of(const std::string& text) {
  std::vector<int> nodes;
  std::istringstream entries(text);
  for (std::string entry; std::getline(entries, entry, ',');) {
    int node = -1;
    const auto [end, error] = std::from_chars(entry.data(), entry.data() + entry.size(), node);
    if (error != std::errc() || end != entry.data() + entry.size() || node < 0) {
      throw UsageError(fmt::format("'{}' in --node-map is no node; write for example 0,0,1,1", entry));
    }
    nodes.push_back(node);
  }
  return nodes;
}

void take_switches(const Typed& typed, AuditRequest& request) {
  const std::size_t plan = index_of_plan(typed.plan);
  const auto value = [&](std::string_view name) { return chosen(typed, name, plan); };
  TrafficRules& rules = request.rules;
  rules.plan = static_cast<TrafficRules::Plan>(plan);
  rules.exchange = named<TrafficRules::Exchange>(
      value("exchange"),
      "own alltoallv pairwise sparse neighbour one-sided persistent two-level eager emulated");
  rules.keep_duplicates = value("duplicates") == "keep";
  rules.tuple_bytes = value("ids") == "64" ? 16 : 8;
  rules.local_dedup = value("dedup") == "local";
  rules.frontier = named<TrafficRules::Frontier>(value("frontier"), "bitmap list smaller packed");
  rules.packed_fold = value("fold") == "packed";
  rules.relabel = value("relabel") != "off";
  const bool has_streams = value("streams") == "on";  // only there bottom-up looks at families
  rules.families = value("relabel") == "on" && has_streams;
  rules.leaves_out = value("leaves") == "out";
  rules.likely_parents = value("likely-parents") == "on";
  rules.overlap = value("overlap") == "on";
  rules.hub_pass = value("hubs") != "off";
  rules.few_hubs = value("hubs") == "few";
  rules.direction = named<TrafficRules::DirectionRule>(value("direction"), "policy top-down bottom-up");
  rules.node_of_rank = nodes_of(typed.node_map);
}

void require(bool given, std::string_view option, std::string_view example) {
  if (given) return;
  throw UsageError(fmt::format("{} is missing; for example {} {}", option, option, example));
}

}  // namespace

AuditRequest read_audit_command_line(int argc, const char* const* argv) {
  AuditRequest request;
  Typed typed;
  CLI::App app("Counts by a serial walk what every rank of a search must send.", std::string(audit_name));
  declare(app, request, typed);
  app.set_version_flag("--version", ISOBATH_VERSION);
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    request.answer = app.help();
    return request;
  } catch (const CLI::CallForVersion&) {
    request.answer = fmt::format("{} {}\n", audit_name, ISOBATH_VERSION);
    return request;
  } catch (const CLI::ParseError& error) {
    throw UsageError(fmt::format("{}; see {} --help", error.what(), audit_name));
  }
  require(typed.scale.has_value(), "--scale", "20");
  require(!typed.grid.empty(), "--grid", "2x2");
  require(!request.searches_file.empty(), "--searches", "searches.jsonl");
  request.graph.scale = *typed.scale;
  const GridShape shape = GridShape::parse(typed.grid);
  request.rules.rows = shape.rows;
  request.rules.cols = shape.cols;
  take_switches(typed, request);
  return request;
}

}  // namespace isobath
