// SPDX-License-Identifier: Apache-2.0
#include "validate/level_rounds.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include "validate/level_bits.hpp"

namespace isobath {
namespace {

static_assert(DealtRows::block == word_bits, "a word has the rows of one block");

constexpr std::size_t lanes = 16;
constexpr std::array<std::uint16_t, lanes> bit_of_lane = [] {
  std::array<std::uint16_t, lanes> bits{};
  for (std::size_t i = 0; i < lanes; ++i) bits[i] = static_cast<std::uint16_t>(1U << i);
  return bits;
}();

/// Gives `level` to those of 64 vertices outside that have a bit. Without a branch, so that the compiler
/// makes vectors of it.
void give_level(Word vertices, std::uint16_t level, std::uint16_t* levels) {
  const auto change = static_cast<std::uint16_t>(level ^ level_bits::outside);
  for (std::size_t first = 0; first < word_bits; first += lanes) {
    const auto bits = static_cast<std::uint16_t>(vertices >> first);
#pragma omp simd
    for (std::size_t i = 0; i < lanes; ++i) {
      const bool has_bit = (bits & bit_of_lane[i]) == bit_of_lane[i];
      levels[first + i] ^= static_cast<std::uint16_t>(has_bit ? change : 0);
    }
  }
}

}  // namespace

LevelRounds::LevelRounds(const Communicator& world, const DealtRows& dealt, std::size_t num_places)
    : world_(world), dealt_(dealt), on_level_(words_for(num_places)), gathered_(words_for(num_places)) {
  for (int rank = 0; rank < world.size(); ++rank) {
    words_of_ranks_.push_back(static_cast<std::int64_t>(words_for(dealt.rows_of(rank, num_places))));
  }
  const auto own = static_cast<std::size_t>(words_of_ranks_[static_cast<std::size_t>(world.rank())]);
  waiting_ = LargeArray<Word>(own);
  reached_ = LargeArray<Word>(own);
}

bool LevelRounds::find(std::uint32_t root, std::span<const std::uint32_t> parents, bool is_wrong,
                       std::span<std::uint16_t> levels) {
#pragma omp parallel for schedule(static)
  for (std::size_t place = 0; place < levels.size(); ++place) levels[place] = level_bits::outside;
  levels[root] = level_bits::of(0);
  clear_words(on_level_.span());
  set_bit(on_level_.span(), root);
  begin(parents);
  if (dealt_.is_here(root)) {
    const std::uint32_t row = dealt_.row_of(root);
    is_wrong = is_wrong || parents[row] != root;
    waiting_[row / word_bits] &= ~(Word{1} << row % word_bits);
  }
  for (int level = 1; level <= level_bits::deepest; ++level) {
    News mine = advance(parents);
    mine.is_wrong = is_wrong ? 1 : 0;
    const Progress progress = tell(mine);
    if (progress.is_wrong) return false;
    mark(level_bits::of(level), levels);
    if (progress.is_complete) return true;
    if (!progress.goes_on) return false;
  }
  return false;
}

/// All rows with a parent wait.
void LevelRounds::begin(std::span<const std::uint32_t> parents) {
#pragma omp parallel for schedule(static)
  for (std::size_t word = 0; word < waiting_.size(); ++word) {
    const auto rows =
        parents.subspan(word * word_bits, std::min(word_bits, parents.size() - word * word_bits));
    Word waiting = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      waiting |= Word{rows[i] != EdgeCopy::no_place ? 1U : 0U} << i;
    }
    waiting_[word] = waiting;
  }
}

/// Rows here whose parent is on the level before.
LevelRounds::News LevelRounds::advance(std::span<const std::uint32_t> parents) {
  const std::span<const Word> on_level = on_level_.span();
  std::uint32_t waiting = 0;
  std::uint32_t reached = 0;
#pragma omp parallel for schedule(static) reduction(+ : waiting, reached)
  for (std::size_t word = 0; word < waiting_.size(); ++word) {
    const std::uint32_t* const rows = parents.data() + word * word_bits;
    Word now = 0;
    for (Word left = waiting_[word]; left != 0; left &= left - 1) {
      const int i = std::countr_zero(left);
      now |= Word{test_bit(on_level, rows[i]) ? 1U : 0U} << i;
    }
    reached_[word] = now;
    waiting_[word] &= ~now;
    waiting += static_cast<std::uint32_t>(std::popcount(waiting_[word]));
    reached += static_cast<std::uint32_t>(std::popcount(now));
  }
  News news{.waiting = waiting, .reached = reached};
  if (reached > 0 && reached <= News::longest_list) {
    auto next = news.rows.begin();
    for_each_bit(reached_.span(), [&](std::size_t row) { *next++ = static_cast<std::uint32_t>(row); });
  }
  return news;
}

/// Collective. The new level of all ranks; how things stand.
LevelRounds::Progress LevelRounds::tell(const News& mine) {
  const std::vector<News> of_ranks = world_.allgather(mine);
  std::uint64_t waiting = 0;
  std::uint32_t most_reached = 0;
  Progress progress;
  for (const News& news : of_ranks) {
    progress.is_wrong = progress.is_wrong || news.is_wrong != 0;
    waiting += news.waiting;
    most_reached = std::max(most_reached, news.reached);
  }
  progress.is_complete = waiting == 0;
  progress.goes_on = waiting > 0 && most_reached > 0;
  if (progress.is_wrong) return progress;
  if (most_reached > News::longest_list) {
    gather_reached();
    return progress;
  }
  clear_words(on_level_.span());
  for (int rank = 0; rank < world_.size(); ++rank) {
    const News& news = of_ranks[static_cast<std::size_t>(rank)];
    const DealtRows of_rank{static_cast<std::uint32_t>(rank), dealt_.ranks};
    for (std::uint32_t i = 0; i < news.reached; ++i) {
      set_bit(on_level_.span(), of_rank.place_of(news.rows[i]));
    }
  }
  return progress;
}

/// Collective. Words of ranks, in turn, are those of all places.
void LevelRounds::gather_reached() {
  world_.allgatherv<Word>(reached_.span(), words_of_ranks_, gathered_.span());
  const auto ranks = static_cast<std::size_t>(world_.size());
  const Word* next = gathered_.data();
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    for (std::size_t word = rank; word < on_level_.size(); word += ranks) on_level_[word] = *next++;
  }
}

void LevelRounds::mark(std::uint16_t level, std::span<std::uint16_t> levels) const {
#pragma omp parallel for schedule(static)
  for (std::size_t word = 0; word < on_level_.size(); ++word) {
    if (on_level_[word] != 0) give_level(on_level_[word], level, levels.data() + word * word_bits);
  }
}

}  // namespace isobath
