// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>

namespace isobath {

/// The distance of a vertex that is not reached.
inline constexpr float unreached = std::numeric_limits<float>::infinity();

}  // namespace isobath
