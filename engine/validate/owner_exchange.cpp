// SPDX-License-Identifier: Apache-2.0
#include "validate/owner_exchange.hpp"

#include <algorithm>

#include "base/narrow.hpp"

namespace isobath {
namespace {

/// 2^18 questions where ranks are few; about 2^22 in sight of one rank where they are many.
std::size_t chunk_for(int ranks) {
  constexpr std::size_t largest = std::size_t{1} << 18;
  constexpr std::size_t smallest = std::size_t{1} << 10;
  return std::clamp((std::size_t{1} << 22) / static_cast<std::size_t>(ranks), smallest, largest);
}

}  // namespace

OwnerExchange::OwnerExchange(const Communicator& world, const BlockPartition& partition)
    : world_(world), partition_(partition), chunk_(chunk_for(world.size())), groups_(world) {
  narrow<std::uint32_t>(std::max<std::int64_t>(partition.max_size() - 1, 0),
                        "a rank's share of the vertices");
}

std::int64_t OwnerExchange::rounds(std::int64_t count) const {
  const auto chunk = static_cast<std::int64_t>(chunk_);
  return world_.max((count + chunk - 1) / chunk);
}

}  // namespace isobath
