// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "apps/command_line.hpp"
#include "base/vertex.hpp"
#include "bfs/switches.hpp"
#include "comm/ledger/size_buckets.hpp"
#include "generator/edge_store.hpp"
#include "generator/kronecker.hpp"
#include "graph500/kernel.hpp"
#include "partition/grid_shape.hpp"

namespace isobath {

/// What isobath-graph500 is asked to do.
struct Options : ProgramOptions {
  KroneckerParameters graph;
  Kernels kernels;
  std::string plan = "hybrid";
  std::string path_plan;          // as asked for or default_path_plan()
  bool prune = false;             // what that plan does
  double delta = 0;               // of delta-stepping; 0: the plan's
  std::optional<GridShape> grid;  // absent: the plan's
  int keys = 64;
  std::vector<GlobalVertex> roots;  // instead of sampled keys
  EdgeStorage edges = EdgeStorage::memory;
  std::string edge_folder = ".";
  bool validation = true;
  bool validation_copy = false;  // of the edge list
  int warmup_searches = 1;
  bool official = false;
  double alpha = 14;
  double beta = 24;
  Switches switches;
  bool peer_records = false;
  SizeBuckets size_buckets;

  std::string official_reference_file;  // empty: none; the same for the files below
  std::string official_spec_file;
  std::string parents_file;
  std::string distances_file;
  bool legacy_no_bang = false;
  bool progress = false;
};

/// Reads the command line; looks at nothing else, so that it gives the same on every rank.
/// @throws UsageError for anything it does not know or that makes no sense
CommandLine<Options> read_command_line(int argc, const char* const* argv);

/// The grid to use on `ranks` ranks. @throws UsageError where --grid has another number of places
GridShape grid_for(const Options& options, int ranks);

}  // namespace isobath
