// SPDX-License-Identifier: Apache-2.0
#include "overlap/part_times.hpp"

#include <algorithm>
#include <functional>
#include <iterator>
#include <numeric>
#include <span>

namespace isobath {

double OwnTimes::mean() const {
  const std::int64_t sum = std::accumulate(exits.begin(), exits.end(), std::int64_t{0}) -
                           std::accumulate(entries.begin(), entries.end(), std::int64_t{0});
  return static_cast<double>(sum) / static_cast<double>(std::max<std::size_t>(1, entries.size()));
}

std::vector<Durations> gathered(const Communicator& comm, const Durations& own) {
  const Durations all = comm.allgatherv<std::int64_t>(own);
  std::vector<Durations> by_rank;
  for (int rank = 0; rank < comm.size(); ++rank) {
    const auto first = all.begin() + static_cast<std::ptrdiff_t>(rank * std::ssize(own));
    by_rank.emplace_back(first, first + std::ssize(own));
  }
  return by_rank;
}

PartTimes gathered(const Communicator& comm, const OwnTimes& own) {
  PartTimes times;
  Durations mine(own.entries.size());
  std::transform(own.exits.begin(), own.exits.end(), own.entries.begin(), mine.begin(), std::minus<>());
  times.by_rank = gathered(comm, mine);
  Durations first = own.entries;
  Durations last = own.exits;
  comm.min(std::span<std::int64_t>(first));
  comm.max(std::span<std::int64_t>(last));
  std::transform(last.begin(), last.end(), first.begin(), std::back_inserter(times.together), std::minus<>());
  return times;
}

}  // namespace isobath
