// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/phase.hpp"

namespace isobath {

// Records of what was communicated. Bytes are those that operations need (engine/comm/ledger/traffic.hpp);
// counts and bytes are sums over ranks.

/// Over ranks.
struct Spread {
  double min = 0;
  double mean = 0;
  double max = 0;
};

/// The calls of one kind on one kind of communicator, in one phase of one level.
struct CallCellRecord {
  int level = -1;  // -1: outside levels
  Phase phase = Phase::start;
  std::string call;
  std::string communicator;  // world, row, column, other
  std::int64_t calls = 0;
  std::int64_t messages = 0;
  std::int64_t bytes_sent = 0;
  std::int64_t bytes_received = 0;
  std::int64_t off_node_bytes = 0;
  std::int64_t kept_bytes = 0;
  double seconds_mean = 0;  // inside the calls, over ranks
  double seconds_max = 0;
  double wait_seconds_mean = 0;  // before the last rank came to the call
  double wait_seconds_max = 0;
};

/// All calls of one timed search.
struct CallsRecord {
  std::string_view kernel = "bfs";
  int search = 0;
  std::vector<CallCellRecord> cells;
};

/// Who sent how much to whom: row is the sender.
struct TrafficMatrixRecord {
  std::string part;                        // of the run
  std::optional<Phase> phase;              // of a search
  std::optional<std::string_view> kernel;  // with the next two: of that search alone
  std::optional<int> search;
  std::optional<int> level;
  int ranks = 1;
  std::string unit;  // rank or node: what a row stands for
  std::vector<std::vector<std::int64_t>> bytes;
  std::vector<std::vector<std::int64_t>> messages;
};

/// How large messages were. One entry of each list is one bucket that is not empty.
struct MessageSizesRecord {
  std::string part;
  std::string call;
  std::string meaning;  // call_total, per_peer, own_segment
  std::vector<std::int64_t> from_bytes;
  std::vector<std::int64_t> to_bytes;  // not included
  std::vector<std::int64_t> count;
  std::vector<std::int64_t> bytes;
  std::vector<double> seconds;
};

/// What one MPI call cost in a part of the run.
struct MpiTimeRecord {
  std::string part;
  std::string call;
  Spread seconds_per_rank;
  double share_of_mpi = 0;  // of the time in all MPI calls of the part, summed over ranks
  Spread share_of_wall;     // of the part's wall time, rank by rank
  std::int64_t calls = 0;
  std::int64_t bytes_sent = 0;
};

/// As the functions of records.hpp.
std::string to_line(const CallsRecord& record, const std::string& run_id);
std::string to_line(const TrafficMatrixRecord& record, const std::string& run_id);
std::string to_line(const MessageSizesRecord& record, const std::string& run_id);
std::string to_line(const MpiTimeRecord& record, const std::string& run_id);

}  // namespace isobath
