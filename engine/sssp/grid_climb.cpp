// SPDX-License-Identifier: Apache-2.0
#include "sssp/grid_climb.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <limits>
#include <utility>

#include "base/threads.hpp"

namespace isobath {
namespace {

/// A round in the core takes the vertices in one of so many parts of the core radius: fewer rounds would
/// relax more arcs again.
constexpr double core_windows = 4;

/// On several grid columns the source of an offer is named by where its original stands in the blocks of its
/// grid row, laid one after the other: 32 bits on nearly every grid, and whoever knows the grid row finds the
/// original.
std::int64_t originals_before(const GridLayout& layout, int grid_row, int grid_col) {
  std::int64_t before = 0;
  for (int col = 0; col < grid_col; ++col) before += layout.blocks.size(layout.shape.rank_at(grid_row, col));
  return before;
}

std::int64_t original_at(const GridLayout& layout, int grid_row, std::int64_t position) {
  int col = 0;
  for (; position >= layout.blocks.size(layout.shape.rank_at(grid_row, col)); ++col) {
    position -= layout.blocks.size(layout.shape.rank_at(grid_row, col));
  }
  return layout.blocks.first(layout.shape.rank_at(grid_row, col)) + position;
}

/// So many are told that a grid row hears of no more bytes at once than a window brings.
std::size_t most_active(const Graph& graph) {
  const std::size_t source_bytes = graph.positions.is_wide() ? sizeof(std::uint64_t) : sizeof(std::uint32_t);
  const std::size_t told_bytes = sizeof(std::uint32_t) + sizeof(float) + source_bytes;
  return std::max<std::size_t>(1, std::size_t{graph.weighted_window} * sizeof(float) / told_bytes);
}

/// Rows stand anywhere in memory: asks for those that come next.
template <class AnyRows, class Listed>
void prefetch_ahead(const AnyRows& all, std::span<const Listed> rows, std::size_t now) {
  constexpr std::size_t starts_ahead = 16;
  constexpr std::size_t rows_ahead = 8;
  if (now + starts_ahead < rows.size()) all.prefetch_start(rows[now + starts_ahead].row);
  if (now + rows_ahead < rows.size()) all.prefetch_neighbours(rows[now + rows_ahead].row);
}

}  // namespace

GridClimb::GridClimb(const Graph& graph, const Grid& grid, TentativePaths& paths)
    : graph_(graph),
      grid_(grid),
      paths_(paths),
      most_active_(most_active(graph)),
      is_one_part_(*std::max_element(graph.layout.searched.begin(), graph.layout.searched.end()) <=
                   most_active_),
      hub_endpoints_(least_hub_arcs(2 * static_cast<std::uint64_t>(graph.num_edges))),
      is_pending_(graph.layout.own_words()),
      is_settled_(graph.layout.own_words()) {
  narrow_.outgoing.resize(static_cast<std::size_t>(graph.layout.shape.rows));
  wide_.outgoing.resize(narrow_.outgoing.size());
  if (graph.layout.shape.rows > 1) exchange_ = make_exchange(ExchangeKind::eager, grid.col_comm);
}

GridClimb::~GridClimb() = default;

/// A bucket: light arcs until no vertex falls into it any more, then the heavy arcs of all that did, once.
/// The next begins at the least distance that is left. Where a hub falls into it, the core comes next; in a
/// graph with a core that is a few vertices away, and one round for all their arcs is cheaper than two.
PathTurn GridClimb::climb(const Location& start, float distance, const Steps& steps, SearchObserver& observer,
                          int& round) {
  delta_ = steps.delta;
  limit_ = unreached;
  const Arcs at_first = steps.core_radius > 0 ? Arcs::all : Arcs::light;
  pending_.clear();
  pending_hubs_.clear();
  num_pending_ = 0;
  is_in_core_ = false;
  std::fill(is_pending_.begin(), is_pending_.end(), 0);
  if (start.owner == graph_.layout.rank) {
    const auto own = static_cast<std::uint32_t>(start.working);
    paths_.lower_from_column(own, distance, paths_.own_col() + own);
    pend(own);
  }
  for (bool is_open = false;;) {
    const Pending pending = pending_of_all(observer);
    if (is_open && !is_in_bucket(pending.least)) {
      is_open = false;
      if (at_first == Arcs::light) {
        relax_settled(observer);
        continue;
      }
    }
    if (pending.count == 0) return {};
    if (!is_open) {
      is_open = true;
      begin_ = pending.least;
      end_ = begin_ + delta_;
      settled_.clear();
      std::fill(is_settled_.begin(), is_settled_.end(), 0);
    }
    if (is_in_bucket(pending.least_hub)) {
      if (at_first == Arcs::light) {
        for (const std::uint32_t v : settled_) pend(v);
      }
      return climb_core(pending.core_end, steps, observer, round);
    }
    observer.level_started(round, Direction::top_down, pending.count);
    take_pending();
    relax(active_, at_first, observer);
    observer.level_finished(round++, arcs_relaxed_);
  }
}

void GridClimb::pend(std::uint32_t own) {
  pending_.push_back({paths_.distances()[own], own});
  if (test_bit(is_pending_, own)) return;
  set_bit(is_pending_, own);
  ++num_pending_;
  if (!is_in_core_ && is_hub(own)) pending_hubs_.push_back(own);
}

bool GridClimb::is_up_to_date(const PendingVertex& one) const {
  return paths_.distances()[one.own] == one.distance && test_bit(is_pending_, one.own);
}

void GridClimb::choose_reach_of_hubs(float core_radius) {
  const std::span<const float> distance = paths_.distances();
  reach_of_hub_.clear();
  if (!(core_radius > 0)) return;  // no core: no hub reaches anything
  for (std::uint32_t v = 0; v < distance.size(); ++v) {
    if (!is_hub(v)) continue;
    reach_of_hub_.resize(v + 1);
    reach_of_hub_[v] = core_radius + (distance[v] < unreached ? distance[v] : 0);
  }
}

void GridClimb::Pending::add(const Pending& other) {
  count += other.count;
  least = std::min(least, other.least);
  least_hub = std::min(least_hub, other.least_hub);
  core_end = std::min(core_end, other.core_end);
}

GridClimb::Pending GridClimb::pending_of_all(SearchObserver& observer) {
  const std::span<const float> distance = paths_.distances();
  Pending mine{.count = num_pending_};
  if (num_pending_ == 0) pending_.clear();
  for (const PendingVertex& one : pending_) {
    // A bucket that begins at what is out of date may be a round in which nobody has anything to take, and
    // who still keeps such depends on the grid. To ask costs a look anywhere in memory, so only what would be
    // the least is asked. Few rounds begin so: in the benchmark's graphs hardly any.
    if (one.distance < mine.least && is_up_to_date(one)) mine.least = one.distance;
  }
  for (const std::uint32_t v : pending_hubs_) {
    mine.least_hub = std::min(mine.least_hub, distance[v]);
    mine.core_end = std::min(mine.core_end, distance[v] + (v < reach_of_hub_.size() ? reach_of_hub_[v] : 0));
  }
  observer.phase(Phase::reduce);
  return over_all_ranks(grid_, mine, of_column_);
}

/// What is beyond most_active_ waits for the next round, as if it had been lowered later.
void GridClimb::take_pending() {
  active_.clear();
  std::size_t kept = 0;
  for (const PendingVertex one : pending_) {
    if (!is_in_bucket(double{one.distance}) || active_.size() == most_active_) {
      pending_[kept++] = one;
      continue;
    }
    const std::uint32_t v = one.own;
    if (!is_up_to_date(one)) continue;
    --num_pending_;
    is_pending_[v / word_bits] &= ~(Word{1} << (v % word_bits));
    active_.push_back(v);
    if (is_in_core_) continue;
    if (test_bit(is_settled_, v)) continue;
    set_bit(is_settled_, v);
    settled_.push_back(v);
  }
  pending_.resize(kept);
}

/// From the bucket's beginning to the end of the core: all arcs that end there, of the vertices nearest to
/// the least that waits, until none waits in the core any more. What leads farther waits for the sweeps.
PathTurn GridClimb::climb_core(float core_end, const Steps& steps, SearchObserver& observer, int& round) {
  limit_ = core_end;
  is_in_core_ = true;
  pending_hubs_.clear();
  // A hub far from the largest reaches farther than the radius: no more rounds for that.
  const double width = std::max(double{steps.core_radius}, (double{limit_} - begin_) / 4) / core_windows;
  const auto least_source = static_cast<float>(begin_);
  for (;;) {
    const Pending pending = pending_of_all(observer);
    if (!(pending.least < limit_)) break;
    begin_ = double{pending.least};
    end_ = std::min(double{limit_}, begin_ + width);
    observer.level_started(round, Direction::top_down, pending.count);
    take_pending();
    relax(active_, Arcs::all, observer);
    observer.level_finished(round++, arcs_relaxed_);
  }
  return {.least_source = least_source, .settled = limit_};
}

void GridClimb::relax(std::span<const std::uint32_t> vertices, Arcs arcs, SearchObserver& observer) {
  if (graph_.positions.is_wide()) {
    relax_by(wide_, vertices, arcs, observer);
  } else {
    relax_by(narrow_, vertices, arcs, observer);
  }
}

template <class Source>
void GridClimb::relax_by(Messages<Source>& messages, std::span<const std::uint32_t> vertices, Arcs arcs,
                         SearchObserver& observer) {
  const std::span<const ActiveRow<Source>> rows = tell_row(messages, vertices, observer);
  observer.phase(Phase::relax);
  graph_.with_weighted_rows([&](const auto& all) { propose(all, rows, arcs, messages); });
  fold(messages, observer);
}

/// Heavy arcs of all that fell into the bucket, in as many parts as the rank with most of them needs.
void GridClimb::relax_settled(SearchObserver& observer) {
  const std::span<const std::uint32_t> settled = settled_;
  if (is_one_part_) {
    relax(settled, Arcs::heavy, observer);
    return;
  }
  observer.phase(Phase::reduce);
  const std::int64_t most = grid_.row_comm.max(grid_.col_comm.max(std::ssize(settled)));
  for (std::size_t first = 0; std::cmp_less(first, most); first += most_active_) {
    const std::size_t begin = std::min(first, settled.size());
    relax(settled.subspan(begin, std::min(most_active_, settled.size() - begin)), Arcs::heavy, observer);
  }
}

/// Own vertices and their distances reach the whole grid row, of which each rank takes what it has arcs of.
template <class Source>
std::span<const GridClimb::ActiveRow<Source>> GridClimb::tell_row(Messages<Source>& messages,
                                                                  std::span<const std::uint32_t> vertices,
                                                                  SearchObserver& observer) {
  const GridLayout& layout = graph_.layout;
  const std::int64_t before = originals_before(layout, layout.grid_row(), layout.grid_col());
  messages.own_rows.clear();
  for (const std::uint32_t v : vertices) {
    const Source source =
        layout.rows_are_complete() ? v : static_cast<Source>(before + graph_.numbering.original[v]);
    messages.own_rows.push_back({layout.own_row() + v, paths_.distances()[v], source});
  }
  if (layout.rows_are_complete()) return messages.own_rows;
  observer.phase(Phase::expand);
  std::vector<ActiveRow<Source>>& rows = messages.rows;
  rows = grid_.row_comm.allgatherv<ActiveRow<Source>>(messages.own_rows);
  std::size_t present = 0;
  for (const auto& [row, told, source] : rows) {
    if (!graph_.weighted_rows.contains(row)) continue;
    const std::uint32_t place = graph_.weighted_rows.place_of(row);
    paths_.hear_of_row(place, told);
    rows[present++] = {place, told, source};
  }
  return std::span<const ActiveRow<Source>>(rows).first(present);
}

/// @param all  of the graph, in either form
template <class AnyRows, class Source>
void GridClimb::propose(const AnyRows& all, std::span<const ActiveRow<Source>> rows, Arcs arcs,
                        Messages<Source>& messages) {
  using Offers = std::vector<std::vector<Offer<Source>>>;
  const GridLayout& layout = graph_.layout;
  const auto delta = static_cast<float>(delta_);
  const std::uint32_t own_first = paths_.own_col();
  const std::uint32_t own_end = own_first + layout.own_searched();
  const PresentIndices& cols = graph_.weighted_cols;
  Offers& outgoing = messages.outgoing;
  for (auto& offers : outgoing) offers.clear();
  std::int64_t relaxed = 0;
  const bool is_one_thread = max_threads() == 1;
#pragma omp parallel reduction(+ : relaxed)
  {
    Offers of_thread(is_one_thread ? 0 : outgoing.size());
    Offers& mine = is_one_thread ? outgoing : of_thread;
#pragma omp for schedule(dynamic, 64) nowait
    for (std::size_t k = 0; k < rows.size(); ++k) {
      prefetch_ahead(all, rows, k);
      const auto [row, distance, source] = rows[k];
      for (const auto& [col, weight] : part_of_row(all.of(row), arcs)) {
        const float offer = distance + weight;
        if (!(offer < limit_) || (arcs == Arcs::light && !(weight < delta))) break;
        ++relaxed;
        const bool is_own = own_first <= col && col < own_end;
        if (!is_worth_offering(col, offer, is_own)) continue;
        if (is_own && is_one_thread) {
          adopt(layout.grid_row(), Offer<Source>{col - own_first, offer, source});
          continue;
        }
        const std::size_t piece = cols.piece_of(col);
        mine[piece].push_back({cols.index_at(col) - layout.col_offset[piece], offer, source});
      }
    }
#pragma omp critical
    for (std::size_t piece = 0; piece < of_thread.size(); ++piece) {
      outgoing[piece].insert(outgoing[piece].end(), of_thread[piece].begin(), of_thread[piece].end());
      of_thread[piece] = {};  // so that offers do not stand there twice
    }
  }
  arcs_relaxed_ = relaxed;
}

/// Without the light arcs where they were relaxed before. Lightest first, so that a reader stops early.
std::span<const WeightedArc> GridClimb::part_of_row(std::span<const WeightedArc> row, Arcs arcs) const {
  if (arcs != Arcs::heavy) return row;
  const auto delta = static_cast<float>(delta_);
  const auto heavy = std::partition_point(row.begin(), row.end(),
                                          [&](const WeightedArc& arc) { return arc.weight < delta; });
  return {heavy, row.end()};
}

/// Whether nothing as small is known of the target. What was proposed before was adopted, or something
/// smaller was. Own vertices are lowered where their parent changes too: when the offer is adopted.
bool GridClimb::is_worth_offering(std::uint32_t col, float distance, bool is_own) {
  const std::atomic_ref<float> known(paths_.known()[col]);
  float now = known.load(std::memory_order_relaxed);
  if (is_own) return distance < now;
  while (distance < now) {
    if (known.compare_exchange_weak(now, distance, std::memory_order_relaxed)) return true;
  }
  return false;
}

template <class Source>
void GridClimb::fold(Messages<Source>& messages, SearchObserver& observer) {
  std::vector<Offer<Source>>& own = messages.outgoing[static_cast<std::size_t>(graph_.layout.grid_row())];
  for (const Offer<Source>& offer : own) adopt(graph_.layout.grid_row(), offer);
  if (!exchange_) return;
  own.clear();
  std::int64_t most = 0;
  if (!is_one_part_) {
    for (const auto& offers : messages.outgoing) most = std::max(most, std::ssize(offers));
    observer.phase(Phase::reduce);
    most = grid_.col_comm.max(most);
  }
  std::size_t first = 0;
  do {  // once even if nobody has any, as where that is not asked
    send_offers(messages, first, is_one_part_ ? std::numeric_limits<std::size_t>::max() : most_active_,
                observer);
    first += most_active_;
  } while (std::cmp_less(first, most));
}

/// Of those for each owner `count` from `first` on, or what there is of them.
template <class Source>
void GridClimb::send_offers(Messages<Source>& messages, std::size_t first, std::size_t count,
                            SearchObserver& observer) {
  std::vector<std::span<const std::byte>> parcels;
  for (const std::span<const Offer<Source>> offers : messages.outgoing) {
    const std::size_t begin = std::min(first, offers.size());
    parcels.push_back(std::as_bytes(offers.subspan(begin, std::min(count, offers.size() - begin))));
  }
  exchange_->run(
      parcels,
      [&](int grid_row, std::span<const std::byte> bytes) {
        std::vector<Offer<Source>>& arrived = messages.arrived;
        arrived.resize(bytes.size() / sizeof(Offer<Source>));
        std::memcpy(arrived.data(), bytes.data(), bytes.size());
        for (const Offer<Source>& offer : arrived) adopt(grid_row, offer);
      },
      observer);
}

/// An offer of a rank of the own grid column, which stands in `grid_row`; it is never below the distance of
/// its source.
template <class Source>
void GridClimb::adopt(int grid_row, const Offer<Source>& offer) {
  const GridLayout& layout = graph_.layout;
  const auto& [target, distance, source] = offer;
  bool is_lower = false;
  if (layout.rows_are_complete()) {
    const auto col =
        static_cast<std::uint32_t>(layout.col_offset[static_cast<std::size_t>(grid_row)] + source);
    is_lower = paths_.lower_from_column(target, distance, col);
    paths_.hear_of_column(col, distance);
  } else {
    is_lower = paths_.lower_from_original(target, distance,
                                          original_at(layout, grid_row, static_cast<std::int64_t>(source)));
  }
  if (is_lower) pend(target);
}

}  // namespace isobath
