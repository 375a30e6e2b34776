// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "base/vertex.hpp"

namespace isobath {

/// Where a vertex lies in an array of all vertices.
constexpr std::size_t index(GlobalVertex v) { return static_cast<std::size_t>(raw(v)); }

}  // namespace isobath
