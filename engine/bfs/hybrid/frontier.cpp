// SPDX-License-Identifier: Apache-2.0
#include "bfs/hybrid/frontier.hpp"

#include <algorithm>
#include <bit>

#include "base/threads.hpp"

namespace isobath {
namespace {

/// While a search has reached no more own vertices than this, they are remembered one by one (tiny
/// components). A list of no more is also summed by one thread.
constexpr std::size_t most_listed = 4096;

}  // namespace

Frontier::Frontier(const Graph& graph)
    : degree_(graph.numbering.degree.data()),
      num_heavy_(graph.numbering.num_heavy()),
      words_(graph.layout.own_words()),
      visited_(words_ + piece_bits / word_bits),
      before_or_after_(words_ + piece_bits / word_bits),
      list_(graph.layout.own_searched()),
      listed_before_(static_cast<std::size_t>(max_threads()) + 1) {
  clear_words(before_or_after_.span());  // first touch
  all_reached_.reserve(most_listed);
}

void Frontier::reset() {
  clear_words(visited_.span());
  size_ = 0;
  is_list_ = true;
  all_reached_.clear();
  all_reached_is_complete_ = true;
}

void Frontier::begin_at(std::uint32_t working) {
  mark(working);
  list_[0] = working;
  set_list(1);
}

/// The frontier that this replaces is in all_reached_ only if it was a list: set_list() puts it there.
void Frontier::advance() {
  all_reached_is_complete_ = all_reached_is_complete_ && is_list_;
  is_list_ = false;
  std::swap(visited_, before_or_after_);
}

void Frontier::set_list(std::size_t size) {
  size_ = size;
  is_list_ = true;
  all_reached_is_complete_ = all_reached_is_complete_ && all_reached_.size() + size <= most_listed;
  if (all_reached_is_complete_) all_reached_.insert(all_reached_.end(), list_.begin(), list_.begin() + size);
}

/// Every thread lists its share of the words behind what those before it list.
void Frontier::make_list() {
  if (is_list_) return;
  std::vector<std::size_t>& first = listed_before_;
  std::fill(first.begin(), first.end(), 0);
#pragma omp parallel
  {
    const auto [begin, end] = static_share(static_cast<std::int64_t>(words_), thread_id(), num_threads());
    const auto me = static_cast<std::size_t>(thread_id());
    std::size_t count = 0;
    for (auto w = static_cast<std::size_t>(begin); w < static_cast<std::size_t>(end); ++w) {
      count += static_cast<std::size_t>(std::popcount(visited_[w] & ~before_or_after_[w]));
    }
    first[me + 1] = count;
#pragma omp barrier
#pragma omp single
    for (std::size_t t = 1; t < first.size(); ++t) first[t] += first[t - 1];
    std::size_t at = first[me];
    for (auto w = static_cast<std::size_t>(begin); w < static_cast<std::size_t>(end); ++w) {
      for_each_bit(visited_[w] & ~before_or_after_[w], static_cast<std::uint32_t>(w * word_bits),
                   [&](std::uint32_t v) { list_[at++] = v; });
    }
  }
  set_list(first.back());
}

std::int64_t Frontier::arcs() const {
  if (!is_list_) return arcs_of_words(words_);
  std::int64_t arcs = 0;
#pragma omp parallel for schedule(static) reduction(+ : arcs) if (size_ > most_listed)
  for (std::size_t i = 0; i < size_; ++i) arcs += degree_[list_[i]];
  return arcs;
}

/// Counts whole words: lighter vertices in the last heavy word are included. Still no more than arcs().
std::int64_t Frontier::heavy_arcs() const { return arcs_of_words(words_for(num_heavy_)); }

/// Of the frontier as bitmaps, in the first words.
std::int64_t Frontier::arcs_of_words(std::size_t words) const {
  constexpr std::size_t worth_a_team = 2048;
  std::int64_t arcs = 0;
#pragma omp parallel for schedule(static) reduction(+ : arcs) if (words > worth_a_team)
  for (std::size_t w = 0; w < words; ++w) {
    for_each_bit(visited_[w] & ~before_or_after_[w], w * word_bits,
                 [&](std::size_t v) { arcs += degree_[v]; });
  }
  return arcs;
}

std::int64_t Frontier::count() const {
  std::int64_t count = 0;
  for (std::size_t w = 0; w < words_; ++w) count += std::popcount(visited_[w] & ~before_or_after_[w]);
  return count;
}

std::optional<std::span<const std::uint32_t>> Frontier::all_reached_if_few() const {
  if (!all_reached_is_complete_ || !is_list_) return std::nullopt;
  return all_reached_;
}

}  // namespace isobath
