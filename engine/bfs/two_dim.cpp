// SPDX-License-Identifier: Apache-2.0
// The plan `two-dim` (Yoo et al., SC 2005; with two tasks as Ueno and Suzumura, HPDC 2012, have it): arcs are
// cut over an R x C grid. Expand: the frontier of a grid column is made known to all its ranks. Fold: parents
// are proposed along the grid row to the owners of their targets.
#include <numeric>
#include <vector>

#include "bfs/proposals.hpp"
#include "bfs/published_plan.hpp"
#include "bfs/registered_plan.hpp"

namespace isobath {
namespace {

class TwoDimStep final : public LevelStep {
 public:
  static constexpr std::string_view plan_name = "two-dim";
  static constexpr std::array<SwitchChoice, 4> choices = {{{"exchange", own_or_any_exchange},
                                                           {"dedup", "none local"},
                                                           {"ids", "64 32"},
                                                           {"frontier", "bitmap list smaller"}}};
  /// The thread that may communicate is task B's; the others are task A's. With one thread they take turns.
  TwoDimStep(PublishedSearch& search, const PlanOptions& options)
      : search_(search),
        proposals_(search, options, Duty::communicate),
        words_(search.words_of_col_pieces()) {}

 private:
  void forget(const Root& root) override;
  std::int64_t search_level(Level level, SearchObserver& observer) override;
  void expand(SearchObserver& observer);
  void expand_list();
  void expand_bitmap();

  PublishedSearch& search_;
  Proposals proposals_;
  std::vector<std::int64_t> words_;      // of every piece of the grid column
  std::vector<std::uint32_t> own_list_;  // own frontier, as columns
  std::vector<std::uint32_t> frontier_;  // of the grid column, as columns
  std::vector<Word> frontier_words_;
};

void TwoDimStep::forget(const Root& root) {
  proposals_.forget();
  frontier_.clear();
  const std::uint32_t col = search_.column_of(root);
  if (col != search_.graph.layout.missing_col()) frontier_.push_back(col);
}

/// The first frontier is the root, which every rank knows.
std::int64_t TwoDimStep::search_level(Level level, SearchObserver& observer) {
  if (level > 0) expand(observer);
  clear_words(search_.found.span());
  return proposals_.scan_and_fold(frontier_, observer);
}

/// What was found by the ranks of the grid column, as columns.
void TwoDimStep::expand(SearchObserver& observer) {
  own_list_.clear();
  for_each_bit(search_.found.span(), [&](std::size_t v) {
    own_list_.push_back(search_.graph.layout.own_col() + static_cast<std::uint32_t>(v));
  });
  if (search_.graph.layout.shape.rows == 1) {
    frontier_ = own_list_;
    return;
  }
  observer.phase(Phase::expand);
  if (search_.switches.frontier == FrontierForm::bitmap) {
    expand_bitmap();
  } else {
    expand_list();
  }
}

void TwoDimStep::expand_bitmap() {
  frontier_words_.resize(search_.graph.layout.num_cols() / word_bits);
  search_.grid.col_comm.allgatherv<Word>(search_.found.span(), words_, frontier_words_);
  frontier_.clear();
  for_each_bit(frontier_words_,
               [&](std::size_t col) { frontier_.push_back(static_cast<std::uint32_t>(col)); });
}

/// 4 bytes a vertex; with FrontierForm::smaller the bitmap where that is less over the whole grid column.
void TwoDimStep::expand_list() {
  const auto counts = search_.grid.col_comm.allgather(std::ssize(own_list_));
  const std::int64_t total = std::accumulate(counts.begin(), counts.end(), std::int64_t{0});
  const std::int64_t list_bytes = total * static_cast<std::int64_t>(sizeof(std::uint32_t));
  if (search_.switches.frontier == FrontierForm::smaller &&
      std::int64_t{search_.graph.layout.num_cols()} / 8 < list_bytes) {
    expand_bitmap();
    return;
  }
  frontier_.resize(static_cast<std::size_t>(total));
  search_.grid.col_comm.allgatherv<std::uint32_t>(own_list_, counts, frontier_);
}

}  // namespace

RegisteredPlan registered_two_dim() {
  return {.name = TwoDimStep::plan_name,
          .shapes = usually_squarest,
          .choices = TwoDimStep::choices,
          .has_tasks = true,
          .construct = construct_published<TwoDimStep>};
}

}  // namespace isobath
