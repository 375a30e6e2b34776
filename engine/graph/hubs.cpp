// SPDX-License-Identifier: Apache-2.0
#include "graph/hubs.hpp"

#include <numeric>
#include <optional>

#include "base/expects.hpp"
#include "base/threads.hpp"
#include "comm/grid.hpp"
#include "graph/graph.hpp"
#include "graph/source_places.hpp"

namespace isobath {
namespace {

constexpr std::uint32_t none = 0xFFFFFFFF;

std::vector<HubWord> words_with_hubs(std::span<const Word> is_hub) {
  std::vector<HubWord> words;
  for (std::size_t w = 0; w < is_hub.size(); ++w) {
    if (is_hub[w] != 0) words.push_back({static_cast<std::uint32_t>(w), is_hub[w]});
  }
  return words;
}

/// The columns of this rank that are hubs, and for each its place in the order of hubs; the words that have
/// such columns are noted in `hubs`. Hub numbers of a grid column follow each other as its columns do.
std::vector<SourcePlaces::Placed> find_hub_columns(const Graph& graph, const Grid& grid,
                                                   std::span<const Word> own_is_hub,
                                                   std::span<const std::uint32_t> order, Hubs& hubs) {
  const GridLayout& layout = graph.layout;
  const auto here = static_cast<std::size_t>(layout.grid_col());
  std::vector<std::uint32_t> places(hubs.count_of_col[here], none);
  for (std::size_t place = 0; place < order.size(); ++place) {
    const std::uint32_t column = order[place] - hubs.first_of_col[here];  // among those here
    if (column < places.size()) places[column] = static_cast<std::uint32_t>(place);
  }
  LargeArray<Word> is_hub(layout.num_cols() / word_bits);
  grid.col_comm.allgatherv<Word>(own_is_hub, layout.words_of_col_pieces(), is_hub.span());
  hubs.column_hub_words = words_with_hubs(is_hub.span());
  ISOBATH_EXPECTS(count_bits(is_hub.span()) == places.size());
  std::vector<SourcePlaces::Placed> placed;
  placed.reserve(places.size());
  for_each_bit(is_hub.span(), [&](std::size_t col) { placed.push_back({col, places[placed.size()]}); });
  return placed;
}

/// The first few of many places, ascending.
class FirstPlaces {
 public:
  FirstPlaces() { place_.fill(none); }
  void add(std::uint32_t place) {
    if (place >= place_.back()) return;
    std::size_t k = num_kept_hubs - 1;
    for (; k > 0 && place_[k - 1] > place; --k) place_[k] = place_[k - 1];
    place_[k] = place;
  }
  /// Whether nothing from this place on is among them.
  bool are_all_before(std::uint32_t place) const { return place_.back() <= place; }
  const std::array<std::uint32_t, num_kept_hubs>& places() const { return place_; }

 private:
  std::array<std::uint32_t, num_kept_hubs> place_;
};

/// The hubs of this grid column in the order in which they stand in rows.
class HubsInRows {
 public:
  struct Hub {
    std::uint32_t place;         // in the order of hubs
    std::uint32_t least_behind;  // place of those that stand behind it in rows; `none` behind the last
  };
  /// @param in_rows  order of the neighbours in a row
  HubsInRows(const HeavyFirst& in_rows, std::size_t num_cols, std::vector<SourcePlaces::Placed> hubs) {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> by_key;  // and index
    by_key.reserve(hubs.size());
    for (const SourcePlaces::Placed& hub : hubs) {
      by_key.emplace_back(in_rows.key_of(static_cast<std::uint32_t>(hub.source)),
                          static_cast<std::uint32_t>(by_key.size()));
    }
    std::ranges::sort(by_key);
    if (!by_key.empty()) last_key_ = by_key.back().first;
    hub_.resize(hubs.size());
    std::uint32_t least = none;
    for (std::size_t k = hubs.size(); k-- > 0;) {
      std::uint32_t& place = hubs[by_key[k].second].place;
      hub_[k] = {place, least};
      least = std::min(least, place);
      place = static_cast<std::uint32_t>(k);
    }
    which_.emplace(num_cols, none, hubs);
  }
  /// use(which_of), where which_of(column) is which of them it is; `none` where it is no hub.
  template <class Visit>
  decltype(auto) visit(Visit&& use) const {
    return which_->visit(std::forward<Visit>(use));
  }
  const Hub& operator[](std::uint32_t which) const { return hub_[which]; }
  /// Of a neighbour with a larger key nothing behind it in a row is a hub.
  std::uint32_t last_key() const { return last_key_; }

 private:
  std::vector<Hub> hub_;
  std::optional<SourcePlaces> which_;
  std::uint32_t last_key_ = 0;
};

/// A neighbour of a vertex among the hubs, on its way to the vertex's owner.
struct HubArc {
  std::uint32_t target;  // at its owner
  std::uint32_t place;   // of the hub in the order of hubs
};

/// What this rank has of the rows of all owners in its grid row.
class HubArcs {
  // Before its users: what it returns is deduced.
  template <class Use>
  auto with_rows_and_hubs(Use&& use) const {
    return graph_.with_rows_by_target([&](const auto& rows) {
      return hubs_.visit([&](const auto& which_of) { return use(rows, which_of); });
    });
  }

 public:
  /// @param in_rows  order of the neighbours in a row; it and the graph outlive this
  HubArcs(const Graph& graph, const HeavyFirst& in_rows, std::vector<SourcePlaces::Placed> hubs)
      : graph_(graph), in_rows_(in_rows), hubs_(in_rows, graph.layout.num_cols(), std::move(hubs)) {}
  /// Appends those of targets [first, end) of a piece of the rows.
  void list(std::size_t piece, std::uint32_t first, std::uint32_t end, std::vector<HubArc>& arcs) const {
    const std::uint32_t offset = graph_.layout.row_offset[piece];
    with_rows_and_hubs([&](const auto& rows, const auto& which_of) {
      for (std::uint32_t target = first; target < end; ++target) {
        const FirstPlaces first_few = first_places(rows.of(offset + target), which_of);
        for (const std::uint32_t place : first_few.places()) {
          if (place != none) arcs.push_back({target, place});
        }
      }
    });
  }
  /// The rows of a word that have a neighbour here that their owner does not keep, as bits.
  /// @param last_kept  by row: the last place that the owner keeps; `none` where it keeps all hubs that there
  ///                   are. So many rows there are, up to a word
  Word with_others(std::uint32_t first_row, std::span<const std::uint32_t> last_kept) const {
    return with_rows_and_hubs([&](const auto& rows, const auto& which_of) {
      Word found = 0;
      for (std::size_t bit = 0; bit < last_kept.size(); ++bit) {
        const std::span<const std::uint32_t> neighbours = rows.of(first_row + bit);
        // From the end: hubs stand in front, so others are met at once.
        const bool has_others = std::any_of(neighbours.rbegin(), neighbours.rend(), [&](std::uint32_t col) {
          const std::uint32_t which = which_of(col);
          return which == none || hubs_[which].place > last_kept[bit];
        });
        if (has_others) found |= Word{1} << bit;
      }
      return found;
    });
  }

 private:
  /// Of the hubs in a row. Places nearly ascend along it, so only its first few hubs are looked at.
  template <class WhichOf>
  FirstPlaces first_places(std::span<const std::uint32_t> row, const WhichOf& which_of) const {
    FirstPlaces first;
    std::uint32_t last = none;
    for (const std::uint32_t col : row) {
      const std::uint32_t which = which_of(col);
      if (which != none) {
        if (which == std::exchange(last, which)) continue;  // a copy, where these are kept
        first.add(hubs_[which].place);
        if (first.are_all_before(hubs_[which].least_behind)) break;
      } else if (in_rows_.key_of(col) > hubs_.last_key()) {
        break;
      }
    }
    return first;
  }

  const Graph& graph_;
  const HeavyFirst& in_rows_;
  HubsInRows hubs_;
};

/// Targets of a round of hub arcs, whole words of bits: messages of a few megabytes.
std::uint32_t targets_of_round(GridShape shape) {
  constexpr std::uint32_t targets_of_all = 1U << 17;
  constexpr auto word = static_cast<std::uint32_t>(word_bits);
  return std::max(targets_of_all / static_cast<std::uint32_t>(shape.cols) / word * word, word);
}

/// Targets of one round in every piece of the rows.
struct RoundOfTargets {
  std::vector<std::uint32_t> begin;  // by piece; a multiple of word_bits, but where nothing is left
  std::vector<std::uint32_t> end;
};

RoundOfTargets round_of_targets(const GridLayout& layout, std::uint64_t first, std::uint32_t at_once) {
  RoundOfTargets round;
  for (int piece = 0; piece < layout.shape.cols; ++piece) {
    const std::uint64_t length = layout.searched[static_cast<std::size_t>(layout.block_of_row_piece(piece))];
    round.begin.push_back(static_cast<std::uint32_t>(std::min(first, length)));
    round.end.push_back(static_cast<std::uint32_t>(std::min(first + at_once, length)));
  }
  return round;
}

/// Owners tell their grid row the last place that they keep for each target of a round; whoever stores the
/// row then knows whether it has neighbours here that are not kept.
void mark_rows_with_others(const Graph& graph, const Grid& grid, const HubArcs& here,
                           const RoundOfTargets& round, Hubs& hubs) {
  const GridLayout& layout = graph.layout;
  std::vector<std::int64_t> counts;
  for (std::size_t piece = 0; piece < round.begin.size(); ++piece) {
    counts.push_back(round.end[piece] - round.begin[piece]);
  }
  const auto own = static_cast<std::size_t>(layout.grid_col());
  const std::span<const std::uint32_t> last_kept =
      hubs.kept.back().span().subspan(round.begin[own], static_cast<std::size_t>(counts[own]));
  std::vector<std::uint32_t> told(
      static_cast<std::size_t>(std::accumulate(counts.begin(), counts.end(), std::int64_t{0})));
  grid.row_comm.allgatherv<std::uint32_t>(last_kept, counts, told);
  const std::uint32_t* of_piece = told.data();
  for (std::size_t piece = 0; piece < round.begin.size(); ++piece) {
    const std::uint32_t first = layout.row_offset[piece] + round.begin[piece];  // of a word
    const std::span<const std::uint32_t> kept(of_piece, static_cast<std::size_t>(counts[piece]));
    const std::size_t words = words_for(kept.size());
#pragma omp parallel for schedule(static)
    for (std::size_t w = 0; w < words; ++w) {
      const std::size_t at = w * word_bits;
      hubs.rows_with_others[first / word_bits + w] = here.with_others(
          first + static_cast<std::uint32_t>(at), kept.subspan(at, std::min(word_bits, kept.size() - at)));
    }
    of_piece += counts[piece];
  }
}

/// Whoever stores a part of a row tells the owner of its target whether it has others there.
void tell_owners_of_others(const Graph& graph, const Grid& grid, const RoundOfTargets& round, Hubs& hubs) {
  std::vector<Word> outgoing;
  std::vector<std::int64_t> counts;
  for (std::size_t piece = 0; piece < round.begin.size(); ++piece) {
    const std::size_t first = (graph.layout.row_offset[piece] + round.begin[piece]) / word_bits;
    const std::size_t words = words_for(round.end[piece] - round.begin[piece]);
    const std::span<const Word> of_piece = std::as_const(hubs.rows_with_others).span().subspan(first, words);
    outgoing.insert(outgoing.end(), of_piece.begin(), of_piece.end());
    counts.push_back(static_cast<std::int64_t>(words));
  }
  const std::vector<Word> arrived = grid.row_comm.alltoallv<Word>(outgoing, counts);
  const auto own = static_cast<std::size_t>(graph.layout.grid_col());
  const std::size_t first = round.begin[own] / word_bits;
  for (std::size_t i = 0; i < arrived.size(); ++i) {  // as many words from everybody
    hubs.has_others[first + i % static_cast<std::size_t>(counts[own])] |= arrived[i];
  }
}

/// Everybody tells the owners of its rows which hubs it has of the targets of a round.
/// @return the hub arcs of own targets
std::vector<HubArc> tell_first_hubs(const Grid& grid, const HubArcs& here, const RoundOfTargets& round) {
  std::vector<HubArc> outgoing;
  std::vector<std::int64_t> counts;
  std::vector<std::vector<HubArc>> of_thread(static_cast<std::size_t>(max_threads()));
  for (std::size_t piece = 0; piece < round.begin.size(); ++piece) {
    const std::uint32_t begin = round.begin[piece];
    for (std::vector<HubArc>& arcs : of_thread) arcs.clear();
#pragma omp parallel
    {
      const auto [from, to] =
          static_share(std::int64_t{round.end[piece]} - begin, thread_id(), num_threads());
      here.list(piece, begin + static_cast<std::uint32_t>(from), begin + static_cast<std::uint32_t>(to),
                of_thread[static_cast<std::size_t>(thread_id())]);
    }
    const std::size_t before = outgoing.size();
    for (const std::vector<HubArc>& arcs : of_thread) {
      outgoing.insert(outgoing.end(), arcs.begin(), arcs.end());
    }
    counts.push_back(static_cast<std::int64_t>(outgoing.size() - before));
  }
  return grid.row_comm.alltoallv<HubArc>(outgoing, counts);
}

/// The one exchange of hub arcs, in rounds of targets: owners keep the first hubs that they are told, and
/// what they do not keep is noted on both sides.
void keep_first_hubs(const Graph& graph, const Grid& grid, const HubArcs& here, Hubs& hubs) {
  const GridLayout& layout = graph.layout;
  for (auto& kept : hubs.kept) {
    kept = LargeArray<std::uint32_t>(layout.own_words() * word_bits);
    std::fill(kept.begin(), kept.end(), none);
  }
  hubs.rows_with_others = LargeArray<Word>(layout.row_words());
  hubs.has_others = LargeArray<Word>(layout.own_words());
  std::uint32_t longest = 0;
  for (int piece = 0; piece < layout.shape.cols; ++piece) {
    longest = std::max(longest, layout.searched[static_cast<std::size_t>(layout.block_of_row_piece(piece))]);
  }
  const std::uint32_t at_once = targets_of_round(layout.shape);
  for (std::uint64_t first = 0; first < longest; first += at_once) {
    const RoundOfTargets round = round_of_targets(layout, first, at_once);
    for (const HubArc& arc : tell_first_hubs(grid, here, round)) {
      std::uint32_t place = arc.place;
      for (auto& kept : hubs.kept) {
        if (place < kept[arc.target]) std::swap(place, kept[arc.target]);
      }
    }
    mark_rows_with_others(graph, grid, here, round, hubs);
    tell_owners_of_others(graph, grid, round, hubs);
  }
}

/// Places become hub numbers.
void name_kept_hubs(std::span<const std::uint32_t> order, Hubs& hubs) {
  hubs.has_kept = LargeArray<Word>(hubs.kept[0].size() / word_bits);
#pragma omp parallel for schedule(static)
  for (std::size_t w = 0; w < hubs.has_kept.size(); ++w) {
    for (std::size_t t = w * word_bits; t < (w + 1) * word_bits; ++t) {
      if (hubs.kept[0][t] != none) hubs.has_kept[w] |= Word{1} << (t % word_bits);
      for (auto& kept : hubs.kept) kept[t] = kept[t] == none ? hubs.missing() : order[kept[t]];
    }
  }
}

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

Hubs keep_hubs(const Graph& graph, const Grid& grid, NamedHubs named) {
  Hubs hubs(std::move(named.numbers));
  hubs.families = std::move(named.families);
  LargeArray<Word> is_hub(graph.layout.own_words());
  for (std::uint32_t t = 0; t < graph.numbering.searched(); ++t) {
    if (graph.numbering.degree[t] >= named.least_endpoints) set_bit(is_hub.span(), t);
  }
  hubs.own_hub_words = words_with_hubs(is_hub.span());
  const HeavyFirst in_rows = graph.column_order();
  const HubArcs here(graph, in_rows, find_hub_columns(graph, grid, is_hub.span(), named.by_degree, hubs));
  keep_first_hubs(graph, grid, here, hubs);
  name_kept_hubs(named.by_degree, hubs);
  if (graph.numbering.by_family) hubs.followers = HubFollowers(graph, grid, hubs);
  return hubs;
}

}  // namespace isobath
