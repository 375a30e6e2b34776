// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace isobath {

/// Sorts keys[0 .. count) ascending and, unless they are to be kept, drops duplicates; returns how many
/// remain at the front. Short rows by insertion, long ones by radix (least significant byte first, `key_bits`
/// bits); `scratch` grows as needed.
std::uint32_t sort_unique(std::uint32_t* keys, std::uint32_t count, int key_bits,
                          std::vector<std::uint32_t>& scratch, bool keep_duplicates = false);

}  // namespace isobath
