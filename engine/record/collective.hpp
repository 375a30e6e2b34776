// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "record/records.hpp"

namespace isobath {

/// First line of a benchmark of MPI: the program, the library and the machine it ran on. One for each launch.
struct LaunchRecord {
  std::string program;
  std::string version;
  std::vector<std::string> argv;
  std::string started;  // ISO 8601, UTC
  int launch = 0;       // number among the launches of one benchmark
  int ranks = 1;
  int threads_per_rank = 1;
  bool oversubscribed = false;
  BuildInfo build;
  MpiFacts mpi;
  std::vector<HostFacts> hosts;       // one per distinct host
  std::vector<BindingFacts> binding;  // one per rank
  int nodes = 1;
  std::vector<int> node_of_rank;
  bool node_map_is_override = false;  // pretended nodes
  double clock_resolution_seconds = 0;
  int clocks = 1;                  // different ones that ranks read
  double clock_error_seconds = 0;  // of these against each other, at the start; 0 of one clock
  std::map<std::string, std::string> environment;  // variables that MPI libraries read
};

/// What an irregular distribution of counts is like. In bytes, of the count matrix: row sends to column.
struct CountFactsRecord {
  std::int64_t total_bytes = 0;
  std::int64_t largest_row_bytes = 0;
  std::int64_t largest_column_bytes = 0;
  std::int64_t largest_entry_bytes = 0;
  int fewest_peers = 0;  // of a rank: entries of its row that are not 0, its own among them
  int most_peers = 0;
  double gini = 0;  // of all entries: 0 where they are equal, towards 1 where few have all
};

/// One collective, one size, one setting of everything else, in one launch: all repetitions of it, or why it
/// could not be run. Times are those of the first communicator's ranks.
struct CollectiveRecord {
  std::string collective;  // in MPI's name, lower case, without prefix: allgatherv
  std::string form;        // blocking, nonblocking, persistent
  std::string call;        // what was called: iallgatherv_c
  std::int64_t size_bytes = 0;
  std::int64_t bytes_per_rank = 0;  // that one rank contributes; of irregular ones the rank with most
  std::int64_t wire_bytes = 0;      // lower bound into or out of the busiest rank
  int ranks = 1;                    // of one communicator
  int communicators = 1;            // that ran it at once
  std::string shape;                // of all ranks: 4, 2x2, 2x2x2
  std::vector<std::vector<int>> coordinates;  // of every rank in a shape of several dimensions
  std::string along;                          // world, row, col, or the number of a dimension
  bool together = false;                      // all communicators along it at once
  std::string counts;                         // uniform, zipf:S, sparse:K, block:B, recorded:NAME
  CountFactsRecord count_facts;
  std::string datatype;
  std::optional<std::string> operation;  // of reductions
  std::optional<int> root_rank;          // of rooted collectives
  std::string buffers;                   // warm, offcache, dirty
  std::string cadence;                   // isolated, streaming
  std::string alignment;
  std::string arrival;
  std::optional<std::string> algorithm;           // absent where it is not known
  std::optional<std::string> algorithm_variable;  // control variable that forced it
  std::string algorithm_source;                   // forced, own, table, counter, stack, traffic, fit, unknown
  int stack_samples = 0;                          // taken inside the call, on all ranks; 0: none wanted
  std::map<std::string, int> stack_functions;     // of libraries: samples that they were in
  bool oversubscribed = false;
  int launch = 0;
  int order = 0;  // position in the launch
  double started_seconds = 0;
  std::int64_t clock_error_nanoseconds = 0;  // residual of different clocks after the cell; 0 of one clock
  std::int64_t needed_bytes = 0;             // of buffers, on the node that needs most

  std::optional<std::string> not_runnable;  // and then none of what follows
  /// By rank of the first communicator, by repetition; since the first entry of any of its ranks.
  std::vector<std::vector<std::int64_t>> entry_nanoseconds;
  std::vector<std::vector<std::int64_t>> exit_nanoseconds;
  /// Streaming: the repetitions that followed a common start; those up to the next are one measurement.
  std::vector<int> batch_starts;
  std::string timed_from;  // where a time begins: first_entry; last_entry where ranks were delayed on purpose
  /// By batch (isolated: by repetition), the time of the slowest communicator; empty where there is one only.
  std::vector<std::int64_t> slowest_nanoseconds;
  int warm_up_repetitions = 0;        // of these, at the front
  std::vector<int> invalid;           // repetitions that some rank began late
  std::vector<int> context_switches;  // repetitions in which some rank lost its processor
  std::string stopped_because;        // interval, most, budget
  std::optional<std::string> data_check_failure;
};

/// As the functions of records.hpp.
std::string to_line(const LaunchRecord& record, const std::string& run_id);
std::string to_line(const CollectiveRecord& record, const std::string& run_id);

}  // namespace isobath
