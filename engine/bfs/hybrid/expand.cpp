// SPDX-License-Identifier: Apache-2.0
#include "bfs/hybrid/expand.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <numeric>

#include "bfs/proposal_codec.hpp"

namespace isobath {
namespace {

std::size_t sum(std::span<const std::int64_t> lengths) {
  return static_cast<std::size_t>(std::accumulate(lengths.begin(), lengths.end(), std::int64_t{0}));
}

}  // namespace

Expand::Expand(const Graph& graph, const Communicator& col_comm, FrontierForm form)
    : graph_(graph),
      layout_(graph.layout),
      col_comm_(col_comm),
      form_(form),
      words_of_piece_(layout_.words_of_col_pieces()),
      frontier_pieces_(col_comm),
      visited_pieces_(col_comm) {
  if (sends()) visited_cols_ = LargeArray<Word>(layout_.col_words());
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
    gather_packed(own);
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
  leave_out_unread(0);  // unlike the packed form, only after the whole list has been received
}

void Expand::gather_bitmap(std::span<const std::uint32_t> own) {
  frontier_words_.assign(layout_.num_cols() / word_bits, 0);
  const std::span<Word> all = frontier_words_;
  const std::span<Word> mine = all.subspan(layout_.own_col() / word_bits, layout_.own_words());
  for (const std::uint32_t vertex : own) set_bit(mine, vertex);
  col_comm_.allgatherv<Word>(mine, words_of_piece_, all);
  for (std::size_t piece = 0; piece < words_of_piece_.size(); ++piece) {
    const std::uint32_t first = layout_.col_offset[piece];
    append_bits(all.subspan(first / word_bits, static_cast<std::size_t>(words_of_piece_[piece])), first);
  }
}

/// Every rank sends its piece as a packed list, or as bits where these are shorter.
void Expand::gather_packed(std::span<const std::uint32_t> own) {
  if (pack_list(own)) {
    frontier_pieces_.gather(packed_, as_list);
  } else {
    own_bits_.assign(layout_.own_words(), 0);
    for (const std::uint32_t vertex : own) set_bit(own_bits_, vertex);
    frontier_pieces_.gather(std::as_bytes(std::span(own_bits_)), as_bits);
  }
  if (graph_.has_hypersparse_cols) reserve_columns();
  for (std::size_t piece = 0; piece < frontier_pieces_.count(); ++piece) append_columns(piece);
}

/// False where bits are shorter: surely where even a byte for each would be longer.
bool Expand::pack_list(std::span<const std::uint32_t> own) {
  const std::size_t bitmap_bytes = layout_.own_words() * sizeof(Word);
  if (own.size() > bitmap_bytes) return false;
  listed_.assign(own.begin(), own.end());
  std::sort(listed_.begin(), listed_.end());
  packed_.clear();
  pack_ascending(listed_, packed_);
  return packed_.size() <= bitmap_bytes;
}

/// Reserves room for all that arrived, so that the vector never reallocates (for a moment it would be in
/// memory twice). Pages never written take no memory.
void Expand::reserve_columns() {
  std::size_t most = 0;
  for (std::size_t piece = 0; piece < frontier_pieces_.count(); ++piece) most += most_columns(piece);
  columns_.reserve(most);
}

/// Upper bound: a packed list has at least one byte for each.
std::size_t Expand::most_columns(std::size_t piece) const {
  const std::span<const std::byte> bytes = frontier_pieces_.of(piece);
  if (frontier_pieces_.form_of(piece) == as_list) return bytes.size();
  std::size_t set = 0;
  for (const std::byte byte : bytes) {
    set += static_cast<std::size_t>(std::popcount(std::to_integer<unsigned char>(byte)));
  }
  return set;
}

void Expand::append_columns(std::size_t piece) {
  const std::span<const std::byte> bytes = frontier_pieces_.of(piece);
  const std::uint32_t first = layout_.col_offset[piece];
  if (frontier_pieces_.form_of(piece) == as_bits) {
    frontier_words_.resize(bytes.size() / sizeof(Word));
    std::ranges::copy(bytes, std::as_writable_bytes(std::span(frontier_words_)).begin());
    return append_bits(frontier_words_, first);
  }
  const std::size_t before = columns_.size();
  unpack_ascending(bytes, columns_);
  for (std::size_t i = before; i < columns_.size(); ++i) columns_[i] += first;
  leave_out_unread(before);
}

/// @param words  a piece of the columns
void Expand::append_bits(std::span<const Word> words, std::uint32_t first_col) {
  const std::size_t before = columns_.size();
  for_each_bit(
      words, [&](std::size_t vertex) { columns_.push_back(first_col + static_cast<std::uint32_t>(vertex)); });
  leave_out_unread(before);
}

/// Of columns_ from `first` on.
void Expand::leave_out_unread(std::size_t first) {
  if (!graph_.has_hypersparse_cols) return;
  const PlacedBits& with_arc = graph_.hypersparse_by_source.existing();
  const HubFollowers& followers = graph_.hubs.followers;
  const bool tells_hubs = followers.have_families();
  const auto is_unread = [&](std::uint32_t col) {
    return !with_arc.contains(col) && !(tells_hubs && followers.hub_of(col));
  };
  const auto begin = columns_.begin() + static_cast<std::ptrdiff_t>(first);
  columns_.erase(std::remove_if(begin, columns_.end(), is_unread), columns_.end());
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

/// Every rank sends its piece as a bitmap, or as a list of all that is visited in it: `before` is empty, so
/// that a list "of the newly set" has them all; or of what is not. A list takes at most half the bytes of
/// the bitmap: beyond that, reading it takes longer than reading bits.
void Expand::gather_visited_packed(std::span<const Word> own) {
  const std::span<const Word> now = own.first(layout_.own_words());
  const std::int64_t bitmap_bytes = std::ssize(std::as_bytes(now));
  visited_pieces_.gather({.now = now, .before = {}, .count = layout_.own_searched()},
                         {.most_bytes = bitmap_bytes / 2, .prefers_new = true});
  for (std::size_t piece = 0; piece < visited_pieces_.count(); ++piece) {
    const std::span<Word> words = visited_cols_.span().subspan(
        layout_.col_offset[piece] / word_bits, static_cast<std::size_t>(words_of_piece_[piece]));
    if (visited_pieces_.form_of(piece) == BitsOrLists::Form::list_of_new) std::ranges::fill(words, Word{0});
    const auto block = static_cast<std::size_t>(layout_.block_of_col_piece(static_cast<int>(piece)));
    visited_pieces_.unpack(piece, words, layout_.searched[block]);
  }
}

}  // namespace isobath
