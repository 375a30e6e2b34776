// SPDX-License-Identifier: Apache-2.0
// The plan `replicated-csc`, by columns: only the frontier's columns are visited, and their targets claimed.
#include "bfs/published_plan.hpp"
#include "bfs/registered_plan.hpp"
#include "bfs/replicated_frontier.hpp"

namespace isobath {
namespace {

class CscStep final : public LevelStep {
 public:
  static constexpr std::string_view plan_name = "replicated-csc";
  CscStep(PublishedSearch& search, const PlanOptions& /*options*/) : search_(search), frontier_(search) {}

 private:
  void forget(const Root& root) override { frontier_.forget(root); }
  std::int64_t search_level(Level level, SearchObserver& observer) override {
    frontier_.begin_level(level, Phase::top_down, observer);
    return scan();
  }
  std::int64_t scan();

  PublishedSearch& search_;
  ReplicatedFrontier frontier_;
};

/// From the summary to the words that have any of the frontier, to its columns, to their targets. Threads
/// share the summary by words, and claim targets.
std::int64_t CscStep::scan() {
  PublishedSearch& search = search_;
  const Rows& columns = search.graph.by_source();
  std::int64_t arcs = 0;
#pragma omp parallel for schedule(dynamic, 1) num_threads(search.threads) reduction(+ : arcs)
  for (std::size_t s = 0; s < frontier_.summary().size(); ++s) {
    for_each_bit(frontier_.summary().subspan(s, 1), [&](std::size_t word) {
      const std::size_t w = s * word_bits + word;
      for_each_bit(frontier_.bits().subspan(w, 1), [&](std::size_t bit) {
        const auto col = static_cast<std::uint32_t>(w * word_bits + bit);
        const GlobalVertex parent = search.original_of(col);
        const std::span<const std::uint32_t> targets = columns.of(col);
        arcs += std::ssize(targets);
        for (const std::uint32_t target : targets) search.adopt(target, parent);
      });
    });
  }
  return arcs;
}

}  // namespace

RegisteredPlan registered_replicated_csc() {
  return {.name = CscStep::plan_name, .shapes = one_column, .construct = construct_published<CscStep>};
}

}  // namespace isobath
