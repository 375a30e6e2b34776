// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "bfs/plan.hpp"
#include "graph/sample_graphs.hpp"

namespace isobath::test {

/// A plan and what is asked of it.
struct Variant {
  std::string plan;
  std::string asked = {};  // such as "ids=32 dedup=local"
  Switches switches() const;
  bool has_exchange() const { return asked.find("exchange=") != std::string::npos; }
  std::string text() const { return plan + " " + asked; }
};

/// The grids of so many ranks that a plan can have.
std::vector<GridShape> shapes_of_plan(const std::string& plan, int ranks);

/// Any plan over a sample graph; every rank contributes its share of the edges, and gets the whole answer.
class Planned {
 public:
  Planned(const SampleGraph& graph, const Communicator& world, GridShape shape, const Variant& variant);

  /// Collective.
  std::vector<GlobalVertex> parents(GlobalVertex root, SearchObserver& observer);
  std::vector<GlobalVertex> parents(GlobalVertex root);
  SearchPlan& plan() { return *plan_; }

 private:
  const Communicator& world_;
  SpanEdgeStream edges_;
  std::unique_ptr<SearchPlan> plan_;
};

/// Adds up what this rank sends and receives in each phase of a search, and keeps what is told of levels.
class PhaseTraffic final : public SearchObserver {
 public:
  explicit PhaseTraffic(const SearchPlan& plan) : plan_(plan), last_(plan.traffic()) {}
  void phase(Phase begun) override;
  void level_started(Level level, Direction direction, std::int64_t frontier) override;
  void level_finished(Level level, std::int64_t arcs_scanned) override;

  /// Ends the last phase.
  void settle();
  const Traffic& of(Phase phase) const { return by_phase_[static_cast<std::size_t>(phase)]; }
  Traffic whole() const;
  std::int64_t levels() const { return std::ssize(frontiers_); }
  const std::vector<std::int64_t>& frontiers() const { return frontiers_; }
  const std::vector<Direction>& directions() const { return directions_; }
  std::int64_t arcs_scanned() const { return arcs_scanned_; }
  Phase last_phase() const { return now_; }
  bool is_in_order() const { return is_in_order_; }

 private:
  const SearchPlan& plan_;
  Traffic last_;
  Phase now_ = Phase::start;
  std::array<Traffic, num_phases> by_phase_{};
  std::vector<std::int64_t> frontiers_;
  std::vector<Direction> directions_;
  std::int64_t arcs_scanned_ = 0;
  std::int64_t levels_finished_ = 0;
  bool is_in_order_ = true;
};

}  // namespace isobath::test
