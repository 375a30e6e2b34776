// SPDX-License-Identifier: Apache-2.0
#include "timing/joint_times.hpp"

#include <algorithm>
#include <string>

#include "base/error.hpp"
#include "base/expects.hpp"

namespace isobath {

std::string_view name_of(TimedFrom from) {
  return from == TimedFrom::first_entry ? "first_entry" : "last_entry";
}

TimedFrom parse_timed_from(std::string_view name) {
  for (const TimedFrom from : {TimedFrom::first_entry, TimedFrom::last_entry}) {
    if (name == name_of(from)) return from;
  }
  throw UsageError("'" + std::string(name) + "' is no begin of a time; there are first_entry and last_entry");
}

std::vector<std::int64_t> joint_times(Cadence cadence, std::span<const std::int64_t> begins,
                                      std::span<const std::int64_t> last_exits) {
  ISOBATH_EXPECTS(begins.size() == last_exits.size());
  std::vector<std::int64_t> times;
  for (std::size_t i = 0; i < last_exits.size(); ++i) {
    const bool continues = cadence == Cadence::streaming && i > 0;
    times.push_back(last_exits[i] - (continues ? last_exits[i - 1] : begins[i]));
  }
  return times;
}

std::vector<BatchTime> batch_times(std::span<const int> starts, std::span<const std::int64_t> begins,
                                   std::span<const std::int64_t> last_exits) {
  ISOBATH_EXPECTS(begins.size() == last_exits.size());
  std::vector<BatchTime> batches;
  for (std::size_t b = 0; b < starts.size(); ++b) {
    const auto first = static_cast<std::size_t>(starts[b]);
    const std::size_t end =
        b + 1 < starts.size() ? static_cast<std::size_t>(starts[b + 1]) : last_exits.size();
    ISOBATH_EXPECTS(first < end && end <= last_exits.size());
    const auto exits = last_exits.subspan(first, end - first);
    batches.push_back({.first = starts[b],
                       .calls = static_cast<int>(end - first),
                       .nanoseconds = *std::ranges::max_element(exits) - begins[first]});
  }
  return batches;
}

}  // namespace isobath
