// SPDX-License-Identifier: Apache-2.0
#include "validate/row_delivery.hpp"

#include <numeric>

namespace isobath {

RowDelivery::RowDelivery(const Communicator& world, const DealtRows& dealt,
                         std::span<const std::uint32_t> own_places)
    : world_(world), slots_(own_places.size()) {
  std::vector<std::int64_t> leaving(static_cast<std::size_t>(world.size()));
  for (const std::uint32_t place : own_places) {
    if (place != EdgeCopy::no_place) ++leaving[static_cast<std::size_t>(dealt.rank_of(place))];
  }
  counts_ = world.exchange_counts(leaving);
  std::vector<std::int64_t> next = counts_.send_offsets;
  const auto nowhere = std::accumulate(leaving.begin(), leaving.end(), std::int64_t{0});
  leaving_ = LargeArray<std::uint32_t>(static_cast<std::size_t>(nowhere) + 1);
  arriving_ = LargeArray<std::uint32_t>(static_cast<std::size_t>(counts_.receive_total));
  rows_ = LargeArray<std::uint32_t>(arriving_.size());
  for (std::size_t v = 0; v < own_places.size(); ++v) {
    const std::uint32_t place = own_places[v];
    const bool has_place = place != EdgeCopy::no_place;
    const std::int64_t slot = has_place ? next[static_cast<std::size_t>(dealt.rank_of(place))]++ : nowhere;
    slots_[v] = static_cast<std::uint32_t>(slot);
    if (has_place) leaving_[slots_[v]] = dealt.row_of(place);
  }
  world.alltoallv<std::uint32_t>(leaving_.span(), counts_, rows_.span());
}

void RowDelivery::deliver(std::span<std::uint32_t> by_row) {
  world_.alltoallv<std::uint32_t>(leaving_.span(), counts_, arriving_.span());
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < arriving_.size(); ++i) by_row[rows_[i]] = arriving_[i];
}

}  // namespace isobath
