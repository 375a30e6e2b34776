// SPDX-License-Identifier: Apache-2.0
#include "bfs/published_plan.hpp"

#include <bit>

#include "base/expects.hpp"

namespace isobath {
namespace {

/// Their steps read rows and columns by their numbers, and originals as 32 bits.
PlanOptions with_all_rows(PlanOptions options) {
  options.hypersparse = Hypersparse::never;
  options.position_bits = 0;
  return options;
}

}  // namespace

PublishedPlan::PublishedPlan(std::string_view name, const MakeStep& make_step, const EdgeStream& edges,
                             const Communicator& world, const PlanOptions& options, PhaseObserver& observer)
    : name_(name),
      built_(edges, world, with_all_rows(options), observer),
      search_(built_, options.switches),
      step_(make_step(search_)) {
  built_.label_components(observer, [this](const Location& start) -> std::span<const Word> {
    SearchObserver silent;
    search_levels({static_cast<int>(start.owner), static_cast<std::uint32_t>(start.working)}, silent);
    return search_.visited.span();
  });
}

FoundTree PublishedPlan::search(GlobalVertex root, SearchObserver& observer) {
  const BlockPartition& blocks = partition();
  ISOBATH_EXPECTS(raw(root) >= 0 && raw(root) < blocks.num_vertices());
  observer.phase(Phase::reset);
  search_levels({blocks.block_of(root), static_cast<std::uint32_t>(blocks.to_local(root))}, observer);
  observer.phase(Phase::emit);  // parents stand in original numbering already
  return {.parents = search_.parents.span()};
}

/// Level by level until no rank finds anything new.
void PublishedPlan::search_levels(const Root& root, SearchObserver& observer) {
  search_.reset(root);
  step_->forget(root);
  std::int64_t frontier_vertices = 1;
  for (Level level = 0; frontier_vertices > 0; ++level) {
    observer.level_started(level, step_->direction(), frontier_vertices);
    const std::int64_t arcs_scanned = step_->search_level(level, observer);
    observer.level_finished(level, arcs_scanned);
    observer.phase(Phase::reduce);
    std::int64_t found = 0;
    for (const Word word : search_.found) found += std::popcount(word);
    frontier_vertices = built_.world.sum(found);
  }
}

}  // namespace isobath
