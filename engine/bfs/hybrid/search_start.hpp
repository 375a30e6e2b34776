// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bfs/constructed_graph.hpp"

namespace isobath {

/// Where a search starts in the searched graph: a leaf as root starts at its neighbour, one level down.
struct SearchStart {
  GlobalVertex root;
  Location root_at;
  Location start_vertex;  // what levels begin at; none does where it is a leaf, too (a pair of leaves)
  std::int64_t label;     // component of the root
  Level level = 0;        // of `start_vertex`
};

/// Collective: one message from the owner of the root, and one from that of its neighbour where it is a leaf.
/// @param root  has a neighbour other than itself
SearchStart locate_start(const ConstructedGraph& built, GlobalVertex root);

}  // namespace isobath
