// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bfs/plan.hpp"
#include "comm/communicator.hpp"
#include "generator/kronecker.hpp"
#include "generator/search_keys.hpp"
#include "graph500/communication_records.hpp"
#include "graph500/kernel.hpp"
#include "graph500/official_output.hpp"
#include "graph500/progress.hpp"
#include "partition/edge_stream.hpp"
#include "record/heartbeat.hpp"
#include "record/record_writer.hpp"

namespace isobath {

/// What is benchmarked. Tests put a plan of a page and four edges in the place of the real ones.
struct Benchmark {
  KroneckerParameters graph;
  /// Makes this rank's share of the edges; untimed by the rules, timed apart by us.
  std::function<std::unique_ptr<EdgeStream>()> generate;
  /// The same with weights; called instead where shortest paths are searched for.
  std::function<std::unique_ptr<WeightedEdgeStream>()> generate_weighted;
  /// Collective. Kernel 1 for kernel 2. Absent: kernel 2 does not run.
  std::function<std::unique_ptr<SearchPlan>(const EdgeStream&, PhaseObserver&)> construct;
  /// Collective. Kernel 1 for kernel 3. Absent: kernel 3 does not run.
  std::function<std::unique_ptr<SearchPlan>(const WeightedEdgeStream&, PhaseObserver&)> construct_paths;
  bool edges_are_retrieved = false;  // from a file or by generating them anew, which is part of kernel 1 then
  int keys = 64;                     // to be sampled; small graphs have fewer
  /// Samples so many; absent: as the specification does, from `graph`.
  std::function<std::vector<GlobalVertex>(int wanted, const HasNeighbour& has_neighbour)> sample_keys;
  std::vector<GlobalVertex> roots;  // searched instead of sampled keys
  /// What people call a vertex; absent: its number.
  std::function<std::int64_t(GlobalVertex)> id_of;
  int warmup_searches = 0;  // of the first key, before the others of each kernel
  bool validation = true;
  bool validation_copy = false;  // of the edge list: many searches are validated faster
  bool construction_check = false;
  std::string parents_file;    // empty: none; kernel 3's follow those of kernel 2
  std::string distances_file;  // of kernel 3; empty: none

  Kernels kernels() const {
    return {.bfs = static_cast<bool>(construct), .sssp = static_cast<bool>(construct_paths)};
  }
};

/// Around the benchmark.
struct Session {
  const Communicator& world;
  Heartbeat& heartbeat;
  RecordWriter* records = nullptr;  // only on rank 0, and only where records are wanted
  Progress& progress;
  CommunicationRecords* communication = nullptr;  // on all ranks or on none
  std::function<bool()> stop_requested;           // asked on every rank; one yes is enough
  double started = 0;                             // now_seconds() at the start of the run
  int threads = 1;
};

/// What came out; the same on every rank.
struct Outcome {
  double generation_seconds = 0;
  double construction_seconds = 0;
  std::vector<OfficialSearch> searches;       // in the order of their keys, without the warm-up
  std::vector<OfficialSearch> path_searches;  // of kernel 3, likewise
  std::vector<std::string> disclosures;       // graph500/disclosures.hpp; none where construction did not end

  std::vector<OfficialSearch>& of(Kernel kernel) { return kernel == Kernel::bfs ? searches : path_searches; }
  std::size_t num_searches() const { return searches.size() + path_searches.size(); }
  std::int64_t violations = 0;  // of rules, over all searches and the construction check
  bool stopped = false;         // on request, before all keys were searched
};

/// Collective. The Graph500 benchmark as its specification runs it (section "Overview"): edges are generated;
/// kernel 1 constructs a graph from them for each kernel that runs, timed; search keys are sampled; then for
/// each key kernel 2 searches, timed, and the result is validated; then for each key kernel 3, in a loop of
/// its own. Records are written as things happen, never while a clock
/// runs. A failed validation does not end the run. A request to stop is honoured between these steps; a
/// search whose validation has not begun is dropped.
/// @throws UsageError when no vertex can be searched from, or a given root cannot
Outcome run_benchmark(const Benchmark& benchmark, const Session& session);

}  // namespace isobath
