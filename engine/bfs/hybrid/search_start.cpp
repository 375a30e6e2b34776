// SPDX-License-Identifier: Apache-2.0
#include "bfs/hybrid/search_start.hpp"

#include "base/expects.hpp"

namespace isobath {

SearchStart locate_start(const ConstructedGraph& built, GlobalVertex root) {
  struct Told {
    Location location;
    std::int64_t label;
  };
  Told told{location_at_owner(built.graph, root), Components::none};
  if (built.world.rank() == told.location.owner) {
    told.label = built.components.label_at_owner(told.location);
  }
  if (built.world.size() > 1) {
    told = built.world.broadcast(told, static_cast<int>(told.location.owner));
  }
  SearchStart start;
  start.root = root;
  start.root_at = told.location;
  start.label = told.label;
  ISOBATH_EXPECTS(start.root_at.kind != Location::Kind::isolated);
  start.start_vertex = start.root_at;
  if (start.root_at.kind == Location::Kind::leaf) {
    start.start_vertex = locate(built.graph, built.world, GlobalVertex{start.root_at.neighbour});
    start.level = 1;
  }
  return start;
}

}  // namespace isobath
