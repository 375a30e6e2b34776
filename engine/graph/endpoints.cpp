// SPDX-License-Identifier: Apache-2.0
#include "graph/endpoints.hpp"

#include <algorithm>
#include <atomic>

#include "base/error.hpp"
#include "base/threads.hpp"
#include "graph/owned_updates.hpp"
#include "graph/rounds.hpp"

namespace isobath {
namespace {

/// Own vertex and the other end. A self-loop carries the vertex itself.
struct EndMessage {
  std::int64_t other;
  std::int64_t local;
};

class Counter {
 public:
  Counter(Endpoints& result, const BlockPartition& blocks, int rank)
      : result_(result),
        own_first_(blocks.first(rank)),
        per_thread_(blocks.size(rank) / max_threads() + 1),
        updates_(max_threads()),
        loops_(static_cast<std::size_t>(max_threads())) {}

  /// By thread `me` of a parallel region: one end point, for the thread that owns it.
  void deal(std::size_t me, const EndMessage& end) {
    updates_.deal(me, static_cast<std::size_t>(end.local / per_thread_), end);
  }
  /// By all threads: counts what was dealt.
  void count() {
    const auto me = static_cast<std::size_t>(thread_id());
    updates_.round([&](const EndMessage& end) { __builtin_prefetch(result_.of.data() + end.local, 1); },
                   [&](const EndMessage& end) {
                     if (end.other == own_first_ + end.local) {
                       loops_[me].push_back(static_cast<std::uint32_t>(end.local));
                     } else if (!result_.of[static_cast<std::size_t>(end.local)].meet(end.other)) {
                       has_overflow_.store(true, std::memory_order_relaxed);
                     }
                   });
  }

  void finish(const Communicator& world) {
    require_counted(!has_overflow_.load(), world);
    for (const auto& loops : loops_) {
      result_.self_loops_at.insert(result_.self_loops_at.end(), loops.begin(), loops.end());
    }
    std::sort(result_.self_loops_at.begin(), result_.self_loops_at.end());
  }

  static constexpr std::size_t capacity = OwnedUpdates<EndMessage>::capacity;

 private:
  Endpoints& result_;
  std::int64_t own_first_;
  std::int64_t per_thread_;
  OwnedUpdates<EndMessage> updates_;
  std::vector<std::vector<std::uint32_t>> loops_;
  std::atomic<bool> has_overflow_{false};
};

}  // namespace

void require_counted(bool are_counted, const Communicator& world) {
  if (!world.any(!are_counted)) return;
  throw RefusedError("a vertex has more than 524,287 copies of an edge; drop copies first");
}

Endpoints count_endpoints(const EdgeStream& edges, const BlockPartition& blocks, const Communicator& world) {
  Endpoints result;
  result.of = LargeArray<Endpoint>(static_cast<std::size_t>(blocks.size(world.rank())));
  Counter counter(result, blocks, world.rank());
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
      const auto me = static_cast<std::size_t>(thread_id());
      const auto per_round = static_cast<std::int64_t>(Counter::capacity) * num_threads();
      const auto total = static_cast<std::int64_t>(arrived.size());
      for (std::int64_t first = 0; first < total; first += per_round) {
        const auto [begin, end] =
            static_share(std::min(per_round, total - first), thread_id(), num_threads());
        for (std::int64_t i = first + begin; i < first + end; ++i)
          counter.deal(me, arrived[static_cast<std::size_t>(i)]);
        counter.count();
      }
    }
  });
  counter.finish(world);
  return result;
}

}  // namespace isobath
