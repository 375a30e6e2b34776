// SPDX-License-Identifier: Apache-2.0
#include "graph/weight_sort.hpp"

#include <algorithm>
#include <bit>

namespace isobath {
namespace {

constexpr std::uint32_t insertion_limit = 32;

/// Weights that are not negative sort like their bits; the index decides among equal ones.
std::uint64_t key_of(WeightedArc arc) {
  return std::uint64_t{std::bit_cast<std::uint32_t>(arc.weight)} << 32 | arc.to;
}

WeightedArc arc_of(std::uint64_t key) {
  return {static_cast<std::uint32_t>(key), std::bit_cast<float>(static_cast<std::uint32_t>(key >> 32))};
}

void insertion_sort(std::uint64_t* keys, std::uint32_t count) {
  for (std::uint32_t i = 1; i < count; ++i) {
    const std::uint64_t key = keys[i];
    std::uint32_t j = i;
    for (; j > 0 && keys[j - 1] > key; --j) keys[j] = keys[j - 1];
    keys[j] = key;
  }
}

/// Places of even width between the lightest and the heaviest weight, about one for each neighbour.
class Places {
 public:
  Places(float lightest, float heaviest, std::uint32_t count)
      : lightest_(lightest),
        last_(count - 1),
        per_weight_(static_cast<float>(count) / (heaviest - lightest)) {}
  /// Grows with the weight.
  std::uint32_t of(float weight) const {
    const float place = (weight - lightest_) * per_weight_;
    return place < static_cast<float>(last_) ? static_cast<std::uint32_t>(place) : last_;
  }

 private:
  float lightest_;
  std::uint32_t last_;
  float per_weight_;
};

}  // namespace

std::uint32_t WeightSort::operator()(WeightedArc* row, std::uint32_t count) {
  if (count < 2) return count;
  sort(row, count);
  return has_bits(num_indices_, count) ? drop_copies_by_bits(row, count) : drop_copies_by_table(row, count);
}

/// Weights of the benchmark are spread evenly: dealt into as many places as there are, they are nearly
/// sorted. Where other weights crowd into one place, that place is sorted for itself.
void WeightSort::sort(WeightedArc* row, std::uint32_t count) {
  if (keys_.size() < count) keys_.resize(count);
  std::uint64_t* const keys = keys_.data();
  float lightest = row[0].weight;
  float heaviest = lightest;
  for (std::uint32_t i = 1; i < count; ++i) {
    lightest = std::min(lightest, row[i].weight);
    heaviest = std::max(heaviest, row[i].weight);
  }
  if (count <= insertion_limit || !(lightest < heaviest)) {
    for (std::uint32_t i = 0; i < count; ++i) keys[i] = key_of(row[i]);
    if (count <= insertion_limit) {
      insertion_sort(keys, count);
    } else {
      std::sort(keys, keys + count);
    }
  } else {
    const Places places(lightest, heaviest, count);
    places_.assign(count + 1, 0);
    for (std::uint32_t i = 0; i < count; ++i) ++places_[places.of(row[i].weight) + 1];
    for (std::uint32_t place = 0; place < count; ++place) places_[place + 1] += places_[place];
    for (std::uint32_t i = 0; i < count; ++i) keys[places_[places.of(row[i].weight)]++] = key_of(row[i]);
    std::uint32_t begin = 0;  // places_[place] is now the end of the place
    for (std::uint32_t place = 0; place < count; ++place) {
      const std::uint32_t end = places_[place];
      if (end - begin > insertion_limit) {
        std::sort(keys + begin, keys + end);
      } else if (end - begin > 1) {
        insertion_sort(keys + begin, end - begin);
      }
      begin = end;
    }
  }
  for (std::uint32_t i = 0; i < count; ++i) row[i] = arc_of(keys[i]);
}

std::uint32_t WeightSort::drop_copies_by_bits(WeightedArc* row, std::uint32_t count) {
  if (met_.empty()) met_.resize(words_for(num_indices_));
  std::uint32_t kept = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    Word& word = met_[row[i].to / word_bits];
    const Word bit = Word{1} << (row[i].to % word_bits);
    const bool is_first = (word & bit) == 0;
    word |= bit;
    row[kept] = row[i];
    kept += is_first ? 1 : 0;
  }
  for (std::uint32_t i = 0; i < kept; ++i) met_[row[i].to / word_bits] = 0;
  return kept;
}

/// Open addressing: a neighbour lies in the place that its hash names, or the next that was free.
std::uint32_t WeightSort::drop_copies_by_table(WeightedArc* row, std::uint32_t count) {
  constexpr std::uint32_t free = 0xFFFFFFFF;  // no index, for there are fewer
  constexpr std::uint32_t golden = 0x9E3779B9;
  const std::uint64_t slots = table_slots(count);
  if (table_.size() < slots) table_.resize(slots);
  std::fill_n(table_.begin(), slots, free);
  const auto shift = static_cast<std::uint32_t>(32 - std::countr_zero(slots));
  const auto last = static_cast<std::uint32_t>(slots - 1);
  std::uint32_t kept = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint32_t to = row[i].to;
    std::uint32_t slot = (to * golden) >> shift;
    while (table_[slot] != to && table_[slot] != free) slot = (slot + 1) & last;
    const bool is_first = table_[slot] == free;
    table_[slot] = to;
    row[kept] = row[i];
    kept += is_first ? 1 : 0;
  }
  return kept;
}

}  // namespace isobath
