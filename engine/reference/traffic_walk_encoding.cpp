// SPDX-License-Identifier: Apache-2.0
#include "reference/traffic_walk_encoding.hpp"

namespace isobath::reference {
namespace {

std::int64_t divided_up(std::int64_t value, std::int64_t by) { return (value + by - 1) / by; }

}  // namespace

std::int64_t bitmap_words(std::int64_t vertices) { return divided_up(vertices, 512) * 8; }

std::int64_t summary_bytes(std::int64_t vertices) { return 8 * divided_up(bitmap_words(vertices), 64); }

std::int64_t packed_number_bytes(std::uint64_t number) {
  std::int64_t bytes = 1;
  for (; number >= 128; number /= 128) ++bytes;
  return bytes;
}

std::int64_t packed_list_bytes(std::span<const std::uint32_t> ascending) {
  std::int64_t bytes = 0;
  for (std::size_t i = 0; i < ascending.size(); ++i) {
    bytes += packed_number_bytes(i == 0 ? ascending[0] : ascending[i] - ascending[i - 1] - 1);
  }
  return bytes;
}

std::int64_t packed_pairs_bytes(std::span<const std::uint32_t> ascending_targets, int source_bits) {
  if (ascending_targets.empty()) return 0;
  const auto pairs = static_cast<std::int64_t>(ascending_targets.size());
  return packed_number_bytes(ascending_targets.size()) + packed_list_bytes(ascending_targets) +
         divided_up(pairs * source_bits, 8);
}

int bits_for(std::int64_t values) {
  int bits = 0;
  while ((std::int64_t{1} << bits) < values) ++bits;
  return bits;
}

}  // namespace isobath::reference
