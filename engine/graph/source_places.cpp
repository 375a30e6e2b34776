// SPDX-License-Identifier: Apache-2.0
#include "graph/source_places.hpp"

#include <algorithm>
#include <utility>

namespace isobath {

SourcePlaces::SourcePlaces(std::size_t size, std::uint32_t count, std::span<const Placed> placed,
                           std::size_t most_bits)
    : are_few_(size > most_bits && 64 * placed.size() < size), place_(placed.size() + 1) {
  place_[0] = count;
  const auto note = [&](const auto& members) {
    for (const Placed& each : placed) place_[1 + members.members_below(each.source)] = each.place;
  };
  if (are_few_) {
    std::vector<std::size_t> sources;
    for (const Placed& each : placed) sources.push_back(each.source);
    std::ranges::sort(sources);
    few_ = SparseMembers(size, sources);
    note(few_);
  } else {
    LargeArray<Word> has_place(words_for(size));
    for (const Placed& each : placed) set_bit(has_place.span(), each.source);
    bits_ = PlacedBits(std::move(has_place));
    note(bits_);
  }
}

}  // namespace isobath
