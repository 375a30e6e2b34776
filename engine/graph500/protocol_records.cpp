// SPDX-License-Identifier: Apache-2.0
#include "graph500/protocol_records.hpp"

#include <cstddef>
#include <cstdlib>

#include <fmt/format.h>

namespace isobath {

ConstructionRecord construction_record(const GraphFacts& facts, int ranks) {
  ConstructionRecord record;
  record.num_vertices = facts.num_vertices;
  record.num_edges = facts.num_edges;
  record.self_loops = facts.self_loops;
  if (!facts.keeps_duplicates) record.distinct_edges = facts.distinct_edges;
  record.isolated_vertices = facts.isolated_vertices;
  record.leaves = facts.leaves;
  record.searched_vertices = facts.searched_vertices;
  record.stored_arcs = facts.stored_arcs;
  record.hubs = facts.num_heavy;
  record.max_degree_with_duplicates = facts.max_degree_with_duplicates;
  record.components = facts.components;
  record.largest_component_vertices = facts.largest_component_vertices;
  record.largest_component_edges = facts.largest_component_edges;
  const Prepared& prepared = facts.prepared;
  record.prepared = {.by_degree = prepared.by_degree,
                     .families = prepared.families,
                     .likely_parents = prepared.likely_parents,
                     .told_hubs = prepared.told_hubs,
                     .first_neighbours = prepared.first_neighbours,
                     .ranks_without_first_neighbours = prepared.ranks_without_first_neighbours,
                     .by_weight = prepared.by_weight,
                     .light_streams = prepared.light_streams,
                     .ranks_without_light_streams = prepared.ranks_without_light_streams,
                     .core_radius = prepared.core_radius};
  if (facts.stored_arcs > 0) {
    const double mean = static_cast<double>(facts.stored_arcs) / ranks;
    record.imbalance = static_cast<double>(facts.max_stored_arcs_per_rank) / mean;
  }
  return record;
}

PathPlanRecord path_plan_record(const SearchPlan& plan) {
  PathPlanRecord record{.plan = std::string(plan.name()), .pruned = plan.is_pruned(), .reason = {}};
  if (!plan.reason().empty()) record.reason = plan.reason();
  return record;
}

ConstructionCheckRecord construction_check_record(const SearchPlan::ConstructionCheck& check,
                                                  std::int64_t expected_arcs) {
  ConstructionCheckRecord record;
  record.missing_arcs = check.missing_arcs;
  record.unfounded_arcs = check.arcs - check.met_arcs;
  record.arcs = check.arcs;
  record.expected_arcs = expected_arcs;
  record.passed =
      record.missing_arcs == 0 && record.unfounded_arcs == 0 && record.arcs == record.expected_arcs;
  return record;
}

std::int64_t construction_violations(const ConstructionCheckRecord& check) {
  return check.missing_arcs + std::abs(check.unfounded_arcs) + std::abs(check.arcs - check.expected_arcs);
}

std::string sentence_of(const ConstructionCheckRecord& check, const Edge& first_missing) {
  if (check.missing_arcs > 0) {
    return fmt::format("the constructed graph lacks {} arcs, the first of edge {}-{}", check.missing_arcs,
                       raw(first_missing.u), raw(first_missing.v));
  }
  if (check.unfounded_arcs != 0) {
    return fmt::format("the constructed graph has {} arcs that are no edges of the list",
                       check.unfounded_arcs);
  }
  if (check.arcs != check.expected_arcs) {
    return fmt::format("the constructed graph has {} arcs, but its edges have {}", check.arcs,
                       check.expected_arcs);
  }
  return {};
}

void put_timing(SearchRecord& record, const SearchTiming& timing, const TraversedEdges& traversed) {
  record.seconds = timing.seconds;
  record.seconds_min = timing.seconds_min;
  record.seconds_mean = timing.seconds_mean;
  record.phases = timing.phases;
  record.bytes_sent = timing.bytes_sent;
  record.messages = timing.messages;
  record.traversed_edges = traversed.without_self_loops;
  record.traversed_edges_with_self_loops = traversed.without_self_loops + traversed.self_loops;
  record.teps = static_cast<double>(traversed.without_self_loops) / timing.seconds;
}

namespace {

template <class RuleOf, class Validation>
ValidationRecord record_of(const Validation& outcome, double seconds) {
  ValidationRecord record;
  record.passed = outcome.passed();
  record.seconds = seconds;
  if (!record.passed) record.first_violation = outcome.first_violation();
  const auto if_named = [](GlobalVertex vertex) -> std::optional<std::int64_t> {
    if (vertex == no_vertex) return std::nullopt;
    return raw(vertex);
  };
  for (std::size_t i = 0; i < outcome.rules.size(); ++i) {
    const RuleOutcome& rule = outcome.rules[i];
    RuleRecord line;
    line.rule = name_of(static_cast<RuleOf>(i));
    line.violations = rule.violations;
    if (rule.violations > 0) {
      line.first_vertex = if_named(rule.first_vertex);
      line.first_other = if_named(rule.first_other);
    }
    record.rules.push_back(std::move(line));
  }
  return record;
}

}  // namespace

ValidationRecord validation_record(const BfsValidation& outcome, double seconds) {
  return record_of<BfsRule>(outcome, seconds);
}
ValidationRecord validation_record(const SsspValidation& outcome, double seconds) {
  return record_of<SsspRule>(outcome, seconds);
}

void put_counts(SearchRecord& record, const BfsValidation& outcome) {
  record.vertices_reached = outcome.vertices_reached;
  record.levels = static_cast<int>(outcome.vertices_per_level.size());
  record.vertices_per_level = outcome.vertices_per_level;
}

void put_counts(SearchRecord& record, const SsspValidation& outcome) {
  record.vertices_reached = outcome.vertices_reached;
  record.tree_levels = outcome.tree_levels;
  if (outcome.vertices_reached == 0) return;
  record.distances = DistancesRecord{outcome.distance_sum / static_cast<double>(outcome.vertices_reached),
                                     outcome.distance_max};
}

RoundRecord round_record(const LevelRecord& level) {
  RoundRecord round;
  static_cast<SearchPartRecord&>(round) = level;
  round.round = level.level;
  round.active_vertices = level.frontier_vertices;
  round.arcs_relaxed = level.arcs_scanned;
  return round;
}

}  // namespace isobath
