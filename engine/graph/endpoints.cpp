// SPDX-License-Identifier: Apache-2.0
#include "graph/endpoints.hpp"

#include <algorithm>

#include "base/threads.hpp"
#include "graph/bucketed.hpp"
#include "graph/rounds.hpp"

namespace isobath {
namespace {

/// Own vertex and the other end. A self-loop carries the vertex itself.
struct EndMessage {
  std::int64_t other;
  std::int64_t local;
};

constexpr int bucket_shift = 13;  // 8,192 vertices of 16 bytes: a bucket fits the second-level cache

class Counter {
 public:
  Counter(Endpoints& result, const BlockPartition& blocks, int rank)
      : result_(result),
        own_first_(blocks.first(rank)),
        buckets_(static_cast<std::size_t>((blocks.size(rank) >> bucket_shift) + 1)),
        updates_(buckets_, max_threads()),
        loops_(static_cast<std::size_t>(max_threads())) {}

  /// By all threads of a parallel region: `items` are this thread's.
  void add(std::span<const EndMessage> items) {
    updates_.round(
        items, [](const EndMessage& m) { return static_cast<std::size_t>(m.local >> bucket_shift); },
        [&](std::size_t, std::span<const EndMessage> of_bucket) {
          for (const EndMessage& m : of_bucket) {
            if (m.other == own_first_ + m.local) {
              loops_[static_cast<std::size_t>(thread_id())].push_back(static_cast<std::uint32_t>(m.local));
            } else {
              result_.of[static_cast<std::size_t>(m.local)].meet(m.other);
            }
          }
        });
  }

  void finish() {
    for (const auto& loops : loops_) {
      result_.self_loops_at.insert(result_.self_loops_at.end(), loops.begin(), loops.end());
    }
    std::sort(result_.self_loops_at.begin(), result_.self_loops_at.end());
  }

  static constexpr std::size_t capacity = BucketedUpdates<EndMessage>::capacity;

 private:
  Endpoints& result_;
  std::int64_t own_first_;
  std::size_t buckets_;
  BucketedUpdates<EndMessage> updates_;
  std::vector<std::vector<std::uint32_t>> loops_;
};

/// One rank owns both ends of every edge: no message is needed.
void count_alone(const EdgeStream& edges, Counter& counter) {
  const std::int64_t total = edges.size();
  constexpr auto per_thread = static_cast<std::int64_t>(Counter::capacity / 2);
#pragma omp parallel
  {
    std::vector<EndMessage> items;
    items.reserve(Counter::capacity);
    const std::int64_t per_round = per_thread * num_threads();
    for (std::int64_t first = 0; first < total; first += per_round) {
      const std::int64_t mine = std::min(first + per_thread * thread_id(), total);
      items.clear();
      for_each_batch(edges, mine, std::min(mine + per_thread, total), [&](std::span<const Edge> batch) {
        for (const auto& [u, v] : batch) {
          items.push_back({raw(v), raw(u)});
          if (u != v) items.push_back({raw(u), raw(v)});
        }
      });
      counter.add(items);
    }
  }
}

}  // namespace

Endpoints count_endpoints(const EdgeStream& edges, const BlockPartition& blocks, const Communicator& world) {
  Endpoints result;
  result.of = LargeArray<Endpoint>(static_cast<std::size_t>(blocks.size(world.rank())));
  Counter counter(result, blocks, world.rank());
  if (world.size() == 1) {
    count_alone(edges, counter);
    counter.finish();
    return result;
  }
  const auto route = [&](const Edge& edge, auto&& send) {
    const int owner = blocks.block_of(edge.u);
    send(owner, EndMessage{raw(edge.v), raw(edge.u) - blocks.first(owner)});
    if (edge.u == edge.v) return;
    const int other = blocks.block_of(edge.v);
    send(other, EndMessage{raw(edge.u), raw(edge.v) - blocks.first(other)});
  };
  exchange_rounds<EndMessage>(edges, world, route, [&](std::span<const EndMessage> arrived) {
#pragma omp parallel
    {
      const auto per_round = static_cast<std::int64_t>(Counter::capacity) * num_threads();
      const auto total = static_cast<std::int64_t>(arrived.size());
      for (std::int64_t first = 0; first < total; first += per_round) {
        const auto [begin, end] = static_share(std::min(per_round, total - first), thread_id(), num_threads());
        counter.add(arrived.subspan(static_cast<std::size_t>(first + begin), static_cast<std::size_t>(end - begin)));
      }
    }
  });
  counter.finish();
  return result;
}

}  // namespace isobath
