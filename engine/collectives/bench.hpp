// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "collectives/cell.hpp"
#include "comm/bare/cartesian.hpp"
#include "comm/bare/control_variables.hpp"
#include "comm/communicator.hpp"
#include "record/collective.hpp"
#include "timing/repetition.hpp"

namespace isobath {

/// What holds for all cells of a launch.
struct BenchOptions {
  StopRule rule = {};
  int launch = 0;
  std::optional<std::int64_t> memory_limit = {};      // bytes of buffers on one node
  std::int64_t cache_bytes = std::int64_t{32} << 20;  // the last one, shared by the ranks of a node
  bool oversubscribed = false;
  double stack_seconds = 0;  // after the times of a cell, how long its stacks are looked at
  std::vector<int> node_of_rank;
  std::map<std::string, ByteMatrix> matrices = {};  // recorded counts
  /// What is done to the buffers between a call and its check; for tests that corrupt them.
  std::function<void(BufferSets&, int set)> tamper = {};
};

/// Measures cells one after the other, and keeps the communicators that they share.
class CollectiveBench {
 public:
  /// Collective. @param world  outlives the object
  CollectiveBench(const Communicator& world, BenchOptions options);
  CollectiveBench(const CollectiveBench&) = delete;
  CollectiveBench& operator=(const CollectiveBench&) = delete;
  ~CollectiveBench();

  /// Collective. The record is complete on rank 0. @param order  of the cell in the launch
  CollectiveRecord measure(const Cell& cell, int order);

  const NodeClocks& clocks() const { return clocks_; }

 private:
  struct Group;
  struct Plan;
  class TimedCalls;

  Group& group_for(const Cell& cell);
  const std::vector<std::vector<int>>& coordinates_in(const ProcessShape& shape);
  std::optional<std::string> too_large(const Cell& cell, Plan& plan);
  std::optional<std::string> prepare(const Cell& cell, Plan& plan, CollectiveRecord& record);
  bool is_refused(const Cell& cell, const Communicator& all, BareCall& call) const;
  void run(const Cell& cell, Plan& plan, CollectiveRecord& record);
  void look_inside(const Communicator& all, TimedCalls& timed, CollectiveRecord& record) const;
  void put_algorithm(const Cell& cell, CollectiveRecord& record) const;

  const Communicator* world_;
  BenchOptions options_;
  NodeClocks clocks_;
  std::int64_t began_;
  ControlVariables variables_;
  std::vector<std::string> variable_names_;
  std::vector<std::string> machine_of_rank_;  // also where nodes are pretended: memory is not
  std::map<std::string, std::unique_ptr<Group>> groups_;
  std::map<std::string, std::vector<std::vector<int>>> coordinates_;  // by shape
};

}  // namespace isobath
