// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/arena.hpp"
#include "base/bitmap.hpp"
#include "graph/families.hpp"
#include "graph/layout.hpp"
#include "graph/named_hubs.hpp"

namespace isobath {

struct Graph;
struct Grid;
struct Hubs;

/// Of the hubs among its neighbours the owner of a vertex keeps so many, those of highest degree.
inline constexpr std::size_t num_kept_hubs = 4;

/// A word of a bitmap of vertices that has hubs.
struct HubWord {
  std::uint32_t at;  // which word
  Word hubs;         // the bits of hubs
};

/// Where there are families (vertices are numbered by their first kept hub): which rows stored here are
/// families of the hubs of this grid column. The arcs from a hub to a family follow each other, so top-down
/// passes over them: the owners find their families by themselves.
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

  /// No families, on no rank.
  HubFollowers() = default;
  /// Collective along the grid row: owners tell their families to the rank that has the arcs of the head.
  HubFollowers(const Graph& graph, const Grid& grid, const Hubs& hubs);

  /// The same on all ranks: not whether there are any here.
  bool have_families() const { return !first_family_.empty(); }
  /// Which hub of the grid column a column is, if any; where have_families(), for then the hubs of
  /// every piece are its first columns, in the order of hub numbers (by_falling_degree()).
  std::optional<std::uint32_t> hub_of(std::uint32_t column) const {
    const auto after = std::ranges::upper_bound(first_col_, column);
    const auto piece = static_cast<std::size_t>(after - first_col_.begin()) - 1;
    const std::uint32_t hub = first_hub_[piece] + (column - first_col_[piece]);
    return hub < first_hub_[piece + 1] ? std::optional(hub) : std::nullopt;
  }
  /// Families of the hub that a column is, by ascending rows; none of another column.
  std::span<const Family> of_column(std::uint32_t column) const {
    if (!have_families()) return {};
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

/// The hubs, and what owners keep of them. On several grid columns the owner of a vertex does not have its
/// row; from these it still knows, without asking, whether one of its largest neighbours was reached
/// (docs/adr/0043-hubs-on-every-rank.md). There are K = min(n (1/R + 1/C) / 10, 4 n / (R C)) at most of n
/// searched vertices on R x C ranks: most_hubs().
struct Hubs : HubNumbers {
  Hubs() = default;
  explicit Hubs(HubNumbers numbers) : HubNumbers(std::move(numbers)) {}

  std::vector<HubWord> own_hub_words;                         // of own searched vertices
  std::vector<HubWord> column_hub_words;                      // of the columns of this rank
  std::array<LargeArray<std::uint32_t>, num_kept_hubs> kept;  // own vertex -> hub number, or missing()
  LargeArray<Word> has_kept;                                  // own vertices with any
  LargeArray<Word> has_others;        // own vertices with a neighbour that is not kept, on any rank: what the
                                      // kept hubs do not find, somebody else may
  LargeArray<Word> rows_with_others;  // rows stored here with a neighbour here that their owner does not
                                      // keep: after the owners' pass only these can be found here
  Families families;       // of own vertices that keep the same hub first; a head is known by its hub number
  HubFollowers followers;  // of the hubs of this grid column, on all ranks of the grid row
};

/// Collective. What owners keep of the hubs, of a graph whose rows are there.
Hubs keep_hubs(const Graph& graph, const Grid& grid, NamedHubs named);

}  // namespace isobath
