// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/named_value.hpp"
#include "base/phase.hpp"
#include "machine/binding.hpp"
#include "machine/host_facts.hpp"
#include "record/build_info.hpp"

namespace isobath {

inline constexpr int record_schema = 1;

/// Values by phase, in the order in which phases are listed; phases that did not happen are left out.
template <class T>
using ByPhase = std::vector<std::pair<Phase, T>>;

/// What the MPI library said of itself.
struct MpiFacts {
  std::string library_version;
  std::string standard_version;
  std::string thread_level;
  bool large_counts = false;
  bool standard_abi = false;  // a fact of the build; written with the build
};

/// Kernel 3 as it was asked for.
struct PathsRecord {
  std::string plan;            // auto: chosen in construction
  std::optional<bool> pruned;  // edges that lie on no shortest path are left out; absent of auto
  double delta = 0;            // width of a bucket; 0: chosen by the plan
};

/// The plan for shortest paths that was constructed.
struct PathPlanRecord {
  std::string plan;
  bool pruned = false;
  std::optional<std::string> reason;  // where construction chose it
};

/// The file that was searched, where no graph was generated.
struct GraphFileRecord {
  std::string path;
  std::string format;
  std::int64_t bytes = 0;
  std::int64_t num_vertices = 0;
  std::int64_t num_edges = 0;
  bool weighted = false;
  std::optional<std::string> assigned_weights;  // unit or random, instead of those of the file
  std::optional<std::uint64_t> weight_seed;     // of random ones
  std::string numbering;                        // file or compact
  double load_seconds = 0;                      // slowest rank
};

/// First line: all that is needed to repeat the run, and the machine it ran on.
struct RunRecord {
  std::string program;
  std::string version;
  std::vector<std::string> argv;
  std::string started;  // ISO 8601, UTC
  int scale = 0;
  int edgefactor = 0;
  std::vector<std::uint64_t> seeds;
  std::string kernel = "bfs";  // bfs, sssp, both
  std::string plan;            // for bfs; where only sssp runs, for that
  std::optional<PathsRecord> paths;
  std::optional<std::vector<NamedValue>> switches;  // of the plan, in the order of the record
  std::optional<std::string> tasks;                 // side_by_side or in_turn; absent where the plan has none
  int grid_rows = 1;
  int grid_cols = 1;
  int ranks = 1;
  int threads_per_rank = 1;
  bool oversubscribed = false;
  std::string edges_storage;
  int keys_requested = 0;
  bool validation = true;
  bool official = false;
  int warmup_searches = 0;
  bool leaves_pruned = true;
  bool relabelled = true;
  double alpha = 0;
  double beta = 0;
  std::string instruction_set;
  BuildInfo build;
  MpiFacts mpi;
  std::vector<HostFacts> hosts;       // one per distinct host
  std::vector<BindingFacts> binding;  // one per rank
  double clock_resolution_seconds = 0;
  int nodes = 1;
  std::vector<int> node_of_rank;
  bool node_map_is_override = false;  // pretended nodes
  double clock_error_seconds = 0;     // of the clocks of different nodes; 0 where all share one
  std::optional<GraphFileRecord> graph;
};

/// The check of what was constructed against the edge list.
struct ConstructionCheckRecord {
  std::int64_t missing_arcs = 0;
  std::int64_t unfounded_arcs = 0;  // stored, but no edge of the list
  std::int64_t arcs = 0;
  std::int64_t expected_arcs = 0;
  bool passed = false;
};

/// What construction set up beside the rows of the graph, as it was done.
struct PreparedRecord {
  bool by_degree = false;
  std::int64_t families = 0;
  std::int64_t likely_parents = 0;
  std::int64_t told_hubs = 0;
  bool first_neighbours = false;
  int ranks_without_first_neighbours = 0;
  bool by_weight = false;
  int light_streams = 0;
  int ranks_without_light_streams = 0;
  double core_radius = 0;
};

/// Kernel 1. Seconds are those of the slowest rank.
struct ConstructionRecord {
  std::string kernel = "bfs";  // that searches what was constructed
  double seconds = 0;
  double retrieval_seconds = 0;  // part of seconds: edges read from their file or regenerated
  double generation_seconds = 0;
  ByPhase<double> phases;
  std::int64_t num_vertices = 0;
  std::int64_t num_edges = 0;
  std::int64_t self_loops = 0;
  std::optional<std::int64_t> distinct_edges;  // unknown where duplicates are kept
  std::int64_t isolated_vertices = 0;
  std::int64_t leaves = 0;
  std::int64_t searched_vertices = 0;
  std::int64_t stored_arcs = 0;
  std::int64_t hubs = 0;
  std::int64_t max_degree_with_duplicates = 0;
  std::int64_t components = 0;
  std::int64_t largest_component_vertices = 0;
  std::int64_t largest_component_edges = 0;
  std::optional<double> imbalance;  // absent where no arc is stored
  PreparedRecord prepared;
  std::vector<std::int64_t> peak_bytes_per_rank;
  std::optional<ConstructionCheckRecord> check;
  std::optional<PathPlanRecord> path_plan;  // of sssp
};

/// A rule of validation and how it was broken.
struct RuleRecord {
  std::string rule;
  std::int64_t violations = 0;
  std::optional<std::int64_t> first_vertex;
  std::optional<std::int64_t> first_other;
};

struct ValidationRecord {
  bool passed = false;
  double seconds = 0;  // slowest rank
  std::optional<std::string> first_violation;
  std::vector<RuleRecord> rules;
};

/// Of the vertices that were reached.
struct DistancesRecord {
  double mean = 0;
  double max = 0;
};

/// Kernel 2 or 3 from one root.
struct SearchRecord {
  std::string kernel = "bfs";
  int index = 0;  // of its key; the warm-up search has that of the key it uses
  bool warmup = false;
  std::int64_t root = 0;
  double seconds = 0;  // slowest rank
  double seconds_min = 0;
  double seconds_mean = 0;
  std::int64_t traversed_edges = 0;  // without self-loops, as reference 3.0 counts
  std::int64_t traversed_edges_with_self_loops = 0;
  double teps = 0;
  double started_seconds = 0;  // since the run started
  ByPhase<double> phases;
  std::int64_t bytes_sent = 0;
  std::int64_t messages = 0;
  std::int64_t page_faults = 0;
  std::int64_t bytes_received = 0;
  std::int64_t off_node_bytes = 0;
  std::vector<double> seconds_per_rank;
  std::vector<double> mpi_seconds_per_rank;
  std::vector<double> wait_seconds_per_rank;
  double clock_error_seconds = 0;
  // known from validation
  std::optional<std::int64_t> vertices_reached;
  std::optional<int> levels;
  std::vector<std::int64_t> vertices_per_level;  // of bfs, as levels
  std::optional<std::int64_t> tree_levels;       // of sssp, in edges; so are the next two
  std::optional<DistancesRecord> distances;
  std::optional<int> rounds;  // known from the search itself
  std::optional<ValidationRecord> validation;
};

/// A level or a round of a search. Seconds are the maximum over ranks, bytes and messages the sum.
struct SearchPartRecord {
  int search = 0;
  double seconds = 0;
  ByPhase<double> phases;
  ByPhase<std::int64_t> bytes_sent;
  ByPhase<std::int64_t> messages;
  ByPhase<std::int64_t> bytes_received;
  ByPhase<std::int64_t> calls;
  ByPhase<std::int64_t> off_node_bytes;
  ByPhase<double> call_seconds;  // inside MPI calls, mean over ranks
  ByPhase<double> wait_seconds;  // of these, before the last rank came; mean over ranks
};

/// One level of a breadth-first search; arcs are the sum over ranks.
struct LevelRecord : SearchPartRecord {
  int level = 0;
  std::string direction;
  std::int64_t frontier_vertices = 0;
  std::int64_t arcs_scanned = 0;
};

/// One round of a search for shortest paths; arcs are the sum over ranks.
struct RoundRecord : SearchPartRecord {
  int round = 0;
  std::int64_t active_vertices = 0;
  std::int64_t arcs_relaxed = 0;
};

/// Last line of a run that ended by itself.
struct FinishRecord {
  std::string state;  // complete, unfinished, failed
  int searches_completed = 0;
  std::int64_t violations = 0;
  std::vector<std::int64_t> peak_bytes_per_rank;
  std::int64_t huge_pages_requested_bytes = 0;
  std::int64_t huge_pages_obtained_bytes = 0;
  double seconds = 0;
  std::optional<double> graph_generation_seconds;
  std::optional<double> construction_seconds;
  std::optional<double> validation_copy_seconds;
  std::vector<std::string> disclosures;  // what was done beyond the reference program; one sentence each
};

/// How a run broke off.
struct FailureRecord {
  std::string phase;
  std::optional<int> rank;
  std::optional<int> signal;
  std::optional<std::string> last_call;
  double elapsed_seconds = 0;
  std::string message;
  int exit_code = 0;
};

/// One JSON object in one line, without the line end: schema, kind, run_id and origin first, then the fields
/// under the names they have above. A value that does not exist is absent.
/// @throws InternalError when a number is not finite
std::string to_line(const RunRecord& record, const std::string& run_id);
std::string to_line(const ConstructionRecord& record, const std::string& run_id);
std::string to_line(const SearchRecord& record, const std::string& run_id);
std::string to_line(const LevelRecord& record, const std::string& run_id);
std::string to_line(const RoundRecord& record, const std::string& run_id);
std::string to_line(const FinishRecord& record, const std::string& run_id);
std::string to_line(const FailureRecord& record, const std::string& run_id);

/// A JSON object on its own, for --build-info and for the way from rank to rank.
std::string to_json(const BuildInfo& build, bool standard_abi);
std::string to_json(const HostFacts& host);
std::string to_json(const BindingFacts& binding);
/// What to_json wrote. @throws InternalError for anything else
HostFacts host_facts_from_json(const std::string& text);
BindingFacts binding_from_json(const std::string& text);

}  // namespace isobath
