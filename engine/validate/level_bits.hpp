// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace isobath::level_bits {

/// Levels as bits, so that those of a row's neighbours are gathered by one "or" each. Bit 14 stays free:
/// outside is no neighbour of any level.
inline constexpr int deepest = 13;
inline constexpr std::uint16_t outside = 1U << 15;

constexpr std::uint16_t of(int level) { return static_cast<std::uint16_t>(1U << level); }

}  // namespace isobath::level_bits
