// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "bfs/hybrid/fold.hpp"
#include "bfs/hybrid/frontier.hpp"
#include "bfs/hybrid/row_notes.hpp"
#include "graph/graph.hpp"

namespace isobath {

struct ScannedColumns {
  std::int64_t arcs;                   // that were followed
  std::span<const std::uint32_t> own;  // vertices that were found; valid until the next scan
};

/// The local part of a top-down level on several grid columns (local discovery, Buluc and Madduri): what the
/// arcs of the frontier's columns lead to is proposed, each row once in a search; own vertices become visited
/// and are adopted. Passes over the arcs from hubs to their families, which the owners find
/// (follow_hubs.hpp).
/// @param frontier  its list may be `columns`, and stays as it is
ScannedColumns scan_columns(const Graph& graph, std::span<const std::uint32_t> columns, RowNotes& notes,
                            Frontier& frontier, Fold& fold);

}  // namespace isobath
