// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "base/arena.hpp"
#include "comm/communicator.hpp"
#include "graph/layout.hpp"
#include "graph/rows.hpp"

namespace isobath {

/// Collective over the only grid column: rows_by_source() where each rank is told them by the owners of its
/// columns.
/// @param by_target  rows of all own targets
/// @param room       memory that is used where it suffices, with anything in it
Rows rows_told_by_owners(const Rows& by_target, const GridLayout& layout, const Communicator& col_comm,
                         LargeArray<std::uint32_t> room);

}  // namespace isobath
