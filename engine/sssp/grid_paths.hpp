// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "comm/exchange.hpp"
#include "comm/grid.hpp"
#include "graph/graph.hpp"
#include "sssp/plan.hpp"

namespace isobath {

/// Shortest paths in a weighted graph on an R x C grid by delta-stepping (Meyer and Sanders 2003): the owners
/// of changed vertices tell their grid column (expand), whose ranks relax the arcs they store and propose
/// distances along their grid row (fold) to the owners of the targets, which adopt what is smaller.
/// docs/explanation/delta-stepping.md
class GridPaths {
 public:
  /// Collective. @param graph, world, grid  outlive this  @param delta  width of a bucket; 0: chosen
  GridPaths(const Graph& graph, const Communicator& world, const Grid& grid, double delta);
  ~GridPaths();

  /// Collective. Shortest paths from a searched vertex.
  void search(const Location& root, SearchObserver& observer);

  /// Of the own searched vertices: infinity where not reached; the original number of the parent.
  std::span<const float> distances() const { return distance_.span(); }
  std::span<const std::int64_t> parents() const { return parent_.span(); }

 private:
  enum class Arcs { light, heavy };  // lighter than delta, or not
  struct ActiveColumn {
    std::uint32_t col;
    float distance;
  };
  struct DistanceProposal {
    std::uint32_t target;  // working number at its owner
    std::uint32_t source;  // original number, counted from the first of the sender's grid column
    float distance;
  };

  void reset(const Location& root);
  void adopt(std::uint32_t target, float distance, std::int64_t parent);
  double least_pending() const;
  void settle_bucket(double least, SearchObserver& observer);
  void take_pending(double least);
  std::span<const ActiveColumn> expand(std::span<const std::uint32_t> vertices, SearchObserver& observer);
  std::int64_t relax(std::span<const std::uint32_t> vertices, Arcs arcs, SearchObserver& observer);
  std::int64_t propose(std::span<const ActiveColumn> columns, Arcs arcs);
  bool lower_proposed(std::uint32_t row, float distance);
  void fold(SearchObserver& observer);

  const Graph& graph_;
  const Communicator& world_;
  const Grid& grid_;
  double delta_;
  std::unique_ptr<Exchange> exchange_;  // along the grid row, where there are several columns

  LargeArray<float> distance_;
  LargeArray<std::int64_t> parent_;
  LargeArray<float> proposed_;          // by row: the least distance proposed from here
  std::vector<std::uint32_t> pending_;  // own, lowered since their arcs were relaxed
  std::vector<Word> is_pending_;
  std::vector<std::uint32_t> active_;   // own, of this round
  std::vector<std::uint32_t> settled_;  // own, of this bucket, each once
  std::vector<Word> is_settled_;
  std::vector<ActiveColumn> own_columns_;
  std::vector<ActiveColumn> columns_;
  std::vector<std::vector<DistanceProposal>> outgoing_;  // by grid column of the target's owner
  int round_ = 0;
};

}  // namespace isobath
