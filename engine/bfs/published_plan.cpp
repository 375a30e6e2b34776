// SPDX-License-Identifier: Apache-2.0
#include "bfs/published_plan.hpp"

#include <bit>

#include "base/expects.hpp"
#include "base/threads.hpp"

namespace isobath {

PublishedPlan::PublishedPlan(const EdgeStream& edges, const Communicator& world, const PlanOptions& options,
                             PhaseObserver& observer)
    : GraphPlan(edges, world, options.shape, graph_options(options.switches), observer),
      switches_(options.switches),
      threads_(max_threads()),
      visited_(graph_.layout.own_words()),
      found_(graph_.layout.own_words()),
      parents_(static_cast<std::size_t>(graph_.numbering.num_originals)) {
  // A vertex and its number at its owner are the same thing in all that follows.
  ISOBATH_EXPECTS(!switches_.relabel && !switches_.leaves_out);
}

void PublishedPlan::label(PhaseObserver& observer) {
  label_components(observer, [this](const Location& start) -> std::span<const Word> {
    SearchObserver silent;
    search_levels({static_cast<int>(start.owner), static_cast<std::uint32_t>(start.working)}, silent);
    return visited_.span();
  });
}

FoundTree PublishedPlan::search(GlobalVertex root, SearchObserver& observer) {
  const BlockPartition& blocks = graph_.layout.blocks;
  ISOBATH_EXPECTS(raw(root) >= 0 && raw(root) < blocks.num_vertices());
  observer.phase(Phase::reset);
  search_levels({blocks.block_of(root), static_cast<std::uint32_t>(blocks.to_local(root))}, observer);
  observer.phase(Phase::emit);  // parents stand in original numbering already
  return {.parents = parents_.span()};
}

/// Level by level until no rank finds anything new.
void PublishedPlan::search_levels(const Root& root, SearchObserver& observer) {
  reset(root);
  std::int64_t frontier_vertices = 1;
  for (Level level = 0; frontier_vertices > 0; ++level) {
    observer.level_started(level, direction(), frontier_vertices);
    search_level(level, observer);
    observer.phase(Phase::reduce);
    std::int64_t found = 0;
    for (const Word word : found_) found += std::popcount(word);
    frontier_vertices = world_.sum(found);
    observer.level_finished(level, arcs_scanned_);
  }
}

void PublishedPlan::reset(const Root& root) {
  clear(visited_.span());
  clear(found_.span());
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < parents_.size(); ++i) parents_[i] = no_vertex;
  if (root.owner == world_.rank()) {
    adopt(root.vertex, graph_.layout.blocks.to_global(root.owner, root.vertex));
  }
  forget(root);
}

std::vector<std::int64_t> PublishedPlan::words_of_col_pieces() const {
  const std::vector<std::uint32_t>& offset = graph_.layout.col_offset;
  std::vector<std::int64_t> words;
  for (std::size_t k = 0; k + 1 < offset.size(); ++k) {
    words.push_back((offset[k + 1] - offset[k]) / static_cast<std::int64_t>(word_bits));
  }
  return words;
}

std::uint32_t PublishedPlan::column_of(const Root& root) const {
  const GridLayout& layout = graph_.layout;
  if (layout.shape.col_of(root.owner) != layout.grid_col()) return layout.missing_col();
  return layout.col_offset[static_cast<std::size_t>(layout.shape.row_of(root.owner))] + root.vertex;
}

void PublishedPlan::clear(std::span<Word> words) {
#pragma omp parallel for schedule(static)
  for (std::size_t w = 0; w < words.size(); ++w) words[w] = 0;
}

}  // namespace isobath
