// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "base/instruction_set.hpp"
#include "bfs/hybrid/grid_search.hpp"
#include "graph/sample_graphs.hpp"

namespace isobath::test {

/// Threads and instruction set of the searches constructed while it lives.
class Setting {
 public:
  Setting(InstructionSet set, int threads);
  Setting(const Setting&) = delete;
  Setting& operator=(const Setting&) = delete;
  ~Setting();
  std::string text() const;

 private:
  InstructionSet set_;
  int threads_;
  int threads_before_;
};

/// When to search bottom-up, by name.
struct Policy {
  const char* name;
  double alpha;
  double beta;
};
inline constexpr Policy usual{"usual policy", 14, 24};
inline constexpr Policy always_top_down{"always top-down", 1e-12, 1e-12};
inline constexpr Policy always_bottom_up{"always bottom-up", 1e12, 1e12};
inline constexpr Policy bottom_up_by_arcs{"bottom-up by arcs alone", 3, 1e-12};

/// The plan over a sample graph; every rank contributes its share of the edges, and gets the whole answer.
class Searched {
 public:
  Searched(const SampleGraph& graph, const Communicator& world, GridShape shape, const Policy& policy = usual,
           const Switches& switches = default_switches("hybrid"),
           Hypersparse hypersparse = Hypersparse::by_count, int position_bits = 32);

  /// Collective.
  std::vector<GlobalVertex> parents(GlobalVertex root, SearchObserver& observer);
  std::vector<GlobalVertex> parents(GlobalVertex root);
  GridSearch& search() { return search_; }
  const EdgeStream& edges() const { return edges_; }

 private:
  const Communicator& world_;
  SpanEdgeStream edges_;
  PhaseObserver nobody_;
  GridSearch search_;
};

}  // namespace isobath::test
