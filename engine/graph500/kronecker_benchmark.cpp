// SPDX-License-Identifier: Apache-2.0
#include "graph500/kronecker_benchmark.hpp"

#include "bfs/plan.hpp"
#include "graph/vertex_count.hpp"
#include "sssp/plan.hpp"

namespace isobath {

Benchmark kronecker_benchmark(const BenchmarkRequest& request, const Communicator& world) {
  if (request.kernels.bfs) {
    require_fitting_numbers(request.plan, request.graph.num_vertices(), request.grid);
  }
  if (request.kernels.sssp) {
    require_fitting_path_numbers(request.path_plan, request.graph.num_vertices(), request.grid);
  }
  Benchmark benchmark;
  benchmark.graph = request.graph;
  benchmark.generate = [request, &world] {
    return make_edge_store(request.edges, request.graph, world.rank(), world.size(), request.edge_folder);
  };
  benchmark.generate_weighted = [request, &world] {
    return make_weighted_edge_store(request.edges, request.graph, world.rank(), world.size(),
                                    request.edge_folder);
  };
  if (request.kernels.bfs) {
    benchmark.construct = [request, &world](const EdgeStream& list, PhaseObserver& observer) {
      const CountedEdges edges(list, count_vertices(list, world, observer));
      const PlanOptions options{.shape = request.grid,
                                .alpha = request.alpha,
                                .beta = request.beta,
                                .switches = request.switches,
                                .node_of_rank = request.node_of_rank};
      return construct_plan(request.plan, edges, world, options, observer);
    };
  }
  if (request.kernels.sssp) {
    benchmark.construct_paths = [request, &world](const WeightedEdgeStream& list, PhaseObserver& observer) {
      const CountedWeightedEdges edges(list, count_vertices(list, world, observer));
      const PathOptions options{.shape = request.grid, .delta = request.delta};
      return construct_path_plan(request.path_plan, edges, world, options, observer);
    };
  }
  benchmark.edges_are_retrieved = request.edges != EdgeStorage::memory;
  benchmark.keys = request.keys;
  benchmark.roots = request.roots;
  benchmark.warmup_searches = request.warmup_searches;
  benchmark.validation = request.validation;
  benchmark.validation_copy = request.validation_copy;
  benchmark.construction_check = request.construction_check;
  benchmark.parents_file = request.parents_file;
  benchmark.distances_file = request.distances_file;
  return benchmark;
}

}  // namespace isobath
