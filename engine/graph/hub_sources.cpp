// SPDX-License-Identifier: Apache-2.0
#include "graph/hub_sources.hpp"

#include <utility>

namespace isobath {

HubSources::HubSources(const NamedHubs& named, int grid_col, std::int64_t first, std::int64_t size) {
  const Hubs& hubs = named.hubs;
  const auto col = static_cast<std::size_t>(grid_col);
  const std::uint32_t begin = hubs.first_of_col[col];
  const std::uint32_t count = hubs.count_of_col[col];
  const auto source_of = [&](std::uint32_t hub) {
    return static_cast<std::size_t>(hubs.original[hub] - first);
  };
  LargeArray<Word> is_hub(words_for(static_cast<std::size_t>(size)));
  for (std::uint32_t hub = begin; hub < begin + count; ++hub) set_bit(is_hub.span(), source_of(hub));
  is_hub_ = PlacedBits(std::move(is_hub));
  place_.resize(std::size_t{count} + 1);
  place_[0] = static_cast<std::uint32_t>(named.by_degree.size());
  for (std::uint32_t place = 0; place < place_[0]; ++place) {
    const std::uint32_t hub = named.by_degree[place];
    if (hub - begin < count) place_[1 + is_hub_.members_below(source_of(hub))] = place;
  }
}

}  // namespace isobath
