// SPDX-License-Identifier: Apache-2.0
#include "graph500/timing_observer.hpp"

#include <algorithm>

#include "base/clock.hpp"
#include "base/computation.hpp"
#include "comm/ledger/region.hpp"

namespace isobath {
namespace {

bool is_outside_levels(Phase phase) {
  return phase == Phase::reset || phase == Phase::climb || phase == Phase::descend || phase == Phase::emit;
}

}  // namespace

TimingObserver::TimingObserver(Heartbeat& heartbeat, Ledger* ledger)
    : heartbeat_(heartbeat), ledger_(ledger) {
  timeline_.levels.resize(max_timed_levels);
}

void TimingObserver::begin(int index) {
  const std::size_t used = timeline_.num_levels;
  for (std::size_t i = 0; i < used; ++i) timeline_.levels[i] = LevelTimeline{};
  timeline_.num_levels = 0;
  timeline_.outside = PhaseTotals{};
  timeline_.begin = timeline_.end = 0;
  timeline_.first_phase = timeline_.last_phase = Phase::start;
  current_ = &timeline_.outside;
  running_ = false;
  heartbeat_.search(index);
  if (ledger_ != nullptr) ledger_->clear();
}

void TimingObserver::enter() {
  if (ledger_ == nullptr) return;
  const bool is_outside = current_ == &timeline_.outside;
  ledger_->enter(is_outside ? -1 : static_cast<int>(timeline_.num_levels) - 1, current_phase_);
}

void TimingObserver::settle(double now) {
  const Traffic traffic = traffic_();
  const auto phase = static_cast<std::size_t>(current_phase_);
  const Traffic sent = traffic - last_traffic_;
  current_->seconds[phase] += now - last_change_;
  current_->bytes_sent[phase] += sent.bytes_sent;
  current_->messages[phase] += sent.messages;
  current_->entered[phase] = true;
  last_change_ = now;
  last_traffic_ = traffic;
}

void TimingObserver::phase(Phase begun) {
  const double now = now_seconds();
  if (running_) {
    settle(now);
  } else {
    running_ = true;
    timeline_.begin = last_change_ = now;
    timeline_.first_phase = begun;
    last_traffic_ = traffic_();
    if (ledger_ != nullptr) {
      announce_search(searches_++);
      ledger_->begin(RunPart::search);
    }
  }
  if (is_outside_levels(begun)) current_ = &timeline_.outside;
  current_phase_ = begun;
  enter();
  heartbeat_.phase(begun);
}

void TimingObserver::level_started(Level level, Direction direction, std::int64_t frontier_vertices) {
  if (running_) settle(now_seconds());
  timeline_.num_levels = std::min(timeline_.num_levels + 1, max_timed_levels);
  LevelTimeline& now_timed = timeline_.levels[timeline_.num_levels - 1];
  now_timed.level = level;
  now_timed.direction = direction;
  now_timed.frontier_vertices = frontier_vertices;
  current_ = &now_timed.phases;
  enter();
  heartbeat_.level(level);
}

void TimingObserver::level_finished(Level /*level*/, std::int64_t arcs_scanned) {
  timeline_.levels[timeline_.num_levels - 1].arcs_scanned += arcs_scanned;
  computed(arcs_scanned);
}

void TimingObserver::end_search() {
  const double now = now_seconds();
  if (ledger_ != nullptr) {
    ledger_->end();
    announce_search(-1);
  }
  if (running_) settle(now);
  running_ = false;
  timeline_.end = now;
  timeline_.last_phase = current_phase_;
}

}  // namespace isobath
