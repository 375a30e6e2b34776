// SPDX-License-Identifier: Apache-2.0
// The plan `replicated-csr`, by rows: each own vertex that is not visited yet looks for a neighbour in the
// frontier.
#include <bit>

#include "bfs/published_plan.hpp"
#include "bfs/registered_plan.hpp"
#include "bfs/replicated_frontier.hpp"

namespace isobath {
namespace {

class CsrStep final : public LevelStep {
 public:
  static constexpr std::string_view plan_name = "replicated-csr";
  static constexpr std::array<SwitchChoice, 1> choices = {{{"direction", "bottom-up"}}};
  CsrStep(PublishedSearch& search, const PlanOptions& /*options*/) : search_(search), frontier_(search) {}

 private:
  Direction direction() const override { return Direction::bottom_up; }
  void forget(const Root& root) override { frontier_.forget(root); }
  std::int64_t search_level(Level level, SearchObserver& observer) override {
    frontier_.begin_level(level, Phase::bottom_up, observer);
    return scan();
  }
  std::int64_t scan();

  PublishedSearch& search_;
  ReplicatedFrontier frontier_;
};

/// Every own vertex that is not visited yet goes through its row, and stops at the first neighbour in the
/// frontier. A word of vertices belongs to one thread.
std::int64_t CsrStep::scan() {
  PublishedSearch& search = search_;
  const Rows& rows = search.graph.by_target;
  std::int64_t arcs = 0;
#pragma omp parallel for schedule(dynamic, 8) num_threads(search.threads) reduction(+ : arcs)
  for (std::size_t w = 0; w < search.found.size(); ++w) {
    Word found = 0;
    for (Word rest = search.graph.has_arc[w] & ~search.visited[w]; rest != 0; rest &= rest - 1) {
      const int bit = std::countr_zero(rest);
      const auto row = static_cast<std::uint32_t>(w * word_bits) + static_cast<std::uint32_t>(bit);
      for (const std::uint32_t col : rows.of(row)) {
        ++arcs;
        if (!frontier_.has(col)) continue;
        search.parents[row] = search.original_of(col);
        found |= Word{1} << bit;
        break;
      }
    }
    search.visited[w] |= found;
    search.found[w] = found;
  }
  return arcs;
}

}  // namespace

RegisteredPlan registered_replicated_csr() {
  return {.name = CsrStep::plan_name,
          .shapes = one_column,
          .choices = CsrStep::choices,
          .construct = construct_published<CsrStep>};
}

}  // namespace isobath
