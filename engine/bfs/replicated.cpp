// SPDX-License-Identifier: Apache-2.0
#include "bfs/replicated.hpp"

#include <numeric>

#include "base/expects.hpp"

namespace isobath {
namespace {

/// Bits of `from` on the bits of `to` from `first` on, which are zero.
void put_bits(std::span<const Word> from, std::span<Word> to, std::size_t first) {
  const std::size_t shift = first % word_bits;
  for (std::size_t w = 0; w < from.size(); ++w) {
    const std::size_t at = first / word_bits + w;
    to[at] |= from[w] << shift;
    if (shift != 0 && at + 1 < to.size()) to[at + 1] |= from[w] >> (word_bits - shift);
  }
}

}  // namespace

Replicated::Replicated(const EdgeStream& edges, const Communicator& world, const PlanOptions& options,
                       PhaseObserver& observer)
    : PublishedPlan(edges, world, options, observer), words_(words_of_col_pieces()) {
  ISOBATH_EXPECTS(graph_.layout.rows_are_complete());
  for (const std::int64_t words : words_) {
    summary_words_.push_back(static_cast<std::int64_t>(words_for(static_cast<std::size_t>(words))));
  }
  const std::size_t all_words = graph_.layout.num_cols() / word_bits;
  frontier_ = LargeArray<Word>(all_words);
  summary_ = LargeArray<Word>(words_for(all_words));
  own_summary_.resize(words_for(graph_.layout.own_words()));
  gathered_summaries_.resize(static_cast<std::size_t>(
      std::accumulate(summary_words_.begin(), summary_words_.end(), std::int64_t{0})));
}

/// The first frontier is the root, which everybody knows.
void Replicated::forget(const Root& root) {
  clear(frontier_.span());
  clear(summary_.span());
  const std::uint32_t col = column_of(root);
  set_bit(frontier_.span(), col);
  set_bit(summary_.span(), col / word_bits);
}

void Replicated::search_level(Level level, SearchObserver& observer) {
  if (level > 0) {
    observer.phase(Phase::expand);
    expand();
  }
  clear(found_.span());
  observer.phase(direction() == Direction::top_down ? Phase::top_down : Phase::bottom_up);
  arcs_scanned_ = scan();
}

/// Everybody's part of the frontier, and its summary.
void Replicated::expand() {
  grid_.col_comm.allgatherv<Word>(found_.span(), words_, frontier_.span());
  own_summary_.assign(own_summary_.size(), 0);
  for (std::size_t w = 0; w < found_.size(); ++w) {
    if (found_[w] != 0) set_bit(own_summary_, w);
  }
  grid_.col_comm.allgatherv<Word>(own_summary_, summary_words_, gathered_summaries_);
  clear(summary_.span());
  std::size_t first_word = 0;
  std::span<const Word> rest = gathered_summaries_;
  for (std::size_t rank = 0; rank < words_.size(); ++rank) {
    const auto summary_words = static_cast<std::size_t>(summary_words_[rank]);
    put_bits(rest.first(summary_words), summary_.span(), first_word);
    rest = rest.subspan(summary_words);
    first_word += static_cast<std::size_t>(words_[rank]);
  }
}

}  // namespace isobath
