// SPDX-License-Identifier: Apache-2.0
#include "bfs/hybrid/search_start.hpp"

#include "base/expects.hpp"

namespace isobath {

SearchStart locate_start(const ConstructedGraph& built, GlobalVertex key) {
  SearchStart start;
  start.key = key;
  start.root = locate(built.graph, built.world, key);
  ISOBATH_EXPECTS(start.root.kind != Location::Kind::isolated);
  start.label = built.components.label_of(built.world, start.root);
  start.start_vertex = start.root;
  if (start.root.kind == Location::Kind::leaf) {
    start.start_vertex = locate(built.graph, built.world, GlobalVertex{start.root.neighbour});
    start.level = 1;
  }
  return start;
}

}  // namespace isobath
