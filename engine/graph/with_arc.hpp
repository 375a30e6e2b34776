// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "base/arena.hpp"
#include "base/bitmap.hpp"
#include "graph/dealt_arcs.hpp"

namespace isobath {

/// A bit for each of `count` sources that has an arc here, and the same of targets; of some alone where
/// `enough` of them have.
LargeArray<Word> sources_with_arc(const DealtArcs& arcs, std::size_t count, std::size_t enough);
LargeArray<Word> targets_with_arc(const DealtArcs& arcs, std::size_t count, std::size_t enough);

}  // namespace isobath
