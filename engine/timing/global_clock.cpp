// SPDX-License-Identifier: Apache-2.0
#include "timing/global_clock.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/expects.hpp"
#include "comm/nodes/clock_offsets.hpp"

namespace isobath {
namespace {

constexpr double nanoseconds_per_second = 1e9;
/// Closer comparisons are one: the later replaces the earlier.
constexpr std::int64_t apart = 1'000'000'000;
/// That a line is fitted to. Clocks do not drift alike for hours.
constexpr std::size_t most_comparisons = 10;

int number_of(const std::vector<RankClock>& clocks) {
  int most = 0;
  for (const RankClock& one : clocks) most = std::max(most, one.clock);
  return most + 1;
}

}  // namespace

ClockLine fit_clock_line(std::span<const ClockComparison> comparisons) {
  if (comparisons.empty()) return {};
  const ClockComparison& last = comparisons.back();
  if (last.time - comparisons.front().time < apart) return {.origin = last.time, .offset = last.offset};
  const auto count = static_cast<double>(comparisons.size());
  double mean_time = 0;
  double mean_offset = 0;
  for (const ClockComparison& one : comparisons) {
    mean_time += static_cast<double>(one.time - last.time) / count;
    mean_offset += one.offset / count;
  }
  double squares = 0;
  double products = 0;
  for (const ClockComparison& one : comparisons) {
    const double off = static_cast<double>(one.time - last.time) - mean_time;
    squares += off * off;
    products += off * (one.offset - mean_offset);
  }
  const double drift = products / squares;
  return {.origin = last.time, .offset = mean_offset - drift * mean_time, .drift = drift};
}

std::vector<RankClock> clocks_of_world(const Communicator& world, std::span<const int> node_of_rank) {
  const std::vector<double> skew = clock_skew(world);
  const std::vector<double> drift = clock_drift(world);
  const std::vector<int> clock = clocks_of_ranks(clocks_of_ranks(node_of_rank, skew), drift);
  std::vector<RankClock> clocks;
  for (std::size_t rank = 0; rank < clock.size(); ++rank) {
    clocks.push_back({.clock = clock[rank], .skew = skew[rank], .drift_ppm = drift[rank]});
  }
  return clocks;
}

NodeClocks::NodeClocks(const Communicator& comm, std::vector<RankClock> clocks)
    : comm_(&comm),
      by_rank_(std::move(clocks)),
      clocks_(number_of(by_rank_)),
      moment_(comm.broadcast(now_nanoseconds(), 0)) {
  ISOBATH_EXPECTS(std::ssize(by_rank_) == comm.size());
  compare(100);
}

/// What the clock of this rank shows beside the one that it has.
ClockLine NodeClocks::pretended() const {
  const RankClock& own = by_rank_[static_cast<std::size_t>(comm_->rank())];
  return {.origin = moment_, .offset = own.skew * nanoseconds_per_second, .drift = own.drift_ppm * 1e-6};
}

void NodeClocks::compare(int rounds) {
  if (clocks_ == 1) return;
  const ClockLine shown = pretended();
  const auto seconds = [&] {
    const std::int64_t t = now_nanoseconds();
    return (static_cast<double>(t - moment_) + shown.at(t)) / nanoseconds_per_second;
  };
  std::vector<int> clock_of_rank;
  for (const RankClock& one : by_rank_) clock_of_rank.push_back(one.clock);
  const ClockOffset found = measure_clock_offset(*comm_, clock_of_rank, seconds, rounds);
  // Clocks drift while they are compared, too: the time is that of the answer which counts.
  const double since = (found.measured_at * nanoseconds_per_second - shown.offset) / (1 + shown.drift);
  const ClockComparison now{.time = moment_ + std::llround(since),
                            .offset = found.seconds * nanoseconds_per_second};
  const double residual = comparisons_.empty() ? 0 : std::abs(line_.at(now.time) - now.offset);
  error_ = comm_->max(std::int64_t{std::llround(residual)}) +
           comm_->max(std::int64_t{std::llround(found.error_seconds * nanoseconds_per_second)});

  const std::size_t kept = comparisons_.size();
  if (kept >= 2 && comparisons_[kept - 1].time - comparisons_[kept - 2].time < apart) comparisons_.pop_back();
  if (comparisons_.size() == most_comparisons) comparisons_.erase(comparisons_.begin());
  comparisons_.push_back(now);
  line_ = fit_clock_line(comparisons_);
}

GlobalClock NodeClocks::clock() const {
  if (clocks_ == 1) return GlobalClock();
  const ClockLine shown = pretended();
  return GlobalClock({.origin = line_.origin,
                      .offset = line_.offset + shown.at(line_.origin),
                      .drift = line_.drift + shown.drift});
}

}  // namespace isobath
