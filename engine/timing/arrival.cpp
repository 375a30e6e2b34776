// SPDX-License-Identifier: Apache-2.0
#include "timing/arrival.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/error.hpp"
#include "comm/nodes/rank_list.hpp"

namespace isobath {
namespace {

constexpr std::string_view forms = "choose zero, linear:MICROSECONDS, one-late:MICROSECONDS or given:D,D,...";

[[noreturn]] void refuse(std::string_view pattern) {
  throw UsageError(fmt::format("arrival '{}' is no pattern; {}", pattern, forms));
}

std::vector<std::int64_t> durations(std::string_view pattern, std::string_view numbers, int wanted) {
  std::vector<std::int64_t> delays;
  for (const double microseconds : parse_rank_list("arrival", numbers, wanted, forms)) {
    if (microseconds < 0 || microseconds > 1e9) refuse(pattern);
    delays.push_back(std::llround(microseconds * 1e3));
  }
  return delays;
}

}  // namespace

std::vector<std::int64_t> arrival_delays(std::string_view pattern, int ranks) {
  const std::size_t colon = std::min(pattern.find(':'), pattern.size());
  const std::string_view name = pattern.substr(0, colon);
  const bool has_durations = colon < pattern.size();
  const std::string_view numbers = has_durations ? pattern.substr(colon + 1) : std::string_view();
  std::vector<std::int64_t> delays(static_cast<std::size_t>(ranks), 0);
  if (name == "zero" && !has_durations) return delays;
  if (!has_durations) refuse(pattern);
  if (name == "given") return durations(pattern, numbers, ranks);
  const std::int64_t longest = durations(pattern, numbers, 1).front();
  if (name == "linear") {
    for (int rank = 0; rank < ranks; ++rank) {
      delays[static_cast<std::size_t>(rank)] = longest * rank / std::max(1, ranks - 1);
    }
  } else if (name == "one-late") {
    delays.back() = longest;
  } else {
    refuse(pattern);
  }
  return delays;
}

}  // namespace isobath
