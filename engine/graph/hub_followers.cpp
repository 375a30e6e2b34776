// SPDX-License-Identifier: Apache-2.0
#include "graph/hub_followers.hpp"

#include <cstddef>

#include "base/expects.hpp"
#include "comm/grid.hpp"
#include "graph/graph.hpp"

namespace isobath {
namespace {

/// A family on its way to the rank that has the arcs of its head.
struct ToldFamily {
  std::uint32_t hub;    // number of the head
  std::uint32_t begin;  // rows, as all ranks of the grid row count them
  std::uint32_t end;
};

/// The own families, those of heads of the first grid column first. @param counts  of every grid column
std::vector<ToldFamily> own_families(const GridLayout& layout, const Hubs& hubs,
                                     std::vector<std::int64_t>& counts) {
  const Families& families = hubs.families;
  const std::uint32_t first_row = layout.own_row();
  std::vector<std::vector<ToldFamily>> of_col(hubs.count_of_col.size());
  for (std::size_t k = 0; k < families.size(); ++k) {
    const auto after = std::ranges::upper_bound(hubs.first_of_col, families.head[k]);
    of_col[static_cast<std::size_t>(after - hubs.first_of_col.begin()) - 1].push_back(
        {families.head[k], first_row + families.begin[k], first_row + families.begin[k + 1]});
  }
  std::vector<ToldFamily> all;
  counts.clear();
  for (const std::vector<ToldFamily>& told : of_col) {
    counts.push_back(std::ssize(told));
    all.insert(all.end(), told.begin(), told.end());
  }
  return all;
}

}  // namespace

HubFollowers::HubFollowers(const Graph& graph, const Grid& grid, const Hubs& hubs) {
  const GridLayout& layout = graph.layout;
  const auto here = static_cast<std::size_t>(layout.grid_col());
  const std::uint32_t first_of_col = hubs.first_of_col[here];
  for (int piece = 0; piece < layout.shape.rows; ++piece) {
    first_col_.push_back(layout.col_offset[static_cast<std::size_t>(piece)]);
    const auto rank = static_cast<std::size_t>(layout.block_of_col_piece(piece));
    first_hub_.push_back(hubs.offset[rank] - first_of_col);
  }
  first_hub_.push_back(hubs.count_of_col[here]);

  std::vector<std::int64_t> counts;
  const std::vector<ToldFamily> outgoing = own_families(layout, hubs, counts);
  std::vector<ToldFamily> told = grid.row_comm.alltoallv<ToldFamily>(outgoing, counts);
  std::ranges::sort(told, [](const ToldFamily& a, const ToldFamily& b) {
    return a.hub != b.hub ? a.hub < b.hub : a.begin < b.begin;
  });
  first_family_.assign(std::size_t{hubs.count_of_col[here]} + 1, 0);
  for (const ToldFamily& each : told) ++first_family_[each.hub - first_of_col + 1];
  for (std::size_t hub = 1; hub < first_family_.size(); ++hub) first_family_[hub] += first_family_[hub - 1];
  graph.with_rows_by_source([&](const auto& columns) {
    std::size_t piece = 0;
    for (const ToldFamily& each : told) {
      const std::uint32_t hub = each.hub - first_of_col;
      while (hub >= first_hub_[piece + 1]) ++piece;
      const auto rows = columns.of(first_col_[piece] + (hub - first_hub_[piece]));
      const auto first = std::ranges::lower_bound(rows, each.begin) - rows.begin();
      const HubFollowers::Family family{each.begin, each.end, static_cast<std::uint32_t>(first)};
      // Rows that are passed over and that their owner does not find would be lost.
      ISOBATH_EXPECTS(rows.size() - family.first_arc >= family.size());
      ISOBATH_EXPECTS(rows[family.first_arc] == family.begin);
      ISOBATH_EXPECTS(rows[family.first_arc + family.size() - 1] == family.end - 1);
      family_.push_back(family);
    }
  });
}

}  // namespace isobath
