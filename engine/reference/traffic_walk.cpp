// SPDX-License-Identifier: Apache-2.0
#include "reference/traffic_walk.hpp"

#include <numeric>
#include <string>

#include "base/error.hpp"
#include "base/expects.hpp"
#include "reference/traffic_walk_graph.hpp"
#include "reference/traffic_walk_steps.hpp"

namespace isobath::reference {
namespace {

using Plan = TrafficRules::Plan;

bool is_replicated(Plan plan) { return plan == Plan::replicated_csr || plan == Plan::replicated_csc; }

void check(const TrafficRules& rules) {
  ISOBATH_EXPECTS(rules.rows >= 1 && rules.cols >= 1);
  if (is_replicated(rules.plan) && rules.cols != 1) {
    throw UsageError("a plan with a replicated frontier has one grid column; give the grid as ranks x 1");
  }
  if ((rules.plan == Plan::simple || rules.plan == Plan::one_sided) && rules.rows != 1) {
    throw UsageError("a plan in which owners compute has one grid row; give the grid as 1 x ranks");
  }
  if (rules.packed_fold && !rules.local_dedup) {
    throw UsageError("packed messages name each target once; propose each target once (local deduplication)");
  }
  if (rules.exchange == TrafficRules::Exchange::two_level &&
      std::ssize(rules.node_of_rank) != rules.ranks()) {
    throw UsageError("a two-level exchange needs the node of every rank; give a node map of as many entries");
  }
}

/// Each of the plans but hybrid. Every rank knows where the search starts, so that nothing is expanded in the
/// first level; the last one finds nothing.
std::vector<TrafficLine> walk_published(const WalkedGraph& graph, const TrafficRules& rules,
                                        std::uint32_t root) {
  TrafficSteps steps(graph, rules);
  const WalkedLevels levels = walk_levels(graph, root);
  for (Level level = 0; level < levels.count(); ++level) {
    if (is_replicated(rules.plan)) {
      if (level > 0) steps.gather_bitmaps(level, Phase::expand);
      if (level > 0) steps.gather_summaries(level);
    } else {
      if (level > 0) steps.expand(level, levels.frontier[static_cast<std::size_t>(level)]);
      FoldMessages messages = steps.no_messages();
      if (rules.cols > 1) propose_top_down(graph, rules, levels, level, steps.proposed(), messages);
      if (rules.plan == Plan::one_sided && rules.exchange == TrafficRules::Exchange::own) {
        steps.fold_one_sided(level, messages);
      } else {
        steps.fold(level, messages);
      }
    }
    steps.reduce(level, Phase::reduce);
  }
  return std::move(steps).lines();
}

}  // namespace

std::int64_t TrafficLine::bytes() const {
  return std::accumulate(bytes_of_rank.begin(), bytes_of_rank.end(), std::int64_t{0});
}

TrafficWalk::TrafficWalk(std::int64_t num_vertices, std::span<const Edge> edges, const TrafficRules& rules)
    : rules_(rules) {
  check(rules_);
  graph_ = std::make_unique<const WalkedGraph>(num_vertices, edges, rules_);
}

TrafficWalk::TrafficWalk(TrafficWalk&&) noexcept = default;
TrafficWalk::~TrafficWalk() = default;

std::vector<TrafficLine> TrafficWalk::search(GlobalVertex root, std::span<const char> bottom_up) const {
  ISOBATH_EXPECTS(0 <= raw(root) && raw(root) < graph_->num_vertices());
  const auto vertex = static_cast<std::uint32_t>(raw(root));
  if (graph_->endpoints(vertex) == 0) {
    throw UsageError("vertex " + std::to_string(raw(root)) + " has no neighbour, so no search starts there");
  }
  if (rules_.plan == Plan::hybrid) return walk_hybrid(*graph_, rules_, vertex, bottom_up);
  return walk_published(*graph_, rules_, vertex);
}

}  // namespace isobath::reference
