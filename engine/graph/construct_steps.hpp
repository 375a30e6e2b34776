// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "base/arena.hpp"
#include "base/bitmap.hpp"
#include "graph/codes.hpp"
#include "graph/graph.hpp"
#include "graph/named_hubs.hpp"
#include "graph/original_arcs.hpp"
#include "graph/with_arc.hpp"

namespace isobath {

/// A graph whose vertices are counted, numbered and told to the grid; its arcs come next.
struct NumberedGraph {
  Graph graph;
  GridCodes codes;
  NamedHubs named_hubs;  // on several grid columns, where they are asked for and arcs were delivered
};

/// Which originals occur in arcs that were delivered.
struct Occurrence {
  std::size_t num_arcs = 0;
  MarkEnds sources;
  MarkEnds targets;
};

/// Whether the rows, or columns, of the originals that occur here are so few that those with an arc certainly
/// are. Where codes are of all it is not known before these are laid.
/// @param all  that they might be
bool searched_are_few(const OriginalCodes& codes, Hypersparse asked, std::size_t all);
/// A bit for each row, or column, of an original that occurs here.
LargeArray<Word> searched_bits(const OriginalCodes& codes, std::size_t all);

/// Collective. The first half of construction, with weights or without.
/// @param arcs  where they were delivered before: end points are counted there, not in another pass over the
/// edges
/// @param occurrence  where they were delivered before in another form; of several ranks
NumberedGraph number_graph(const EdgeStream& edges, const Communicator& world, const Grid& grid,
                           PhaseObserver& observer, const GraphOptions& options,
                           const OriginalArcs* arcs = nullptr, const Occurrence* occurrence = nullptr);

}  // namespace isobath
