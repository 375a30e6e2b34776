// SPDX-License-Identifier: Apache-2.0
#include "sssp/peeling.hpp"

#include <limits>
#include <span>

namespace isobath {
namespace {

constexpr int most_rounds = 60;
constexpr std::int64_t hardly_any = 64;  // a round must take one in so many of those that are left

class Peeler {
 public:
  Peeler(const KeptEdges& kept, const BlockPartition& blocks, const Communicator& world)
      : kept_(kept),
        world_(world),
        first_(static_cast<std::size_t>(blocks.first(world.rank()))),
        may_go_(static_cast<std::size_t>(blocks.num_vertices())) {
    result_.round = LargeArray<std::uint8_t>(may_go_.size());
    for (int rank = 0; rank < world.size(); ++rank) counts_.push_back(blocks.size(rank));
    for (std::size_t own = 0; own < kept.rows.num_rows(); ++own) {
      if (!kept.rows.of(own).empty()) left_.push_back(static_cast<std::uint32_t>(own));
    }
  }

  Peeling run() {
    for (int round = 1; round <= most_rounds; ++round) {
      const std::int64_t before = world_.sum(static_cast<std::int64_t>(left_.size()));
      const std::int64_t taken = take_round(round);
      if (taken == 0) break;
      result_.rounds = round;
      if (taken < before / hardly_any) break;
    }
    return std::move(result_);
  }

 private:
  /// A vertex may go where no way through it, from one neighbour that is left to another, is as short as the
  /// way by the landmark between the two: w1 + w2 > d(a1) + d(a2) + margin for its two least w - d(a).
  bool may_go(std::uint32_t own) const {
    double least = std::numeric_limits<double>::infinity();
    double second = least;
    for (const auto& [to, weight] : kept_.rows.of(own)) {
      if (result_.round[to] != 0) continue;
      const double detour = double{weight} - double{kept_.distance[to]};  // minus infinity: never shorter
      if (detour < least) {
        second = least;
        least = detour;
      } else if (detour < second) {
        second = detour;
      }
    }
    return second == std::numeric_limits<double>::infinity() || least + second > kept_.margin;
  }

  /// Of two neighbours that may both go, the one farther from the landmark goes first.
  bool goes_before(std::size_t v, std::size_t other) const {
    const float a = kept_.distance[v];
    const float b = kept_.distance[other];
    return a != b ? a > b : v > other;
  }

  bool goes_now(std::uint32_t own) const {
    const std::size_t v = first_ + own;
    if (may_go_[v] == 0) return false;
    for (const auto& [to, weight] : kept_.rows.of(own)) {
      if (result_.round[to] == 0 && may_go_[to] != 0 && goes_before(to, v)) return false;
    }
    return true;
  }

  std::int64_t take_round(int round) {
#pragma omp parallel for schedule(dynamic, 1024)
    for (std::size_t i = 0; i < left_.size(); ++i) may_go_[first_ + left_[i]] = may_go(left_[i]) ? 1 : 0;
    share(may_go_);
    std::vector<std::uint8_t> goes(left_.size());
#pragma omp parallel for schedule(dynamic, 1024)
    for (std::size_t i = 0; i < left_.size(); ++i) goes[i] = goes_now(left_[i]) ? 1 : 0;
    std::size_t stay = 0;
    for (std::size_t i = 0; i < left_.size(); ++i) {
      if (goes[i] != 0) {
        result_.round[first_ + left_[i]] = static_cast<std::uint8_t>(round);
      } else {
        left_[stay++] = left_[i];
      }
    }
    const auto taken = static_cast<std::int64_t>(left_.size() - stay);
    left_.resize(stay);
    share(result_.round);
    return world_.sum(taken);
  }

  /// Collective. The own part of a value of every vertex, to all ranks.
  void share(LargeArray<std::uint8_t>& values) const {
    const auto own = static_cast<std::size_t>(counts_[static_cast<std::size_t>(world_.rank())]);
    world_.allgatherv<std::uint8_t>({values.data() + first_, own}, counts_, values.span());
  }

  const KeptEdges& kept_;
  const Communicator& world_;
  std::size_t first_;  // own vertices
  Peeling result_;
  LargeArray<std::uint8_t> may_go_;  // of every vertex of the graph
  std::vector<std::uint32_t> left_;  // own, not peeled
  std::vector<std::int64_t> counts_;
};

}  // namespace

Peeling peel(const KeptEdges& kept, const BlockPartition& blocks, const Communicator& world) {
  return Peeler(kept, blocks, world).run();
}

}  // namespace isobath
