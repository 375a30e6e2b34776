// SPDX-License-Identifier: Apache-2.0
// The plan `simple`: vertices are cut over the ranks, every rank stores all arcs out of its own ones, and the
// owner of a target decides about its parent. A grid of one row.
#include <vector>

#include "base/expects.hpp"
#include "bfs/proposals.hpp"
#include "bfs/published_plan.hpp"
#include "bfs/registered_plan.hpp"

namespace isobath {
namespace {

class SimpleStep final : public LevelStep {
 public:
  static constexpr std::string_view plan_name = "simple";
  static constexpr std::array<SwitchChoice, 3> choices = {
      {{"exchange", own_or_any_exchange}, {"dedup", "none local"}, {"ids", "64 32"}}};
  /// All threads scan. The one that communicates looks after the messages in between.
  SimpleStep(PublishedSearch& search, const PlanOptions& options)
      : search_(search), proposals_(search, options, Duty::both) {
    ISOBATH_EXPECTS(options.shape.rows == 1);
  }

 private:
  void forget(const Root& /*root*/) override { proposals_.forget(); }
  /// The own frontier is all that is needed to scan: on one grid row, columns are own vertices.
  std::int64_t search_level(Level /*level*/, SearchObserver& observer) override {
    frontier_.clear();
    for_each_bit(search_.found.span(),
                 [&](std::size_t v) { frontier_.push_back(static_cast<std::uint32_t>(v)); });
    clear_words(search_.found.span());
    return proposals_.scan_and_fold(frontier_, observer);
  }

  PublishedSearch& search_;
  Proposals proposals_;
  std::vector<std::uint32_t> frontier_;  // own, as columns
};

}  // namespace

RegisteredPlan registered_simple() {
  return {.name = SimpleStep::plan_name,
          .shapes = one_row,
          .choices = SimpleStep::choices,
          .construct = construct_published<SimpleStep>};
}

}  // namespace isobath
