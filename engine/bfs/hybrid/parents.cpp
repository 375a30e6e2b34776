// SPDX-License-Identifier: Apache-2.0
#include "bfs/hybrid/parents.hpp"

#include "graph/likely_parents.hpp"

namespace isobath {

Parents::Parents(const Graph& graph, bool has_likely_parents)
    : Parents(graph.hubs, graph.layout.own_searched(), has_likely_parents && can_deal_parents(graph)) {}

Parents::Parents(const Hubs& hubs, std::size_t vertices, bool in_lists)
    : hubs_(hubs),
      by_vertex_(vertices),
      lists_(in_lists ? static_cast<std::size_t>(max_threads()) : 0),
      by_first_hub_(hubs.empty() ? 0 : padded_bits(vertices) / word_bits) {}

void Parents::reset() {
  for (ListedParents& list : lists_) list.clear();
  clear_words(by_first_hub_.span());
}

std::span<std::int64_t> Parents::by_vertex() {
  for (const ListedParents& list : lists_) {
    for (const FoundParent& found : list.all()) by_vertex_[found.own] = found.original(hubs_);
  }
  return by_vertex_.span();
}

}  // namespace isobath
