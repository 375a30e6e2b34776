// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "graph/layout.hpp"

namespace isobath {

struct Graph;
struct Grid;
struct Hubs;

/// Where vertices are numbered by their first hub: which rows stored here are families of the hubs of this
/// grid column. The arcs from a hub to a family follow each other, so top-down passes over them: the owners
/// find their families by themselves.
///
/// Memory: 12 bytes a family, 4 bytes a hub of the grid column.
class HubFollowers {
 public:
  /// A family as rows stored here.
  struct Family {
    std::uint32_t begin;
    std::uint32_t end;
    std::uint32_t first_arc;  // of its head's column: it leads to row `begin`, the next ones to those behind

    std::uint32_t size() const { return end - begin; }
  };

  /// None: nobody is numbered by first hub.
  HubFollowers() = default;
  /// Collective along the grid row: owners tell their families to the rank that has the arcs of the head.
  HubFollowers(const Graph& graph, const Grid& grid, const Hubs& hubs);

  bool are_known() const { return !first_family_.empty(); }
  /// Which hub of the grid column a column is, if any; where are_known(), for then the hubs of every piece
  /// are its first columns, in the order of hub numbers (by_falling_degree()).
  std::optional<std::uint32_t> hub_of(std::uint32_t column) const {
    const auto after = std::ranges::upper_bound(first_col_, column);
    const auto piece = static_cast<std::size_t>(after - first_col_.begin()) - 1;
    const std::uint32_t hub = first_hub_[piece] + (column - first_col_[piece]);
    return hub < first_hub_[piece + 1] ? std::optional(hub) : std::nullopt;
  }
  /// Families of the hub that a column is, by ascending rows; none of another column.
  std::span<const Family> of_column(std::uint32_t column) const {
    if (!are_known()) return {};
    const std::optional<std::uint32_t> hub = hub_of(column);
    if (!hub) return {};
    return std::span(family_).subspan(first_family_[*hub], first_family_[*hub + 1] - first_family_[*hub]);
  }

 private:
  std::vector<std::uint32_t> first_col_;     // of every piece of the columns
  std::vector<std::uint32_t> first_hub_;     // the same among the hubs of the grid column, and the end
  std::vector<std::uint32_t> first_family_;  // by hub of the grid column, and the end
  std::vector<Family> family_;
};

}  // namespace isobath
