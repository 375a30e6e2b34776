// SPDX-License-Identifier: Apache-2.0
#include "bfs/replicated_frontier.hpp"

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

ReplicatedFrontier::ReplicatedFrontier(PublishedSearch& search)
    : search_(search), words_(search.words_of_col_pieces()) {
  const GridLayout& layout = search.graph.layout;
  ISOBATH_EXPECTS(layout.rows_are_complete());
  for (const std::int64_t words : words_) {
    summary_words_.push_back(static_cast<std::int64_t>(words_for(static_cast<std::size_t>(words))));
  }
  const std::size_t all_words = layout.num_cols() / word_bits;
  bits_ = LargeArray<Word>(all_words);
  summary_ = LargeArray<Word>(words_for(all_words));
  own_summary_.resize(words_for(layout.own_words()));
  gathered_summaries_.resize(static_cast<std::size_t>(
      std::accumulate(summary_words_.begin(), summary_words_.end(), std::int64_t{0})));
}

void ReplicatedFrontier::forget(const Root& root) {
  clear_words(bits_.span());
  clear_words(summary_.span());
  const std::uint32_t col = search_.column_of(root);
  set_bit(bits_.span(), col);
  set_bit(summary_.span(), col / word_bits);
}

void ReplicatedFrontier::begin_level(Level level, Phase scans, SearchObserver& observer) {
  if (level > 0) {
    observer.phase(Phase::expand);
    expand();
  }
  clear_words(search_.found.span());
  observer.phase(scans);
}

void ReplicatedFrontier::expand() {
  const Communicator& col_comm = search_.grid.col_comm;
  const LargeArray<Word>& found = search_.found;
  col_comm.allgatherv<Word>(found.span(), words_, bits_.span());
  own_summary_.assign(own_summary_.size(), 0);
  for (std::size_t w = 0; w < found.size(); ++w) {
    if (found[w] != 0) set_bit(own_summary_, w);
  }
  col_comm.allgatherv<Word>(own_summary_, summary_words_, gathered_summaries_);
  clear_words(summary_.span());
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
