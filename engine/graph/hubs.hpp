// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/arena.hpp"
#include "base/bitmap.hpp"
#include "graph/families.hpp"
#include "graph/hub_followers.hpp"
#include "graph/named_hubs.hpp"

namespace isobath {

struct Graph;
struct Grid;

/// Of the hubs among its neighbours the owner of a vertex keeps so many, those of highest degree.
inline constexpr std::size_t num_kept_hubs = 4;

/// A word of a bitmap of vertices that has hubs.
struct HubWord {
  std::uint32_t at;  // which word
  Word hubs;         // the bits of hubs
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
