// SPDX-License-Identifier: Apache-2.0
// Expand of GridSearch: what the owners know of their vertices reaches the whole grid column.
#include <algorithm>
#include <bit>
#include <cstring>
#include <numeric>

#include "bfs/grid_search.hpp"

namespace isobath {
namespace {

/// Appends the set bits as indices, counted from `first`.
void list_bits(std::span<const Word> words, std::uint32_t first, std::vector<std::uint32_t>& list) {
  for (std::size_t w = 0; w < words.size(); ++w) {
    for (Word word = words[w]; word != 0; word &= word - 1) {
      list.push_back(first + static_cast<std::uint32_t>(w * word_bits) +
                     static_cast<std::uint32_t>(std::countr_zero(word)));
    }
  }
}

std::vector<std::int64_t> words_of_col_pieces(const GridLayout& layout) {
  std::vector<std::int64_t> words;
  for (std::size_t k = 0; k + 1 < layout.col_offset.size(); ++k) {
    words.push_back((layout.col_offset[k + 1] - layout.col_offset[k]) / static_cast<std::int64_t>(word_bits));
  }
  return words;
}

}  // namespace

/// The first frontier, which needs no message: the column of the vertex, on the ranks that store its arcs.
std::span<const std::uint32_t> GridSearch::expand_root(const Location& first) {
  const GridLayout& layout = built_.graph.layout;
  expanded_.clear();
  const auto owner = static_cast<int>(first.owner);
  if (layout.shape.col_of(owner) == layout.grid_col()) {
    const auto piece = static_cast<std::size_t>(layout.shape.row_of(owner));
    expanded_.push_back(layout.col_offset[piece] + static_cast<std::uint32_t>(first.working));
  }
  return expanded_;
}

/// The frontier of the whole grid column, as columns. On one grid row it is the own list, not a copy.
std::span<const std::uint32_t> GridSearch::expand_frontier(SearchObserver& observer) {
  const std::span<std::uint32_t> own = frontier_.span().first(frontier_size_);
  if (built_.graph.layout.shape.rows == 1) return own;
  observer.phase(Phase::expand);
  expanded_.clear();
  const FrontierForm form = switches_.frontier;
  if (form == FrontierForm::bitmap) {
    expand_bitmap();
  } else if (form == FrontierForm::packed) {
    sorted_frontier_.assign(own.begin(), own.end());
    std::sort(sorted_frontier_.begin(), sorted_frontier_.end());
    packed_list_.clear();
    pack_ascending(sorted_frontier_, packed_list_);
    const auto bytes = built_.grid.col_comm.allgather(static_cast<std::int64_t>(packed_list_.size()));
    if (bitmap_is_smaller(std::accumulate(bytes.begin(), bytes.end(), std::int64_t{0}))) {
      expand_bitmap();
    } else {
      expand_packed(bytes);
    }
  } else {
    expand_list();
  }
  return expanded_;
}

bool GridSearch::bitmap_is_smaller(std::int64_t list_bytes) const {
  return std::int64_t{built_.graph.layout.num_cols()} / 8 < list_bytes;
}

/// The list, 4 bytes a vertex; with FrontierForm::smaller the bitmap where that is less.
void GridSearch::expand_list() {
  const auto counts = built_.grid.col_comm.allgather(static_cast<std::int64_t>(frontier_size_));
  const std::int64_t total = std::accumulate(counts.begin(), counts.end(), std::int64_t{0});
  if (switches_.frontier == FrontierForm::smaller &&
      bitmap_is_smaller(total * static_cast<std::int64_t>(sizeof(std::uint32_t)))) {
    expand_bitmap();
    return;
  }
  sorted_frontier_.assign(frontier_.begin(), frontier_.begin() + frontier_size_);
  for (std::uint32_t& vertex : sorted_frontier_) vertex += built_.graph.layout.own_col();
  expanded_.resize(static_cast<std::size_t>(total));
  built_.grid.col_comm.allgatherv<std::uint32_t>(sorted_frontier_, counts, expanded_);
}

void GridSearch::expand_bitmap() {
  const GridLayout& layout = built_.graph.layout;
  frontier_words_.assign(layout.num_cols() / word_bits, 0);
  const std::span<Word> all = frontier_words_;
  const std::span<Word> own = all.subspan(layout.own_col() / word_bits, layout.own_words());
  for (std::size_t i = 0; i < frontier_size_; ++i) set_bit(own, frontier_[i]);
  built_.grid.col_comm.allgatherv<Word>(own, words_of_col_pieces(layout), all);
  list_bits(all, 0, expanded_);
}

void GridSearch::expand_packed(std::span<const std::int64_t> packed_bytes) {
  const GridLayout& layout = built_.graph.layout;
  packed_lists_.resize(
      static_cast<std::size_t>(std::accumulate(packed_bytes.begin(), packed_bytes.end(), std::int64_t{0})));
  built_.grid.col_comm.allgatherv<std::byte>(packed_list_, packed_bytes, packed_lists_);
  std::size_t at = 0;
  for (std::size_t piece = 0; piece < packed_bytes.size(); ++piece) {
    const auto bytes = static_cast<std::size_t>(packed_bytes[piece]);
    const std::size_t first = expanded_.size();
    unpack_ascending(std::span(packed_lists_).subspan(at, bytes), expanded_);
    for (std::size_t i = first; i < expanded_.size(); ++i) expanded_[i] += layout.col_offset[piece];
    at += bytes;
  }
}

/// What is visited in the whole grid column.
void GridSearch::expand_visited() {
  if (switches_.frontier == FrontierForm::packed) return expand_visited_packed();
  const GridLayout& layout = built_.graph.layout;
  built_.grid.col_comm.allgatherv<Word>(visited_.span().first(layout.own_words()),
                                        words_of_col_pieces(layout),
                                        visited_cols_.span().first(layout.num_cols() / word_bits));
}

/// Packs the own vertices that are visited, or those that are not, where that takes at most half the bytes of
/// the bitmap: below, reading a list takes longer than reading bits.
GridSearch::VisitedForm GridSearch::pack_visited() {
  const std::size_t words = built_.graph.layout.own_words();
  const std::size_t own = built_.graph.layout.own_searched();
  const std::size_t most = words * sizeof(Word) / 2;
  std::size_t visited = 0;
  for (std::size_t w = 0; w < words; ++w) visited += static_cast<std::size_t>(std::popcount(visited_[w]));
  const bool few_are = visited <= most;
  if (!few_are && own - visited > most) return VisitedForm::bitmap;
  sorted_frontier_.clear();
  for (std::size_t w = 0; w < words; ++w) {
    const std::size_t first = w * word_bits;
    const Word there = first + word_bits <= own ? ~Word{0} : first < own ? (Word{1} << (own - first)) - 1 : 0;
    const Word word = few_are ? visited_[w] : ~visited_[w] & there;
    list_bits({&word, 1}, static_cast<std::uint32_t>(first), sorted_frontier_);
  }
  packed_list_.clear();
  pack_ascending(sorted_frontier_, packed_list_);
  if (packed_list_.size() > most) return VisitedForm::bitmap;
  return few_are ? VisitedForm::list_of_visited : VisitedForm::list_of_unvisited;
}

/// Every rank sends its piece in the form that suits it: forms and lengths first, then the pieces.
void GridSearch::expand_visited_packed() {
  constexpr std::int64_t forms = 4;  // told as length * forms + form
  const GridLayout& layout = built_.graph.layout;
  const std::span<Word> own_words = visited_.span().first(layout.own_words());
  const VisitedForm own_form = pack_visited();
  const std::span<const std::byte> own =
      own_form == VisitedForm::bitmap ? std::as_bytes(own_words) : std::span<const std::byte>(packed_list_);
  const std::vector<std::int64_t> told =
      built_.grid.col_comm.allgather(std::ssize(own) * forms + static_cast<std::int64_t>(own_form));
  std::vector<std::int64_t> lengths;
  for (const std::int64_t one : told) lengths.push_back(one / forms);
  packed_lists_.resize(
      static_cast<std::size_t>(std::accumulate(lengths.begin(), lengths.end(), std::int64_t{0})));
  built_.grid.col_comm.allgatherv<std::byte>(own, lengths, packed_lists_);
  std::size_t at = 0;
  for (std::size_t piece = 0; piece < told.size(); ++piece) {
    const auto length = static_cast<std::size_t>(lengths[piece]);
    unpack_visited(static_cast<int>(piece), static_cast<VisitedForm>(told[piece] % forms),
                   std::span(packed_lists_).subspan(at, length));
    at += length;
  }
}

void GridSearch::unpack_visited(int piece, VisitedForm form, std::span<const std::byte> bytes) {
  const GridLayout& layout = built_.graph.layout;
  const auto k = static_cast<std::size_t>(piece);
  const std::size_t first = layout.col_offset[k] / word_bits;
  const std::span<Word> words =
      visited_cols_.span().subspan(first, layout.col_offset[k + 1] / word_bits - first);
  if (form == VisitedForm::bitmap) {
    std::memcpy(words.data(), bytes.data(), bytes.size());
    return;
  }
  std::fill(words.begin(), words.end(), Word{0});
  const bool unvisited = form == VisitedForm::list_of_unvisited;
  if (unvisited) {
    const std::size_t searched = layout.searched[static_cast<std::size_t>(layout.block_of_col_piece(piece))];
    std::fill_n(words.begin(), searched / word_bits, ~Word{0});
    if (searched % word_bits != 0) words[searched / word_bits] = (Word{1} << (searched % word_bits)) - 1;
  }
  sorted_frontier_.clear();
  unpack_ascending(bytes, sorted_frontier_);
  for (const std::uint32_t v : sorted_frontier_) words[v / word_bits] ^= Word{1} << (v % word_bits);
}

}  // namespace isobath
