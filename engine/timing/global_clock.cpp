// SPDX-License-Identifier: Apache-2.0
#include "timing/global_clock.hpp"

#include <cmath>

#include "comm/clock_offsets.hpp"

namespace isobath {

GlobalClock measure_global_clock(const Communicator& world, std::span<const int> node_of_rank, int rounds) {
  const std::vector<double> skew = clock_skew(world);
  const double own_skew = skew[static_cast<std::size_t>(world.rank())];
  // Seconds since a moment of this run, the same number on all ranks, so that no digit is lost in a double.
  const std::int64_t moment = world.broadcast(now_nanoseconds(), 0);
  const auto now = [&] { return static_cast<double>(now_nanoseconds() - moment) * 1e-9 + own_skew; };
  const ClockOffset offset = measure_clock_offset(world, clocks_of_ranks(node_of_rank, skew), now, rounds);
  const auto nanoseconds = [](double seconds) { return std::llround(seconds * 1e9); };
  return GlobalClock(nanoseconds(own_skew), nanoseconds(offset.seconds), nanoseconds(offset.error_seconds));
}

}  // namespace isobath
