// SPDX-License-Identifier: Apache-2.0
#include "bfs/hybrid/told_hubs.hpp"

#include <algorithm>
#include <bit>

namespace isobath {

ToldHubs::ToldHubs(const Hubs& hubs, const GridLayout& layout, const Communicator& row_comm)
    : hubs_(hubs),
      own_col_(static_cast<std::size_t>(layout.grid_col())),
      collect_(collect_hub_bits_step(best_instruction_set())),
      visited_(hubs.num_words() + 1),
      column_now_(piece(own_col_).size()),
      pieces_(row_comm) {}

void ToldHubs::reset() {
  clear_words(visited_.span());
  num_visited_ = 0;
}

std::int64_t ToldHubs::own_visited_hubs(const Word* visited) const {
  std::int64_t count = 0;
  for (const HubWord& word : hubs_.own_hub_words) count += std::popcount(visited[word.at] & word.hubs);
  return count;
}

bool ToldHubs::tell(const Word* visited_cols, std::optional<std::int64_t> visited_hubs) {
  if (visited_hubs && *visited_hubs == num_visited_) return false;  // none is new
  if (visited_hubs && *visited_hubs == hubs_.count) return know_all();
  // The bits of the hubs among those of the columns, moved together.
  collect_(hubs_.column_hub_words, visited_cols, column_now_.data());
  return tell_column();
}

bool ToldHubs::note_start(const Location& start) {
  const auto owner = static_cast<std::size_t>(start.owner);
  // A rank's hubs are its first working numbers, in the order of their hub numbers (by_falling_degree()): so
  // adding turns one into the other.
  const std::uint64_t hub = hubs_.offset[owner] + static_cast<std::uint64_t>(start.working);
  // Past the rank's hubs it is no hub; -1 is padding to a whole word.
  if (hub >= hubs_.offset[owner + 1] || hubs_.original[hub] < 0) return false;
  set_bit(visited_.span(), hub);
  num_visited_ = 1;
  return true;
}

bool ToldHubs::tell_frontier(std::span<const std::uint32_t> columns, std::int64_t visited_hubs) {
  if (visited_hubs == num_visited_) return false;
  if (visited_hubs == hubs_.count) return know_all();
  std::ranges::copy(piece(own_col_), column_now_.begin());  // there are no visited_cols top-down
  for (const std::uint32_t column : columns) {
    if (const auto hub = hubs_.followers.hub_of(column)) set_bit(column_now_, *hub);
  }
  return tell_column();
}

bool ToldHubs::know_all() {
  for (std::size_t col = 0; col < hubs_.count_of_col.size(); ++col) {
    set_first(piece(col), hubs_.count_of_col[col]);
  }
  num_visited_ = hubs_.count;
  return true;
}

/// Collective along the grid row: each of its ranks tells column_now_.
bool ToldHubs::tell_column() {
  const std::int64_t before = num_visited_;
  const std::int64_t bytes = std::ssize(std::as_bytes(std::span(column_now_)));  // a list is sent if shorter
  pieces_.gather({column_now_, piece(own_col_), hubs_.count_of_col[own_col_]},
                 {.most_bytes = bytes - 1, .prefers_new = false});
  for (std::size_t col = 0; col < pieces_.count(); ++col) {
    pieces_.unpack(col, piece(col), hubs_.count_of_col[col]);
  }
  num_visited_ = static_cast<std::int64_t>(count_bits(visited_.span()));
  return num_visited_ != before;
}

std::span<Word> ToldHubs::piece(std::size_t col) {
  const std::size_t first = hubs_.first_of_col[col] / word_bits;
  return visited_.span().subspan(first, hubs_.first_of_col[col + 1] / word_bits - first);
}

}  // namespace isobath
