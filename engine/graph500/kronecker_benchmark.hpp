// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "base/vertex.hpp"
#include "bfs/switches.hpp"
#include "comm/communicator.hpp"
#include "generator/edge_store.hpp"
#include "generator/kronecker.hpp"
#include "graph500/protocol.hpp"
#include "partition/grid_shape.hpp"

namespace isobath {

/// A run as it is asked for.
struct BenchmarkRequest {
  Kernels kernels = {};
  KroneckerParameters graph;
  EdgeStorage edges = EdgeStorage::memory;
  std::string edge_folder = ".";
  std::string plan = "hybrid";
  GridShape grid;
  double alpha = 14;
  double beta = 24;
  Switches switches = {};
  std::vector<int> node_of_rank = {};  // empty: one node
  std::string path_plan = "landmark";
  bool prune = false;
  double delta = 0;
  int keys = 64;
  std::vector<GlobalVertex> roots;
  int warmup_searches = 0;
  bool validation = true;
  bool validation_copy = false;
  bool construction_check = false;
  std::string parents_file;    // empty: none
  std::string distances_file;  // empty: none
};

/// The benchmark on the graph of the specification: edges of the Kronecker generator, kept as asked, and the
/// search plan of that name. `world` outlives the result.
Benchmark kronecker_benchmark(const BenchmarkRequest& request, const Communicator& world);

}  // namespace isobath
