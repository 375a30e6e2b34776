// SPDX-License-Identifier: Apache-2.0
#include "validate/sssp_rules.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/expects.hpp"
#include "validate/distance_rules.hpp"
#include "validate/owner_exchange.hpp"
#include "validate/tree_levels.hpp"

namespace isobath {
namespace {

constexpr std::array<RuleText, num_sssp_rules> path_rule_texts = {{
    {"parent_range", "every parent is -1 or a vertex, and the root is its own parent"},
    {"tree", "following the parents never runs in a circle"},
    {"leads_to_root", "following the parents from a vertex that has one ends at the root"},
    {"distance_range",
     "the root's distance is 0, every vertex with a parent has a finite distance that is not negative, and "
     "every other vertex an infinite one"},
    {"edge_distances",
     "the distance of an edge's end is at most the other end's plus the weight, added in single precision"},
    {"spans_component", "no edge leads from a reached vertex to one that was not reached"},
    {"tree_edges",
     "every vertex is joined to its parent by an edge of the input whose weight added to the parent's "
     "distance is exactly its own, in single precision"},
    {"traversed_edges", "the traversed edges are those that construction counted for the component"},
}};

/// What is wrong with the first example.
std::string example(SsspRule rule, const RuleOutcome& outcome) {
  const std::int64_t other = raw(outcome.first_other);
  switch (rule) {
    case SsspRule::parent_range:
      return fmt::format("its parent is {}", other);
    case SsspRule::tree:
      return fmt::format("its parent {} leads into a cycle", other);
    case SsspRule::leads_to_root:
      return fmt::format("its parent {} does not lead to the root", other);
    case SsspRule::distance_range:
      return fmt::format("its parent is {}, which its distance does not fit", other);
    case SsspRule::edge_distances:
      return fmt::format("an edge from its neighbour {} makes a shorter path", other);
    case SsspRule::spans_component:
      return fmt::format("not reached, but its neighbour {} is", other);
    case SsspRule::tree_edges:
      return fmt::format("no edge from its parent {} gives its distance", other);
    case SsspRule::traversed_edges:
      break;  // has no vertex
  }
  return {};
}

}  // namespace

std::string_view name_of(SsspRule rule) { return path_rule_texts[static_cast<std::size_t>(rule)].name; }
std::string_view meaning_of(SsspRule rule) { return path_rule_texts[static_cast<std::size_t>(rule)].meaning; }

bool SsspValidation::passed() const {
  return std::all_of(rules.begin(), rules.end(),
                     [](const RuleOutcome& rule) { return rule.violations == 0; });
}

std::string SsspValidation::first_violation() const {
  for (std::size_t i = 0; i < num_sssp_rules; ++i) {
    const RuleOutcome& outcome = rules[i];
    if (outcome.violations == 0) continue;
    const auto rule = static_cast<SsspRule>(i);
    if (rule == SsspRule::traversed_edges) {
      return violation_sentence(name_of(rule), outcome.violations, difference_sentence(claimed, counted));
    }
    return violation_sentence(name_of(rule), outcome, example(rule, outcome));
  }
  return {};
}

struct SsspValidator::Work {
  Work(const Communicator& world, const BlockPartition& partition, const WeightedEdgeStream& edges,
       VertexFacts facts, std::optional<ExchangeLimits> limits)
      : exchange(world, partition, limits),
        gathered(world, partition, edges.size(), facts),
        levels(world, partition, exchange, gathered),
        distance_rules(world, partition, edges, exchange, gathered) {}

  OwnerExchange exchange;
  GatheredVertices gathered;
  TreeLevels levels;
  DistanceRules distance_rules;
};

SsspValidator::SsspValidator(const Communicator& world, const BlockPartition& partition,
                             const WeightedEdgeStream& edges, VertexFacts facts,
                             std::optional<ExchangeLimits> limits)
    : world_(world), partition_(partition) {
  ISOBATH_EXPECTS(partition.num_blocks() == world.size());
  ISOBATH_EXPECTS(partition.num_vertices() == edges.num_vertices());
  work_ = std::make_unique<Work>(world, partition, edges, facts, limits);
}

SsspValidator::~SsspValidator() = default;

SsspValidation SsspValidator::validate(GlobalVertex root, std::span<const GlobalVertex> parents,
                                       std::span<const float> distances, ClaimedEdges claimed) {
  ISOBATH_EXPECTS(raw(root) >= 0 && raw(root) < partition_.num_vertices());
  ISOBATH_EXPECTS(static_cast<std::int64_t>(parents.size()) == partition_.size(world_.rank()));
  ISOBATH_EXPECTS(distances.size() == parents.size());
  TreeTally tree;
  work_->levels.count(root, parents, tree);
  RuleTally<SsspRule> tally;
  tally.add(SsspRule::parent_range, tree.of(TreeRule::parent_range));
  tally.add(SsspRule::tree, tree.of(TreeRule::tree));
  tally.add(SsspRule::leads_to_root, tree.of(TreeRule::leads_to_root));
  const DistanceRules::Facts facts =
      work_->distance_rules.check(root, parents, distances, work_->levels, tally);

  SsspValidation validation;
  validation.claimed = claimed;
  validation.counted = {world_.sum(facts.edges.traversed_edges), world_.sum(facts.edges.self_loops)};
  const std::vector<std::int64_t> vertices_per_level = work_->levels.vertices_per_level();
  validation.tree_levels = static_cast<std::int64_t>(vertices_per_level.size());
  for (const std::int64_t vertices : vertices_per_level) validation.vertices_reached += vertices;
  validation.distance_sum = world_.sum(facts.distance_sum);
  validation.distance_max = world_.max(facts.distance_max);
  validation.rules = tally.over_all_ranks(world_);
  validation.rules[static_cast<std::size_t>(SsspRule::traversed_edges)].violations =
      difference(claimed, validation.counted);
  return validation;
}

}  // namespace isobath
