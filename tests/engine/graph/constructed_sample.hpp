// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/phase.hpp"
#include "comm/grid.hpp"
#include "graph/graph.hpp"
#include "graph/sample_graphs.hpp"
#include "mpi_main.hpp"
#include "partition/edge_stream.hpp"

namespace isobath::test {

/// What construct_graph() makes of this rank's share of a sample. Collective.
struct ConstructedSample {
  ConstructedSample(const SampleGraph& sample, GridShape shape, const GraphOptions& options)
      : grid(Grid::arrange(world(), shape)),
        edges(share_of(sample, world().rank(), world().size())),
        graph(construct_graph(edges, world(), grid, nobody, options)) {}

  Grid grid;
  SpanEdgeStream edges;
  PhaseObserver nobody;
  Graph graph;
};

}  // namespace isobath::test
