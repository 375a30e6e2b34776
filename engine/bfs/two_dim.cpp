// SPDX-License-Identifier: Apache-2.0
#include "bfs/two_dim.hpp"

#include <numeric>

namespace isobath {

TwoDim::TwoDim(const EdgeStream& edges, const Communicator& world, const PlanOptions& options,
               PhaseObserver& observer)
    : ProposingPlan(edges, world, options, observer), words_(words_of_col_pieces()) {
  label(observer);
}

void TwoDim::forget(const Root& root) {
  ProposingPlan::forget(root);
  frontier_.clear();
  const std::uint32_t col = column_of(root);
  if (col != graph_.layout.missing_col()) frontier_.push_back(col);
}

/// The first frontier is the root, which every rank knows.
void TwoDim::search_level(Level level, SearchObserver& observer) {
  if (level > 0) expand(observer);
  clear(found_.span());
  scan_and_fold(frontier_, observer);
}

/// What was found by the ranks of the grid column, as columns.
void TwoDim::expand(SearchObserver& observer) {
  own_list_.clear();
  for_each_bit(found_.span(), [&](std::size_t v) {
    own_list_.push_back(graph_.layout.own_col() + static_cast<std::uint32_t>(v));
  });
  if (graph_.layout.shape.rows == 1) {
    frontier_ = own_list_;
    return;
  }
  observer.phase(Phase::expand);
  if (switches_.frontier == FrontierForm::bitmap) {
    expand_bitmap();
  } else {
    expand_list();
  }
}

void TwoDim::expand_bitmap() {
  frontier_words_.resize(graph_.layout.num_cols() / word_bits);
  grid_.col_comm.allgatherv<Word>(found_.span(), words_, frontier_words_);
  frontier_.clear();
  for_each_bit(frontier_words_,
               [&](std::size_t col) { frontier_.push_back(static_cast<std::uint32_t>(col)); });
}

/// 4 bytes a vertex; with FrontierForm::smaller the bitmap where that is less over the whole grid column.
void TwoDim::expand_list() {
  const auto counts = grid_.col_comm.allgather(std::ssize(own_list_));
  const std::int64_t total = std::accumulate(counts.begin(), counts.end(), std::int64_t{0});
  const std::int64_t list_bytes = total * static_cast<std::int64_t>(sizeof(std::uint32_t));
  if (switches_.frontier == FrontierForm::smaller &&
      std::int64_t{graph_.layout.num_cols()} / 8 < list_bytes) {
    expand_bitmap();
    return;
  }
  frontier_.resize(static_cast<std::size_t>(total));
  grid_.col_comm.allgatherv<std::uint32_t>(own_list_, counts, frontier_);
}

/// The thread that may communicate is task B's; the others are task A's. With one thread they take turns.
void TwoDim::send_while_scanning(FrontierWork& work, SearchObserver& observer) {
  scan_and_send(work, Duty::communicate, observer);
}

}  // namespace isobath
