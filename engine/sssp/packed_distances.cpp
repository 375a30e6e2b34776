// SPDX-License-Identifier: Apache-2.0
#include "sssp/packed_distances.hpp"

namespace isobath {

std::int64_t count_lowered(std::span<const std::uint16_t> lowered) {
  std::int64_t count = 0;
  for (const std::uint16_t rows : lowered) count += std::popcount(rows);
  return count;
}

void write_distances(std::span<const std::uint16_t> lowered, std::int64_t count,
                     std::span<const float> distance, std::byte* out) {
  const std::int64_t vertices = std::ssize(distance);
  switch (form_of_distances(count, vertices)) {
    case DistanceForm::list:
      for_each_lowered(lowered, [&](std::uint32_t vertex) {
        const ListedDistance one{vertex, distance[vertex]};
        std::memcpy(out, &one, sizeof one);
        out += sizeof one;
      });
      return;
    case DistanceForm::bits: {
      const auto bits = static_cast<std::size_t>(bytes_of_bits(vertices));
      std::memset(out, 0, bits);
      std::memcpy(out, lowered.data(), std::min(lowered.size_bytes(), bits));
      out += bits;
      for_each_lowered(lowered, [&](std::uint32_t vertex) {
        std::memcpy(out, &distance[vertex], sizeof(float));
        out += sizeof(float);
      });
      return;
    }
    case DistanceForm::all:
      break;
  }
  std::memcpy(out, distance.data(), distance.size_bytes());
}

}  // namespace isobath
