// SPDX-License-Identifier: Apache-2.0
#include "bfs/published_search.hpp"

#include "base/expects.hpp"
#include "base/threads.hpp"

namespace isobath {

PublishedSearch::PublishedSearch(const ConstructedGraph& constructed, const Switches& chosen)
    : built(constructed),
      graph(built.graph),
      grid(built.grid),
      switches(chosen),
      threads(max_threads()),
      visited(graph.layout.own_words()),
      found(graph.layout.own_words()),
      parents(static_cast<std::size_t>(graph.numbering.num_originals)) {
  // A vertex and its number at its owner are the same thing in all that follows.
  ISOBATH_EXPECTS(!switches.relabel && !switches.leaves_out);
}

void PublishedSearch::reset(const Root& root) {
  clear_words(visited.span());
  clear_words(found.span());
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < parents.size(); ++i) parents[i] = no_vertex;
  if (root.owner == built.world.rank()) {
    adopt(root.vertex, graph.layout.blocks.to_global(root.owner, root.vertex));
  }
}

std::vector<std::int64_t> PublishedSearch::words_of_col_pieces() const {
  const std::vector<std::uint32_t>& offset = graph.layout.col_offset;
  std::vector<std::int64_t> words;
  for (std::size_t k = 0; k + 1 < offset.size(); ++k) {
    words.push_back((offset[k + 1] - offset[k]) / static_cast<std::int64_t>(word_bits));
  }
  return words;
}

std::uint32_t PublishedSearch::column_of(const Root& root) const {
  const GridLayout& layout = graph.layout;
  if (layout.shape.col_of(root.owner) != layout.grid_col()) return layout.missing_col();
  return layout.col_offset[static_cast<std::size_t>(layout.shape.row_of(root.owner))] + root.vertex;
}

}  // namespace isobath
