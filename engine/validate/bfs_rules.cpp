// SPDX-License-Identifier: Apache-2.0
#include "validate/bfs_rules.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "base/expects.hpp"
#include "validate/copy_check.hpp"
#include "validate/edge_rules.hpp"
#include "validate/owner_exchange.hpp"
#include "validate/rule_tally.hpp"
#include "validate/tree_levels.hpp"

namespace isobath {
namespace {

constexpr std::array<RuleText, num_bfs_rules> rule_texts = {{
    {"parent_range", "every parent is -1 or a vertex, and the root is its own parent"},
    {"tree", "following the parents never runs in a circle"},
    {"tree_levels",
     "every tree edge joins vertices one level apart, so that each vertex with a parent has a level"},
    {"edge_levels", "the levels of an edge's ends differ by at most one"},
    {"spans_component", "no edge leads from a reached vertex to one that was not reached"},
    {"tree_edges", "every vertex is joined to its parent by an edge of the input"},
    {"traversed_edges", "the traversed edges are those that construction counted for the component"},
}};

/// What is wrong with the first example.
std::string example(BfsRule rule, const RuleOutcome& outcome) {
  const std::int64_t other = raw(outcome.first_other);
  switch (rule) {
    case BfsRule::parent_range:
      return fmt::format("its parent is {}", other);
    case BfsRule::tree:
      return fmt::format("its parent {} leads into a cycle", other);
    case BfsRule::tree_levels:
      return fmt::format("its parent {} does not lead to the root", other);
    case BfsRule::edge_levels:
      return fmt::format("it is more than one level below its neighbour {}", other);
    case BfsRule::spans_component:
      return fmt::format("not reached, but its neighbour {} is", other);
    case BfsRule::tree_edges:
      return fmt::format("no edge joins it to its parent {}", other);
    case BfsRule::traversed_edges:
      break;  // has no vertex
  }
  return {};
}

TreeEdgeCounts counts_of(const BfsValidation& validation) {
  return {validation.traversed_edges, validation.self_loops};
}

}  // namespace

std::string_view name_of(BfsRule rule) { return rule_texts[static_cast<std::size_t>(rule)].name; }
std::string_view meaning_of(BfsRule rule) { return rule_texts[static_cast<std::size_t>(rule)].meaning; }

bool BfsValidation::passed() const {
  return std::all_of(rules.begin(), rules.end(),
                     [](const RuleOutcome& rule) { return rule.violations == 0; });
}

std::string BfsValidation::first_violation() const {
  for (std::size_t i = 0; i < num_bfs_rules; ++i) {
    const RuleOutcome& outcome = rules[i];
    if (outcome.violations == 0) continue;
    const auto rule = static_cast<BfsRule>(i);
    if (rule == BfsRule::traversed_edges) {
      return violation_sentence(name_of(rule), outcome.violations,
                                difference_sentence(claimed, counts_of(*this)));
    }
    return violation_sentence(name_of(rule), outcome, example(rule, outcome));
  }
  return {};
}

struct BfsValidator::Work {
  Work(const Communicator& world, const BlockPartition& partition, const EdgeStream& edges, VertexFacts facts,
       std::optional<ExchangeLimits> limits)
      : exchange(world, partition, limits),
        gathered(world, partition, edges.size(), facts),
        levels(world, partition, exchange, gathered),
        edge_rules(world, partition, edges, exchange, gathered) {}

  OwnerExchange exchange;
  GatheredVertices gathered;
  TreeLevels levels;
  EdgeRules edge_rules;
  std::optional<CopyCheck> copy_check;
};

BfsValidator::BfsValidator(const Communicator& world, const BlockPartition& partition,
                           const EdgeStream& edges, ListCopy copy, VertexFacts facts,
                           std::optional<ExchangeLimits> limits)
    : world_(world), partition_(partition) {
  ISOBATH_EXPECTS(partition.num_blocks() == world.size());
  ISOBATH_EXPECTS(partition.num_vertices() == edges.num_vertices());
  work_ = std::make_unique<Work>(world, partition, edges, facts, limits);
  const bool has_facts = world.size() == 1 || work_->gathered.are_gathered();
  if (copy == ListCopy::yes && has_facts && EdgeCopy::can_hold(edges.num_vertices())) {
    work_->copy_check.emplace(world, work_->gathered, edges);
  }
}

BfsValidator::~BfsValidator() = default;

BfsValidation BfsValidator::validate(GlobalVertex root, std::span<const GlobalVertex> parents,
                                     ClaimedEdges claimed) {
  ISOBATH_EXPECTS(raw(root) >= 0 && raw(root) < partition_.num_vertices());
  ISOBATH_EXPECTS(static_cast<std::int64_t>(parents.size()) == partition_.size(world_.rank()));
  BfsValidation validation;
  validation.claimed = claimed;
  if (!confirm(root, parents, validation)) go_through_list(root, parents, validation);
  for (const std::int64_t vertices : validation.vertices_per_level) validation.vertices_reached += vertices;
  validation.rules[static_cast<std::size_t>(BfsRule::traversed_edges)].violations =
      difference(claimed, counts_of(validation));
  return validation;
}

bool BfsValidator::has_copy() const { return work_->copy_check.has_value(); }

std::optional<std::int64_t> BfsValidator::distinct_edges() const {
  if (!has_copy()) return {};
  return world_.sum(work_->copy_check->copy().distinct_edges());
}

std::unique_ptr<EdgeStream> BfsValidator::edges_by_rows() const {
  return has_copy() && world_.size() == 1 ? work_->copy_check->copy().by_rows() : nullptr;
}

/// By the copy of the list, which knows right answers.
bool BfsValidator::confirm(GlobalVertex root, std::span<const GlobalVertex> parents,
                           BfsValidation& validation) {
  if (!has_copy()) return false;
  std::optional<CopyCheck::Confirmed> confirmed = work_->copy_check->confirm(root, parents);
  if (!confirmed) return false;
  validation.traversed_edges = confirmed->edges.traversed_edges;
  validation.self_loops = confirmed->edges.self_loops;
  validation.vertices_per_level = std::move(confirmed->vertices_per_level);
  return true;
}

/// Every rule on every edge, with what is wrong.
void BfsValidator::go_through_list(GlobalVertex root, std::span<const GlobalVertex> parents,
                                   BfsValidation& validation) {
  TreeTally tree;
  work_->levels.count(root, parents, tree);
  RuleTally<BfsRule> tally;
  tally.add(BfsRule::parent_range, tree.of(TreeRule::parent_range));
  tally.add(BfsRule::tree, tree.of(TreeRule::tree));
  tally.add(BfsRule::tree_levels, tree.of(TreeRule::leads_to_root));
  const TreeEdgeCounts counts = work_->edge_rules.check(root, parents, work_->levels, tally);
  std::array<std::int64_t, 2> sums{counts.traversed_edges, counts.self_loops};
  world_.sum(std::span<std::int64_t>(sums));
  validation.traversed_edges = sums[0];
  validation.self_loops = sums[1];
  validation.vertices_per_level = work_->levels.vertices_per_level();
  validation.rules = tally.over_all_ranks(world_);
}

}  // namespace isobath
