// SPDX-License-Identifier: Apache-2.0
#include "sssp/grid_climb.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>

namespace isobath {
namespace {

/// On several grid columns the source of an offer is named by where its original stands in the blocks of its
/// grid row, laid one after the other: 32 bits, and whoever knows the grid row finds the original.
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

}  // namespace

GridClimb::GridClimb(const Graph& graph, const Grid& grid, TentativePaths& paths)
    : graph_(graph),
      grid_(grid),
      paths_(paths),
      hub_endpoints_(least_hub_arcs(2 * static_cast<std::uint64_t>(graph.num_edges))),
      is_pending_(graph.layout.own_words()),
      is_settled_(graph.layout.own_words()),
      outgoing_(static_cast<std::size_t>(graph.layout.shape.rows)) {
  if (graph.layout.shape.rows > 1) exchange_ = make_exchange(ExchangeKind::alltoallv, grid.col_comm);
}

GridClimb::~GridClimb() = default;

/// A bucket: light arcs until no vertex falls into it any more, then the heavy arcs of all that did, once.
/// The next begins at the least distance that is left. Where a hub falls into it, the core comes next.
PathTurn GridClimb::climb(const Location& root, const Steps& steps, SearchObserver& observer, int& round) {
  delta_ = steps.delta;
  limit_ = unreached;
  pending_.clear();
  std::fill(is_pending_.begin(), is_pending_.end(), 0);
  if (root.owner == graph_.layout.rank) {
    const auto own = static_cast<std::uint32_t>(root.working);
    paths_.lower_from_column(own, 0, graph_.layout.own_col() + own);
    pend(own);
  }
  for (bool is_open = false;;) {
    const LoweredVertices pending = pending_of_all(observer);
    if (is_open && !is_in_bucket(pending.least)) {
      relax(settled_, Arcs::heavy, observer);
      is_open = false;
      continue;
    }
    if (pending.count == 0) return {};
    if (!is_open) {
      is_open = true;
      begin_ = pending.least;
      end_ = begin_ + delta_;
      settled_.clear();
      std::fill(is_settled_.begin(), is_settled_.end(), 0);
    }
    if (is_in_bucket(pending.least_hub)) return climb_core(pending.least_hub, steps, observer, round);
    observer.level_started(round, Direction::top_down, pending.count);
    take_pending();
    relax(active_, Arcs::light, observer);
    observer.level_finished(round++, arcs_relaxed_);
  }
}

void GridClimb::pend(std::uint32_t own) {
  if (test_bit(is_pending_, own)) return;
  set_bit(is_pending_, own);
  pending_.push_back(own);
}

LoweredVertices GridClimb::pending_of_all(SearchObserver& observer) {
  const std::span<const float> distance = paths_.distances();
  LoweredVertices mine{.count = std::ssize(pending_)};
  for (const std::uint32_t v : pending_) {
    mine.least = std::min(mine.least, distance[v]);
    if (is_hub(v)) mine.least_hub = std::min(mine.least_hub, distance[v]);
  }
  observer.phase(Phase::reduce);
  return over_all_ranks(grid_, mine, of_column_);
}

void GridClimb::take_pending() {
  active_.clear();
  std::size_t kept = 0;
  for (const std::uint32_t v : pending_) {
    if (!is_in_bucket(double{paths_.distances()[v]})) {
      pending_[kept++] = v;
      continue;
    }
    is_pending_[v / word_bits] &= ~(Word{1} << (v % word_bits));
    active_.push_back(v);
    if (test_bit(is_settled_, v)) continue;
    set_bit(is_settled_, v);
    settled_.push_back(v);
  }
  pending_.resize(kept);
}

/// From the bucket's beginning to the core radius beyond the hub, one wide bucket: all arcs that end there,
/// until no vertex falls into it any more. What leads farther waits for the sweeps.
PathTurn GridClimb::climb_core(float first_hub, const Steps& steps, SearchObserver& observer, int& round) {
  limit_ = first_hub + steps.core_radius;
  end_ = limit_;
  for (const std::uint32_t v : settled_) pend(v);  // only their light arcs were relaxed
  for (;;) {
    const LoweredVertices pending = pending_of_all(observer);
    if (!(pending.least < limit_)) break;
    observer.level_started(round, Direction::top_down, pending.count);
    take_pending();
    relax(active_, Arcs::all, observer);
    observer.level_finished(round++, arcs_relaxed_);
  }
  return {.least_source = static_cast<float>(begin_), .settled = limit_};
}

void GridClimb::relax(std::span<const std::uint32_t> vertices, Arcs arcs, SearchObserver& observer) {
  const std::span<const ActiveRow> rows = tell_row(vertices, observer);
  observer.phase(Phase::relax);
  propose(rows, arcs);
  fold(observer);
}

/// Own vertices and their distances reach the whole grid row.
std::span<const GridClimb::ActiveRow> GridClimb::tell_row(std::span<const std::uint32_t> vertices,
                                                          SearchObserver& observer) {
  const GridLayout& layout = graph_.layout;
  const std::int64_t before = originals_before(layout, layout.grid_row(), layout.grid_col());
  own_rows_.clear();
  for (const std::uint32_t v : vertices) {
    const std::uint32_t source =
        layout.rows_are_complete() ? v : static_cast<std::uint32_t>(before + graph_.numbering.original[v]);
    own_rows_.push_back({layout.own_row() + v, source, paths_.distances()[v]});
  }
  if (layout.rows_are_complete()) return own_rows_;
  observer.phase(Phase::expand);
  rows_ = grid_.row_comm.allgatherv<ActiveRow>(own_rows_);
  for (const ActiveRow& active : rows_) paths_.hear_of_row(active.row, active.distance);
  return rows_;
}

void GridClimb::propose(std::span<const ActiveRow> rows, Arcs arcs) {
  const GridLayout& layout = graph_.layout;
  const auto delta = static_cast<float>(delta_);
  for (auto& offers : outgoing_) offers.clear();
  std::int64_t relaxed = 0;
#pragma omp parallel reduction(+ : relaxed)
  {
    std::vector<std::vector<Offer>> mine(outgoing_.size());
#pragma omp for schedule(dynamic, 64) nowait
    for (std::size_t k = 0; k < rows.size(); ++k) {
      const auto [row, source, distance] = rows[k];
      const std::span<const WeightedArc> all = graph_.weighted.of(row);
      const auto middle = std::partition_point(
          all.begin(), all.end(), [&](const WeightedArc& target) { return target.weight < delta; });
      const auto end = arcs == Arcs::light ? middle : all.end();
      for (auto target = arcs == Arcs::heavy ? middle : all.begin(); target != end; ++target) {
        const float offer = distance + target->weight;
        if (!(offer < limit_)) break;
        ++relaxed;
        const auto piece = static_cast<std::size_t>(
            std::upper_bound(layout.col_offset.begin(), layout.col_offset.end(), target->to) -
            layout.col_offset.begin() - 1);
        const bool is_own = static_cast<int>(piece) == layout.grid_row();
        if (!is_worth_offering(target->to, offer, is_own)) continue;
        mine[piece].push_back({target->to - layout.col_offset[piece], source, offer});
      }
    }
#pragma omp critical
    for (std::size_t piece = 0; piece < outgoing_.size(); ++piece) {
      outgoing_[piece].insert(outgoing_[piece].end(), mine[piece].begin(), mine[piece].end());
    }
  }
  arcs_relaxed_ = relaxed;
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

void GridClimb::fold(SearchObserver& observer) {
  std::vector<Offer>& own = outgoing_[static_cast<std::size_t>(graph_.layout.grid_row())];
  adopt(graph_.layout.grid_row(), own);
  if (!exchange_) return;
  own.clear();
  std::vector<std::span<const std::byte>> parcels;
  for (const auto& offers : outgoing_) parcels.push_back(std::as_bytes(std::span<const Offer>(offers)));
  exchange_->run(
      parcels,
      [&](int grid_row, std::span<const std::byte> bytes) {
        arrived_.resize(bytes.size() / sizeof(Offer));
        std::memcpy(arrived_.data(), bytes.data(), bytes.size());
        adopt(grid_row, arrived_);
      },
      observer);
}

/// Offers of a rank of the own grid column, which stands in `grid_row`. An offer is never below the distance
/// of its source.
void GridClimb::adopt(int grid_row, std::span<const Offer> offers) {
  const GridLayout& layout = graph_.layout;
  const std::uint32_t first_col = layout.col_offset[static_cast<std::size_t>(grid_row)];
  for (const auto& [target, source, distance] : offers) {
    bool is_lower = false;
    if (layout.rows_are_complete()) {
      is_lower = paths_.lower_from_column(target, distance, first_col + source);
      paths_.hear_of_column(first_col + source, distance);
    } else {
      is_lower = paths_.lower_from_original(target, distance, original_at(layout, grid_row, source));
    }
    if (is_lower) pend(target);
  }
}

}  // namespace isobath
