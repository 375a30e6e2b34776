// SPDX-License-Identifier: Apache-2.0
#include "validate/owner_exchange.hpp"

#include <algorithm>

#include "base/narrow.hpp"

namespace isobath {

OwnerExchange::OwnerExchange(const Communicator& world, const BlockPartition& partition,
                             std::optional<ExchangeLimits> limits)
    : world_(world),
      partition_(partition),
      limits_(limits.value_or(ExchangeLimits::of(world.size()))),
      groups_(world) {
  ISOBATH_EXPECTS(limits_.chunk >= 4 && limits_.arriving > 0);
  ISOBATH_EXPECTS(limits_.chunk % 2 == 0);  // half as many edges, whose rounds are those of their ends
  narrow<std::uint32_t>(std::max<std::int64_t>(partition.max_size() - 1, 0),
                        "a rank's share of the vertices");
}

std::int64_t OwnerExchange::rounds(std::int64_t count) const {
  return world_.max((count + limits_.chunk - 1) / limits_.chunk);
}

/// Collective. As many parts as keep what reaches the busiest rank within the limit.
int OwnerExchange::parts_of(const ExchangeCounts& counts) const {
  if (limits_.chunk * world_.size() <= limits_.arriving) return 1;  // whoever is addressed
  const std::int64_t most = world_.max(counts.receive_total);
  return static_cast<int>(std::max<std::int64_t>(1, (most + limits_.arriving - 1) / limits_.arriving));
}

/// What of a chunk travels in one part: an equal share of what goes from each rank to each. Both know it
/// without another word. What is sent lies where it lay; what arrives lies by sender without a gap.
ExchangeCounts OwnerExchange::part_of_exchange(const ExchangeCounts& counts, int part, int parts) {
  if (parts == 1) return counts;
  ExchangeCounts of_part = counts;
  of_part.receive_total = 0;
  for (std::size_t rank = 0; rank < counts.send_counts.size(); ++rank) {
    const auto [first, end] = static_share(counts.send_counts[rank], part, parts);
    of_part.send_counts[rank] = end - first;
    of_part.send_offsets[rank] += first;
    const auto [first_arriving, end_arriving] = static_share(counts.receive_counts[rank], part, parts);
    of_part.receive_counts[rank] = end_arriving - first_arriving;
    of_part.receive_offsets[rank] = of_part.receive_total;
    of_part.receive_total += of_part.receive_counts[rank];
  }
  return of_part;
}

}  // namespace isobath
