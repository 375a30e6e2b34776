// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "timing/stop_rule.hpp"

namespace isobath {

/// How long the repetitions of one batch took, by what all ranks know of it: first entry and last exit of
/// each on the global clock. Isolated: last exit minus first entry. Streaming: from the last exit of the one
/// before (the first: from its first entry), since a rank may enter the next while others are in this one;
/// so the times of a batch add up to its length.
std::vector<std::int64_t> joint_times(Cadence cadence, std::span<const std::int64_t> first_entries,
                                      std::span<const std::int64_t> last_exits);

}  // namespace isobath
