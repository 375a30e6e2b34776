// SPDX-License-Identifier: Apache-2.0
#include "bfs/hybrid/expand.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <numeric>
#include <utility>

#include "bfs/proposal_codec.hpp"

namespace isobath {
namespace {

/// Appends the set bits as indices, counted from `first`.
void list_bits(std::span<const Word> words, std::size_t first, std::vector<std::uint32_t>& list) {
  for_each_bit(words, [&](std::size_t bit) { list.push_back(static_cast<std::uint32_t>(first + bit)); });
}

/// Word w of a bitmap whose first `bits` bits are set.
Word word_of_first(std::size_t bits, std::size_t w) {
  const std::size_t first = w * word_bits;
  return first + word_bits <= bits ? ~Word{0} : first < bits ? (Word{1} << (bits - first)) - 1 : 0;
}

std::size_t sum(std::span<const std::int64_t> lengths) {
  return static_cast<std::size_t>(std::accumulate(lengths.begin(), lengths.end(), std::int64_t{0}));
}

}  // namespace

Expand::Expand(const GridLayout& layout, const Communicator& col_comm, FrontierForm form)
    : layout_(layout), col_comm_(col_comm), form_(form) {
  for (std::size_t k = 0; k + 1 < layout.col_offset.size(); ++k) {
    words_of_piece_.push_back((layout.col_offset[k + 1] - layout.col_offset[k]) /
                              static_cast<std::int64_t>(word_bits));
  }
  if (sends()) visited_cols_ = LargeArray<Word>(layout.col_words());
}

std::span<const std::uint32_t> Expand::start_column(const Location& start) {
  columns_.clear();
  const auto owner = static_cast<int>(start.owner);
  if (layout_.shape.col_of(owner) == layout_.grid_col()) {
    const auto piece = static_cast<std::size_t>(layout_.shape.row_of(owner));
    columns_.push_back(layout_.col_offset[piece] + static_cast<std::uint32_t>(start.working));
  }
  return columns_;
}

std::span<const std::uint32_t> Expand::frontier(std::span<const std::uint32_t> own) {
  if (!sends()) return own;
  columns_.clear();
  if (form_ == FrontierForm::bitmap) {
    gather_bitmap(own);
  } else if (form_ == FrontierForm::packed) {
    listed_.assign(own.begin(), own.end());
    std::sort(listed_.begin(), listed_.end());
    packed_.clear();
    pack_ascending(listed_, packed_);
    const auto bytes = col_comm_.allgather(std::ssize(packed_));
    if (bitmap_is_smaller(static_cast<std::int64_t>(sum(bytes)))) {
      gather_bitmap(own);
    } else {
      gather_packed(bytes);
    }
  } else {  // list, smaller
    gather_list(own);
  }
  return columns_;
}

bool Expand::bitmap_is_smaller(std::int64_t list_bytes) const {
  return std::int64_t{layout_.num_cols()} / 8 < list_bytes;
}

/// The list, 4 bytes a vertex; with FrontierForm::smaller the bitmap where that is less.
void Expand::gather_list(std::span<const std::uint32_t> own) {
  const auto counts = col_comm_.allgather(std::ssize(own));
  const std::size_t total = sum(counts);
  if (form_ == FrontierForm::smaller &&
      bitmap_is_smaller(static_cast<std::int64_t>(total * sizeof(std::uint32_t)))) {
    return gather_bitmap(own);
  }
  listed_.assign(own.begin(), own.end());
  for (std::uint32_t& vertex : listed_) vertex += layout_.own_col();
  columns_.resize(total);
  col_comm_.allgatherv<std::uint32_t>(listed_, counts, columns_);
}

void Expand::gather_bitmap(std::span<const std::uint32_t> own) {
  frontier_words_.assign(layout_.num_cols() / word_bits, 0);
  const std::span<Word> all = frontier_words_;
  const std::span<Word> mine = all.subspan(layout_.own_col() / word_bits, layout_.own_words());
  for (const std::uint32_t vertex : own) set_bit(mine, vertex);
  col_comm_.allgatherv<Word>(mine, words_of_piece_, all);
  list_bits(all, 0, columns_);
}

void Expand::gather_packed(std::span<const std::int64_t> packed_bytes) {
  frontier_pieces_.gather(col_comm_, packed_, packed_bytes);
  for (std::size_t piece = 0; piece < frontier_pieces_.count(); ++piece) {
    const std::size_t first = columns_.size();
    unpack_ascending(frontier_pieces_.of(piece), columns_);
    for (std::size_t i = first; i < columns_.size(); ++i) columns_[i] += layout_.col_offset[piece];
  }
}

const Word* Expand::visited(std::span<const Word> own) {
  if (!sends()) return own.data();
  if (form_ == FrontierForm::packed) {
    gather_visited_packed(own);
  } else {
    col_comm_.allgatherv<Word>(own.first(layout_.own_words()), words_of_piece_,
                               visited_cols_.span().first(layout_.num_cols() / word_bits));
  }
  return visited_cols_.data();
}

/// Packs the own vertices that are visited, or those that are not, where that takes at most half the bytes of
/// the bitmap: beyond that, reading a list takes longer than reading bits.
Expand::VisitedForm Expand::pack_visited(std::span<const Word> own) {
  const std::size_t words = layout_.own_words();
  const std::size_t searched = layout_.own_searched();
  const std::size_t most = words * sizeof(Word) / 2;
  std::size_t visited = 0;
  for (std::size_t w = 0; w < words; ++w) visited += static_cast<std::size_t>(std::popcount(own[w]));
  const bool few_are = visited <= most;  // a list takes a byte for each at the least
  if (!few_are && searched - visited > most) return VisitedForm::bitmap;
  listed_.clear();
  for (std::size_t w = 0; w < words; ++w) {
    const Word word = few_are ? own[w] : ~own[w] & word_of_first(searched, w);
    list_bits({&word, 1}, w * word_bits, listed_);
  }
  packed_.clear();
  pack_ascending(listed_, packed_);
  if (packed_.size() > most) return VisitedForm::bitmap;
  return few_are ? VisitedForm::list_of_visited : VisitedForm::list_of_unvisited;
}

/// Every rank sends its piece in the form that suits it.
void Expand::gather_visited_packed(std::span<const Word> own) {
  const VisitedForm own_form = pack_visited(own);
  const std::span<const std::byte> mine = own_form == VisitedForm::bitmap
                                              ? std::as_bytes(own.first(layout_.own_words()))
                                              : std::span(std::as_const(packed_));
  visited_pieces_.gather(col_comm_, own_form, mine);
  for (std::size_t piece = 0; piece < visited_pieces_.count(); ++piece) {
    unpack_visited(piece, visited_pieces_.form_of(piece), visited_pieces_.of(piece));
  }
}

void Expand::unpack_visited(std::size_t piece, VisitedForm form, std::span<const std::byte> bytes) {
  const std::span<Word> words = visited_cols_.span().subspan(
      layout_.col_offset[piece] / word_bits, static_cast<std::size_t>(words_of_piece_[piece]));
  if (form == VisitedForm::bitmap) {
    std::memcpy(words.data(), bytes.data(), bytes.size());
    return;
  }
  const int block = layout_.block_of_col_piece(static_cast<int>(piece));
  const std::size_t all =
      form == VisitedForm::list_of_unvisited ? layout_.searched[static_cast<std::size_t>(block)] : 0;
  for (std::size_t w = 0; w < words.size(); ++w) words[w] = word_of_first(all, w);
  listed_.clear();
  unpack_ascending(bytes, listed_);
  for (const std::uint32_t v : listed_)
    words[v / word_bits] ^= Word{1} << (v % word_bits);  // sets visited ones, or clears unvisited ones
}

}  // namespace isobath
