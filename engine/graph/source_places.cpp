// SPDX-License-Identifier: Apache-2.0
#include "graph/source_places.hpp"

#include <utility>

namespace isobath {

SourcePlaces::SourcePlaces(std::size_t size, std::uint32_t count, std::span<const Placed> placed)
    : place_(placed.size() + 1) {
  LargeArray<Word> has_place(words_for(size));
  for (const Placed& each : placed) set_bit(has_place.span(), each.source);
  has_place_ = PlacedBits(std::move(has_place));
  place_[0] = count;
  for (const Placed& each : placed) place_[1 + has_place_.members_below(each.source)] = each.place;
}

}  // namespace isobath
