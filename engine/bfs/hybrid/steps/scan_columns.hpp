// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "bfs/hybrid/fold.hpp"
#include "bfs/hybrid/row_notes.hpp"
#include "graph/graph.hpp"

namespace isobath {

/// The local part of a top-down level on several grid columns (local discovery, Buluc and Madduri): what the
/// arcs of the frontier's columns lead to is proposed, each row once in a search. Passes over the arcs from
/// hubs to their families, which the owners find (follow_hubs.hpp). Returns the arcs scanned.
std::int64_t scan_columns(const Graph& graph, std::span<const std::uint32_t> columns, RowNotes& notes,
                          Fold& fold);

}  // namespace isobath
