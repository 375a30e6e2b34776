// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "bfs/plan.hpp"
#include "comm/communicator.hpp"
#include "reference/traffic_walk.hpp"

namespace isobath::test {

/// Level and phase, as the records have them; reference::outside_levels for reset and emit.
using AuditedStep = std::pair<Level, Phase>;
/// Bytes that each rank sent; steps in which nobody sent anything are left out.
using AuditedBytes = std::map<AuditedStep, std::vector<std::int64_t>>;

/// Adds up what this rank sends in each phase of each level.
class CountedBytes final : public SearchObserver {
 public:
  explicit CountedBytes(const SearchPlan& plan) : plan_(plan), last_(plan.traffic().bytes_sent) {}

  void phase(Phase begun) override {
    settle();
    phase_ = begun;
    if (begun == Phase::reset || begun == Phase::emit) level_ = reference::outside_levels;
  }
  void level_started(Level level, Direction direction, std::int64_t /*frontier*/) override {
    settle();
    level_ = level;
    bottom_up_.push_back(direction == Direction::bottom_up);
  }
  void settle() {
    const std::int64_t now = plan_.traffic().bytes_sent;
    own_[{level_, phase_}] += now - last_;
    last_ = now;
  }

  const std::vector<char>& bottom_up() const { return bottom_up_; }
  /// Collective, after the search: what all ranks sent.
  AuditedBytes of_all_ranks(const Communicator& world) const;

 private:
  const SearchPlan& plan_;
  std::int64_t last_;
  Level level_ = reference::outside_levels;
  Phase phase_ = Phase::start;
  std::map<AuditedStep, std::int64_t> own_;
  std::vector<char> bottom_up_;
};

AuditedBytes as_counted(const std::vector<reference::TrafficLine>& lines);

/// The first step in which the two differ, in words; empty where they are equal.
std::string difference(const AuditedBytes& expected, const AuditedBytes& counted);

}  // namespace isobath::test
