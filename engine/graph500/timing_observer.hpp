// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include "base/phase.hpp"
#include "bfs/plan.hpp"
#include "comm/ledger/ledger.hpp"
#include "comm/ledger/traffic.hpp"
#include "record/heartbeat.hpp"

namespace isobath {

/// What each phase took, by Phase.
struct PhaseTotals {
  std::array<double, num_phases> seconds{};
  std::array<std::int64_t, num_phases> bytes_sent{};
  std::array<std::int64_t, num_phases> messages{};
  std::array<bool, num_phases> entered{};
};

struct LevelTimeline {
  Level level = 0;
  Direction direction = Direction::top_down;
  std::int64_t frontier_vertices = 0;
  std::int64_t arcs_scanned = 0;
  PhaseTotals phases;
};

/// One search as this rank saw it.
struct Timeline {
  double begin = 0;  // the first phase begins
  double end = 0;    // the last phase ends
  Phase first_phase = Phase::start;
  Phase last_phase = Phase::start;
  PhaseTotals outside;                // before the first level, after the last, and in climb and descend
  std::vector<LevelTimeline> levels;  // only the first num_levels mean anything
  std::size_t num_levels = 0;
};

/// Levels that are kept apart; any further ones are counted in the last. A Kronecker graph has a dozen.
inline constexpr std::size_t max_timed_levels = 512;

/// Watches one search after the other: reads the clock and the traffic at each change of phase, into storage
/// that was made and touched before, and shows the phase on the heartbeat page. Nothing is allocated, written
/// or communicated between begin_search() and end_search(). The search is one entry of the ledger, where
/// there is one, from the first phase to the end of the last; its levels there are places in
/// Timeline::levels.
///
/// What happens between the end of a level and the start of the next belongs to the level that ended.
class TimingObserver final : public SearchObserver {
 public:
  /// @param ledger  may be nullptr; outlives this
  explicit TimingObserver(Heartbeat& heartbeat, Ledger* ledger = nullptr);

  /// Before the clock of the search starts. `plan` is the one that is searched.
  void begin_search(int index, const SearchPlan& plan) {
    traffic_ = [&plan] { return plan.traffic(); };
    begin(index);
  }
  /// Right after the search, before its clock stops: the last phase ends.
  void end_search();
  /// The search that end_search() ended.
  const Timeline& timeline() const { return timeline_; }

  void phase(Phase begun) override;
  void level_started(Level level, Direction direction, std::int64_t frontier_vertices) override;
  void level_finished(Level level, std::int64_t arcs_scanned) override;

 private:
  void begin(int index);
  /// Adds what passed since the last change to the current phase.
  void settle(double now);
  /// Says to the ledger where calls belong now.
  void enter();

  Heartbeat& heartbeat_;
  Ledger* ledger_;
  std::function<Traffic()> traffic_;  // of the plan so far
  Timeline timeline_;
  PhaseTotals* current_ = nullptr;  // of the level, or outside
  Phase current_phase_ = Phase::start;
  bool running_ = false;
  int searches_ = 0;  // begun so far, warm-ups included
  double last_change_ = 0;
  Traffic last_traffic_;
};

}  // namespace isobath
