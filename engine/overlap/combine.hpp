// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>

#include "overlap/aggregation_message.hpp"

namespace isobath {

/// Can elements of this type be combined so? Sums, minima and maxima of numbers, bits of integers, places of
/// located ones.
bool is_defined(TreeType type, TreeOperator combine);

/// into[i] = into[i] (+) other[i] for whole elements; both have the same number of bytes.
/// @throws InternalError where it is not defined
void combine_elements(TreeType type, TreeOperator combine, std::span<std::byte> into,
                      std::span<const std::byte> other);

}  // namespace isobath
