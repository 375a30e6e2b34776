// SPDX-License-Identifier: Apache-2.0
#include "bfs/hybrid/told_hubs.hpp"

#include <algorithm>
#include <bit>

#include "bfs/proposal_codec.hpp"

namespace isobath {
namespace {

/// The first `count` bits of a piece are set, the others not.
void set_first(std::span<Word> words, std::size_t count) {
  for (std::size_t w = 0; w < words.size(); ++w) {
    const std::size_t left = count - std::min(count, w * word_bits);
    words[w] = left >= word_bits ? ~Word{0} : (Word{1} << left) - 1;
  }
}

}  // namespace

ToldHubs::ToldHubs(const Hubs& hubs, const GridLayout& layout, const Communicator& row_comm)
    : hubs_(hubs),
      row_comm_(row_comm),
      own_col_(static_cast<std::size_t>(layout.grid_col())),
      collect_(collect_hub_bits_step(best_instruction_set())),
      visited_(hubs.num_words() + 1),
      column_now_(piece(own_col_).size()) {}

void ToldHubs::reset() {
  clear_words(visited_.span());
  num_visited_ = 0;
}

std::int64_t ToldHubs::own_visited_hubs(const Word* visited) const {
  std::int64_t count = 0;
  for (const HubWord& word : hubs_.own_words) count += std::popcount(visited[word.at] & word.hubs);
  return count;
}

bool ToldHubs::tell(const Word* visited_cols, std::optional<std::int64_t> visited_hubs) {
  if (visited_hubs && *visited_hubs == num_visited_) return false;  // none is new
  if (visited_hubs && *visited_hubs == hubs_.count) {
    set_all();
    return true;
  }
  const std::int64_t before = num_visited_;
  collect_(hubs_.words_in_column, visited_cols, column_now_.data());
  exchange();
  num_visited_ = static_cast<std::int64_t>(count_bits(visited_.span()));
  return num_visited_ != before;
}

std::span<Word> ToldHubs::piece(std::size_t col) {
  const std::size_t first = hubs_.first_of_col[col] / word_bits;
  return visited_.span().subspan(first, hubs_.first_of_col[col + 1] / word_bits - first);
}

void ToldHubs::set_all() {
  for (std::size_t col = 0; col < hubs_.count_of_col.size(); ++col) {
    set_first(piece(col), hubs_.count_of_col[col]);
  }
  num_visited_ = hubs_.count;
}

/// Packs a list of the newly visited hubs of the grid column, or of the unvisited, whichever are fewer. Where
/// the list is not shorter than a bit for each, says that the bits travel.
ToldHubs::Form ToldHubs::pack_column() {
  const std::span<const Word> told = piece(own_col_);
  const std::size_t most = column_now_.size() * sizeof(Word);
  const std::size_t visited = count_bits(column_now_);
  const std::size_t fresh = visited - count_bits(told);
  const std::size_t unvisited = hubs_.count_of_col[own_col_] - visited;
  if (std::min(fresh, unvisited) >= most) return Form::bits;  // a list takes a byte for each at the least
  const Form form = fresh <= unvisited ? Form::list_of_new : Form::list_of_unvisited;
  std::vector<Word> listed(column_now_.size());
  if (form == Form::list_of_unvisited) set_first(listed, hubs_.count_of_col[own_col_]);
  for (std::size_t w = 0; w < listed.size(); ++w) {
    listed[w] = form == Form::list_of_new ? column_now_[w] & ~told[w] : listed[w] & ~column_now_[w];
  }
  numbers_.clear();
  for_each_bit(listed, [&](std::size_t bit) { numbers_.push_back(static_cast<std::uint32_t>(bit)); });
  packed_.clear();
  pack_ascending(numbers_, packed_);
  return packed_.size() < most ? form : Form::bits;
}

void ToldHubs::exchange() {
  const Form own_form = pack_column();
  const std::span<const std::byte> mine = own_form == Form::bits
                                              ? std::as_bytes(std::span<const Word>(column_now_))
                                              : std::span<const std::byte>(packed_);
  pieces_.gather(row_comm_, own_form, mine);
  for (std::size_t col = 0; col < pieces_.count(); ++col) {
    unpack(col, pieces_.form_of(col), pieces_.of(col));
  }
}

void ToldHubs::unpack(std::size_t col, Form form, std::span<const std::byte> bytes) {
  const std::span<Word> words = piece(col);
  if (form == Form::bits) {
    std::ranges::copy(bytes, std::as_writable_bytes(words).begin());  // none where the column has no hubs
    return;
  }
  if (form == Form::list_of_unvisited) set_first(words, hubs_.count_of_col[col]);
  numbers_.clear();
  unpack_ascending(bytes, numbers_);
  // Sets newly visited hubs in what was told before; clears unvisited ones where all were set above.
  for (const std::uint32_t hub : numbers_) words[hub / word_bits] ^= Word{1} << (hub % word_bits);
}

}  // namespace isobath
