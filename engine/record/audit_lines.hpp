// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <istream>
#include <string>
#include <string_view>
#include <vector>

#include "base/phase.hpp"
#include "base/vertex.hpp"

namespace isobath {

/// A search whose bytes are to be counted, as a line of isobath-audit's input names it.
struct AuditedSearch {
  std::int64_t search = 0;      // its index
  std::int64_t root = 0;        // original number
  std::vector<char> bottom_up;  // of each level that was run, in order
};

/// Reads {"search":0,"root":5,"directions":["top_down","bottom_up"]}, one object a line; directions may be
/// absent. @param name  of the source, for complaints
/// @throws UsageError naming the line and what is wrong with it
std::vector<AuditedSearch> read_audited_searches(std::istream& lines, std::string_view name);

/// What every rank must send in one phase of one level of a search; level -1 outside levels.
struct AuditLine {
  std::int64_t search = 0;
  Level level = 0;
  Phase phase = Phase::start;
  char audit_class = 'a';
  std::vector<std::int64_t> bytes_of_rank;
};
/// One JSON object without line end; `bytes` is the sum over ranks.
std::string to_json(const AuditLine& line);

}  // namespace isobath
