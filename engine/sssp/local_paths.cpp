// SPDX-License-Identifier: Apache-2.0
#include "sssp/local_paths.hpp"

#include <algorithm>
#include <cmath>

#include "base/threads.hpp"

namespace isobath {
namespace {

constexpr double core_buckets = 8;

double mean_weight(const WeightSortedRows& rows) {
  double sum = 0;
  const std::uint64_t arcs = rows.num_arcs();
  const std::uint64_t step = std::max<std::uint64_t>(1, arcs / 4096);  // a sample is enough
  std::uint64_t count = 0;
  for (std::uint64_t arc = 0; arc < arcs; arc += step, ++count) {
    sum += double{rows.neighbour[arc].weight};
  }
  return count == 0 ? 0 : sum / static_cast<double>(count);
}

/// A bucket as wide as the arc that one expects to be the lightest of a vertex; any width is right.
double delta_of(const WeightSortedRows& rows, std::uint32_t vertices) {
  const double delta =
      mean_weight(rows) * vertices / static_cast<double>(std::max<std::uint64_t>(1, rows.num_arcs()));
  return delta > 0 ? delta : 1;
}

}  // namespace

LocalPaths::LocalPaths(const Graph& graph, double delta)
    : graph_(graph), sweep_(sweep_for(best_instruction_set())), delta_(delta), delta_is_given_(delta > 0) {
  const std::size_t padded =
      graph.layout.num_cols() + piece_bits;  // room for the column that is never reached
  streams_ = make_pull_streams(graph.weighted, padded);
  distance_ = LargeArray<float>(padded);
  parent_ = LargeArray<std::uint32_t>(padded);
  lowered_ = LargeArray<std::uint16_t>(padded / rows_of_entry);
  hub_length_ =
      static_cast<std::uint32_t>(std::min<std::uint64_t>(least_hub_arcs(graph.num_arcs()), 0xFFFFFFFF));
  if (!delta_is_given_) delta_ = delta_of(graph.weighted, graph.layout.own_searched());
}

void LocalPaths::choose_core() {
  std::vector<float> reached;
  for (std::uint32_t v = 0; v < graph_.layout.own_searched(); ++v) {
    if (distance_[v] < unreached) reached.push_back(distance_[v]);
  }
  const std::size_t core = reached.size() / core_share;
  if (core == 0) return;
  std::nth_element(reached.begin(), reached.begin() + static_cast<std::ptrdiff_t>(core), reached.end());
  core_radius_ = reached[core];
  bool has_hub = false;
  for (std::uint32_t v = 0; v < graph_.layout.own_searched() && !has_hub; ++v) {
    has_hub = graph_.weighted.length(v) >= hub_length_;
  }
  if (has_hub && !delta_is_given_ && core_radius_ > 0) delta_ = double{core_radius_} / core_buckets;
}

void LocalPaths::search(std::uint32_t source, float distance, SearchObserver& observer) {
  observer.phase(Phase::reset);
  reset();
  observer.phase(Phase::climb);
  const PathTurn turn = climb(source, distance, observer);
  if (turn.least_source == unreached) return;
  observer.phase(Phase::descend);
  descend(turn, observer);
}

void LocalPaths::reset() {
  const std::size_t size = distance_.size();
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < size; ++i) distance_[i] = unreached;
  round_ = 0;
}

/// Relaxes buckets in order. Until a hub is met every arc is relaxed; afterwards those whose end stays below
/// the limit: the others wait for the sweeps.
PathTurn LocalPaths::climb(std::uint32_t source, float distance, SearchObserver& observer) {
  PathTurn turn;
  float limit = unreached;
  distance_[source] = distance;
  parent_[source] = source;
  queue_.reset(delta_);
  queue_.put(source, distance);
  while (queue_.advance()) {
    std::vector<TentativeVertex>& bucket = queue_.current();
    observer.level_started(round_, Direction::top_down, std::ssize(bucket));
    std::int64_t arcs = 0;
    bool is_beyond = true;
    for (std::size_t i = 0; i < bucket.size(); ++i) {  // grows meanwhile
      prefetch_ahead(bucket, i);
      const TentativeVertex from = bucket[i];
      if (!is_live(from) || from.distance >= limit) continue;
      is_beyond = false;
      if (limit == unreached && graph_.weighted.length(from.vertex) >= hub_length_) {
        turn.least_source = from.distance;
        for (std::size_t k = i + 1; k < bucket.size(); ++k) {
          if (is_live(bucket[k])) turn.least_source = std::min(turn.least_source, bucket[k].distance);
        }
        limit = turn.least_source + core_radius_;
        turn.settled = limit;
      }
      arcs += relax_row(from, limit);
    }
    bucket.clear();
    observer.level_finished(round_++, arcs);
    if (is_beyond && limit < unreached) break;
  }
  return turn;
}

/// Rows stand anywhere in memory: asks for those that come next.
void LocalPaths::prefetch_ahead(std::span<const TentativeVertex> bucket, std::size_t now) const {
  constexpr std::size_t starts_ahead = 16;
  constexpr std::size_t rows_ahead = 8;
  const WeightSortedRows& rows = graph_.weighted;
  if (now + starts_ahead < bucket.size()) {
    __builtin_prefetch(rows.start.data() + bucket[now + starts_ahead].vertex);
  }
  if (now + rows_ahead < bucket.size()) {
    __builtin_prefetch(rows.neighbour.data() + rows.start[bucket[now + rows_ahead].vertex]);
  }
}

/// Arcs of one vertex, lightest first, while they lead below the limit.
std::int64_t LocalPaths::relax_row(TentativeVertex from, float limit) {
  const std::span<const WeightedArc> row = graph_.weighted.of(from.vertex);
  std::int64_t arcs = 0;
  for (const auto& [target, weight] : row) {
    const float offer = from.distance + weight;
    if (!(offer < limit)) break;
    ++arcs;
    if (!(offer < distance_[target])) continue;
    distance_[target] = offer;
    parent_[target] = from.vertex;
    queue_.put(target, offer);
  }
  return arcs;
}

/// Sweeps until one changes nothing. What a sweep lowered is all that the next has to spread, so nothing
/// below the least of it can change any more, and no arc out of there matters.
void LocalPaths::descend(PathTurn turn, SearchObserver& observer) {
  SweepTask task{.rows = &graph_.weighted,
                 .compact_rows = nullptr,
                 .streams = streams_,
                 .source = distance_.data(),
                 .distance = distance_.data(),
                 .parent = parent_.data(),
                 .lowered = lowered_.data(),
                 .least_source = turn.least_source,
                 .settled = turn.settled};
  std::int64_t active = graph_.layout.own_searched();
  while (active > 0) {
    observer.level_started(round_, Direction::top_down, active);
    const SweepCounts counts = sweep_all(sweep_, task, graph_.layout.num_rows());
    observer.level_finished(round_++, counts.arcs_relaxed);
    active = counts.changed;
    task.least_source = counts.least_changed;
    task.settled = std::max(task.settled, counts.least_changed);
  }
}

}  // namespace isobath
