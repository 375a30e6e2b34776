// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "comm/communicator.hpp"

namespace isobath {

/// Nanoseconds, by repetition.
using Durations = std::vector<std::int64_t>;

/// Times of one part of a measurement. Nanoseconds, by repetition.
struct PartTimes {
  std::vector<Durations> by_rank;
  Durations together;  // last exit - first entry
};

/// Entries and exits of this rank, on the clock that all ranks share.
struct OwnTimes {
  Durations entries;
  Durations exits;

  double mean() const;
};

/// Collective. Everybody's values, by rank; all have as many.
std::vector<Durations> gathered(const Communicator& comm, const Durations& own);
/// Collective.
PartTimes gathered(const Communicator& comm, const OwnTimes& own);

}  // namespace isobath
