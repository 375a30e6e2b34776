// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "apps/command_line.hpp"
#include "record/collective_cells.hpp"
#include "timing/stop_rule.hpp"

namespace isobath {

/// What isobath-collectives is asked to do.
struct CollectivesOptions : ProgramOptions {
  CollectivesOptions() { run_id = "by-hand"; }
  static constexpr bool is_threaded = false;

  std::vector<CollectiveCell> cells;
  std::map<std::string, ByteMatrix> matrices;
  StopRule rule;
  int launch = 0;
  std::optional<std::int64_t> memory_limit;
  double stack_seconds = 0;  // of looking at the stacks of a cell's calls; 0: not
  bool list = false;
};

/// @throws UsageError, EnvironmentError for a file that cannot be read
CommandLine<CollectivesOptions> read_collectives_command_line(int argc, const char* const* argv);

/// "4K" is 4096; K, M and G are powers of 1024. @throws UsageError
std::int64_t parse_bytes(std::string_view text);
/// Sizes of a list ("1,100,4K"), an entry of which may be a range of powers of two ("1:1M"). @throws
/// UsageError
std::vector<std::int64_t> parse_sizes(std::string_view text);

}  // namespace isobath
