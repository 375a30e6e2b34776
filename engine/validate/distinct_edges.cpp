// SPDX-License-Identifier: Apache-2.0
#include "validate/distinct_edges.hpp"

#include <algorithm>
#include <span>
#include <vector>

#include "base/expects.hpp"
#include "base/threads.hpp"
#include "validate/owner_exchange.hpp"

namespace isobath {
namespace {

constexpr std::int64_t slots_per_rank = std::int64_t{1} << 20;
constexpr std::size_t heaps = 64;  // of one rank and pass, each sorted by one thread

/// Steele, Lea and Flood, "Fast splittable pseudorandom number generators" (2014), the finaliser; all bits of
/// both numbers reach all bits of the result.
std::uint64_t hash(const Edge& pair) {
  std::uint64_t x = static_cast<std::uint64_t>(raw(pair.u)) * 0x9E3779B97F4A7C15U;
  x = (x ^ (x >> 30)) + static_cast<std::uint64_t>(raw(pair.v));
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9U;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBU;
  return x ^ (x >> 31);
}

std::uint64_t pass_of(std::uint64_t hash, std::uint64_t passes) { return (hash & 0xFFFFFF) % passes; }
std::size_t heap_of(std::uint64_t hash) { return hash >> 24 & (heaps - 1); }
std::uint64_t slot_of(std::uint64_t hash, std::uint64_t slots) { return (hash >> 30) % slots; }

bool by_ends(const Edge& a, const Edge& b) { return a.u != b.u ? a.u < b.u : a.v < b.v; }

/// The pairs of one window of the list that belong to a pass, smaller end first.
void select(const EdgeStream& edges, std::int64_t first, std::int64_t end, std::uint64_t pass,
            std::uint64_t passes, std::vector<Edge>& selected) {
  selected.clear();
#pragma omp parallel
  {
    std::vector<Edge> mine;
    const auto [begin, stop] = static_share(end - first, thread_id(), num_threads());
    for_each_batch(edges, first + begin, first + stop, [&](std::span<const Edge> batch) {
      for (const auto& [u, v] : batch) {
        const Edge pair = u < v ? Edge{u, v} : Edge{v, u};
        if (u != v && pass_of(hash(pair), passes) == pass) mine.push_back(pair);
      }
    });
#pragma omp critical
    selected.insert(selected.end(), mine.begin(), mine.end());
  }
}

std::int64_t distinct_in(std::vector<Edge>& heap) {
  std::sort(heap.begin(), heap.end(), by_ends);
  return std::unique(heap.begin(), heap.end()) - heap.begin();
}

/// Those from `first` on, up to `count`.
std::span<const Edge> part(std::span<const Edge> pairs, std::int64_t first, std::int64_t count) {
  const std::int64_t begin = std::min(first, std::ssize(pairs));
  return pairs.subspan(static_cast<std::size_t>(begin),
                       static_cast<std::size_t>(std::min(count, std::ssize(pairs) - begin)));
}

/// Edges that are gone through for one delivery. Where they are more than a chunk, three quarters of a chunk
/// belong to the pass on average, so that one call nearly always suffices.
std::int64_t window_of(std::int64_t chunk, std::int64_t passes) {
  return passes == 1 ? chunk : passes * (chunk / 4 * 3);
}

}  // namespace

std::int64_t count_distinct_edges(const EdgeStream& edges, const Communicator& world,
                                  std::int64_t pairs_at_once, std::optional<ExchangeLimits> limits) {
  ISOBATH_EXPECTS(pairs_at_once > 0);
  const std::int64_t slots = slots_per_rank * world.size();
  OwnerExchange exchange(world, BlockPartition(slots, world.size()), limits);
  const auto slot = [&](const Edge& pair) {
    return GlobalVertex{static_cast<std::int64_t>(slot_of(hash(pair), static_cast<std::uint64_t>(slots)))};
  };
  const std::int64_t longest = world.max(edges.size());
  const std::int64_t passes = std::max<std::int64_t>(1, longest / pairs_at_once);
  const auto chunk = static_cast<std::int64_t>(exchange.chunk());
  const std::int64_t window = window_of(chunk, passes);
  std::int64_t distinct = 0;
  std::vector<Edge> selected;
  for (std::int64_t pass = 0; pass < passes; ++pass) {
    std::vector<std::vector<Edge>> heap(heaps);
    for (std::int64_t at = 0; at < longest; at += window) {
      select(edges, std::min(at, edges.size()), std::min(at + window, edges.size()),
             static_cast<std::uint64_t>(pass), static_cast<std::uint64_t>(passes), selected);
      // More than a chunk where the same pair stands in the list again and again.
      const std::int64_t calls = window == chunk ? 1 : exchange.rounds(std::ssize(selected));
      for (std::int64_t call = 0; call < calls; ++call) {
        exchange.deliver<Edge>(part(selected, call * chunk, chunk), slot, [&](std::span<const Edge> arrived) {
          for (const Edge& pair : arrived) heap[heap_of(hash(pair))].push_back(pair);
        });
      }
    }
#pragma omp parallel for schedule(dynamic, 1) reduction(+ : distinct)
    for (std::size_t h = 0; h < heaps; ++h) distinct += distinct_in(heap[h]);
  }
  return world.sum(distinct);
}

std::int64_t count_distinct_edges(const EdgeStream& edges, const Communicator& world) {
  return count_distinct_edges(edges, world, distinct_pairs_at_once(world.max(edges.size()), world.size()));
}

std::int64_t distinct_pairs_at_once(std::int64_t edges, int ranks) {
  constexpr std::int64_t least = std::int64_t{1} << 22;
  return std::max(least, edges / std::clamp(ranks / 2, 8, 64));
}

}  // namespace isobath
