// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "apps/command_line.hpp"
#include "bfs/switches.hpp"
#include "graph500/kernel.hpp"
#include "graphfile/assigned_weights.hpp"
#include "graphfile/read_graph.hpp"
#include "partition/grid_shape.hpp"

namespace isobath {

/// How the vertices of a file are numbered inside: as there, or without the gaps.
enum class FileNumbering { automatic, file, compact };

/// What isobath-search is asked to do.
struct SearchOptions : ProgramOptions {
  GraphRequest graph;
  FileNumbering numbering = FileNumbering::automatic;
  AssignedWeights assigned;
  Kernels kernels;
  std::string plan = "hybrid";
  Switches switches = default_switches("hybrid");
  std::string path_plan;          // of kernel 3: as asked for, or the default
  double delta = 0;               // of delta-stepping; 0: the plan's
  std::optional<GridShape> grid;  // absent: the plan's
  int keys = 64;
  std::uint64_t seed = 1;
  std::vector<std::int64_t> roots;  // as the file numbers them; instead of sampled keys
  bool validation = true;
  int warmup_searches = 1;
  std::string claimed_parents_file;  // to be validated instead of a search; empty: none
  std::string claimed_levels_file;
  std::string claimed_distances_file;
  double tolerance = 0;  // of claimed distances, as a part of the larger one

  std::string name;          // of the graph in records and sentences; empty: its path
  std::string parents_file;  // empty: none; the same for the files below
  std::string distances_file;
  std::string ids_file;

  bool verifies() const {
    return !claimed_parents_file.empty() || !claimed_levels_file.empty() || !claimed_distances_file.empty();
  }
};

/// Reads the command line; looks at nothing else, so that it gives the same on every rank.
/// @throws UsageError for anything it does not know or that makes no sense
CommandLine<SearchOptions> read_search_command_line(int argc, const char* const* argv);

}  // namespace isobath
