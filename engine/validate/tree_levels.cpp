// SPDX-License-Identifier: Apache-2.0
#include "validate/tree_levels.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <functional>

namespace isobath {
namespace {

// Own chains are climbed by several threads at once. All of them find the same code for a vertex, so that who
// writes it does not matter; the accesses only have to be whole.
LevelCode load(const LevelCode& code) {
  return std::atomic_ref(const_cast<LevelCode&>(code)).load(std::memory_order_relaxed);
}
void store(LevelCode& code, LevelCode value) {
  std::atomic_ref(code).store(value, std::memory_order_relaxed);
}

}  // namespace

TreeLevels::TreeLevels(const Communicator& world, const BlockPartition& partition, OwnerExchange& exchange)
    : world_(world),
      exchange_(exchange),
      num_vertices_(partition.num_vertices()),
      first_(partition.first(world.rank())),
      size_(partition.size(world.rank())),
      codes_(static_cast<std::size_t>(size_)),
      pending_(static_cast<std::size_t>(size_)),
      jumps_(static_cast<std::size_t>(size_)),
      hops_(static_cast<std::size_t>(size_)) {}

void TreeLevels::count(GlobalVertex root, std::span<const GlobalVertex> parents, RuleTally& tally) {
  begin(root, parents, tally);
  std::int64_t unresolved = world_.sum(climb_all(parents));
  // Each round settles at least one level more; what is left after the last shallow one is deep, cut off or
  // circular.
  const int num_rounds = world_.size() == 1 ? 0 : level_code::max_shallow;
  for (int round = 0; round < num_rounds && unresolved > 0; ++round) {
    ask_for_parents_codes(parents);
    const std::int64_t before = unresolved;
    unresolved = world_.sum(climb_all(parents));
    if (unresolved == before) break;
  }
  any_deep_ = false;
  if (unresolved > 0) double_jumps(parents, unresolved);
  count_codes();
  if (with_code_[level_code::severed] + with_code_[level_code::circular] > 0) report_outcasts(parents, tally);
}

/// First codes: every vertex with a usable parent waits for its level. Rule 0.
void TreeLevels::begin(GlobalVertex root, std::span<const GlobalVertex> parents, RuleTally& tally) {
#pragma omp parallel
  {
    RuleTally found;
#pragma omp for schedule(static)
    for (std::int64_t i = 0; i < size_; ++i) {
      const auto v = static_cast<std::size_t>(i);
      const std::int64_t parent = raw(parents[v]);
      const bool usable = static_cast<std::uint64_t>(parent) < static_cast<std::uint64_t>(num_vertices_);
      codes_[v] = usable ? level_code::unresolved : level_code::outside;
      if (!usable && parent != raw(no_vertex) && first_ + i != raw(root)) {
        found.add(BfsRule::parent_range, GlobalVertex{first_ + i}, parents[v]);
      }
    }
#pragma omp critical(isobath_tree_levels)
    tally.merge(found);
  }
  if (!is_mine(root)) return;
  codes_[local(root)] = level_code::of(0, root);  // level 0 whatever its parent says
  if (parents[local(root)] != root) tally.add(BfsRule::parent_range, root, parents[local(root)]);
}

/// Climbs from every own vertex without a level. Returns how many are left without.
std::int64_t TreeLevels::climb_all(std::span<const GlobalVertex> parents) {
  std::int64_t left = 0;
#pragma omp parallel for schedule(static) reduction(+ : left)
  for (std::int64_t i = 0; i < size_; ++i) {
    const auto v = static_cast<std::size_t>(i);
    if (load(codes_[v]) == level_code::unresolved && !climb(v, parents)) ++left;
  }
  return left;
}

/// Goes up until a code is known, and gives codes to the whole chain on the way back. False where the chain
/// leaves this rank, or is longer than the levels that a code can hold.
bool TreeLevels::climb(std::size_t from, std::span<const GlobalVertex> parents) {
  std::array<std::size_t, level_code::max_shallow + 1> chain;
  std::size_t length = 0;
  LevelCode code = level_code::unresolved;
  for (std::size_t v = from; code == level_code::unresolved; v = local(parents[chain[length - 1]])) {
    if (length == chain.size()) return false;
    chain[length++] = v;
    if (!is_mine(parents[v])) return false;
    code = load(codes_[local(parents[v])]);
  }
  while (length > 0) {
    const std::size_t v = chain[--length];
    code = level_code::of_child(code, parents[v]);
    if (code == level_code::unresolved) return false;
    store(codes_[v], code);
  }
  return true;
}

/// Puts into `pending_` the own vertices that `wanted`.
template <class Wanted>
void TreeLevels::list_pending(const Wanted& wanted) {
  std::atomic<std::size_t> used = 0;
  constexpr std::int64_t block = 4096;
#pragma omp parallel for schedule(static)
  for (std::int64_t first = 0; first < size_; first += block) {
    std::array<std::uint32_t, block> found;
    std::size_t count = 0;
    for (std::int64_t i = first; i < std::min(first + block, size_); ++i) {
      if (wanted(static_cast<std::size_t>(i))) found[count++] = static_cast<std::uint32_t>(i);
    }
    const std::size_t at = used.fetch_add(count, std::memory_order_relaxed);
    std::copy_n(found.begin(), count, pending_.begin() + at);
  }
  num_pending_ = used;
}

/// Collective. One round: vertices whose parent lives elsewhere learn its code.
void TreeLevels::ask_for_parents_codes(std::span<const GlobalVertex> parents) {
  list_pending([&](std::size_t v) { return codes_[v] == level_code::unresolved && !is_mine(parents[v]); });
  code_answers_.resize(exchange_.chunk());
  const std::int64_t rounds = exchange_.rounds(static_cast<std::int64_t>(num_pending_));
  for (std::int64_t round = 0; round < rounds; ++round) {
    const std::size_t begin = std::min(static_cast<std::size_t>(round) * exchange_.chunk(), num_pending_);
    const std::size_t count = std::min(exchange_.chunk(), num_pending_ - begin);
    const std::uint32_t* const asking = pending_.data() + begin;
    exchange_.ask<LevelCode>(
        count, [&](std::size_t i) { return parents[asking[i]]; }, [&](std::size_t v) { return codes_[v]; },
        code_answers_);
    for (std::size_t i = 0; i < count; ++i) {
      codes_[asking[i]] = level_code::of_child(code_answers_[i], parents[asking[i]]);
    }
  }
}

/// Collective. Every unresolved vertex knows an ancestor so many hops above, at first its parent. In each
/// round it takes over that ancestor's ancestor, which doubles the hops, or the ancestor's level where there
/// is one. A chain is no longer than there are unresolved vertices: who has not arrived after that many hops
/// runs in a circle.
void TreeLevels::double_jumps(std::span<const GlobalVertex> parents, std::int64_t unresolved) {
  list_pending([&](std::size_t v) { return codes_[v] == level_code::unresolved; });
  for (std::size_t i = 0; i < num_pending_; ++i) {
    jumps_[pending_[i]] = raw(parents[pending_[i]]);
    hops_[pending_[i]] = 1;
  }
  jump_answers_.resize(exchange_.chunk());
  const std::int64_t longest = unresolved;
  for (std::int64_t reach = 1; unresolved > 0; reach *= 2) {
    jump_once(parents);
    list_pending([&](std::size_t v) { return codes_[v] == level_code::unresolved; });
    unresolved = world_.sum(static_cast<std::int64_t>(num_pending_));
    if (reach >= longest) break;
  }
  for (std::size_t i = 0; i < num_pending_; ++i) codes_[pending_[i]] = level_code::circular;
  const auto is_deep = [](LevelCode code) { return code == level_code::deep; };
  any_deep_ = world_.any(std::any_of(codes_.begin(), codes_.end(), is_deep));
}

/// Collective. One round of doubling for all pending vertices.
void TreeLevels::jump_once(std::span<const GlobalVertex> parents) {
  const std::int64_t rounds = exchange_.rounds(static_cast<std::int64_t>(num_pending_));
  for (std::int64_t round = 0; round < rounds; ++round) {
    const std::size_t begin = std::min(static_cast<std::size_t>(round) * exchange_.chunk(), num_pending_);
    const std::size_t count = std::min(exchange_.chunk(), num_pending_ - begin);
    const std::uint32_t* const asking = pending_.data() + begin;
    exchange_.ask<Jump>(
        count, [&](std::size_t i) { return GlobalVertex{jumps_[asking[i]]}; },
        [&](std::size_t v) {
          return codes_[v] == level_code::unresolved ? Jump{jumps_[v], hops_[v]} : Jump{-1, level_of(v)};
        },
        jump_answers_);
#pragma omp parallel for schedule(static)
    for (std::int64_t i = 0; i < static_cast<std::int64_t>(count); ++i) {
      settle(asking[i], jump_answers_[static_cast<std::size_t>(i)], parents);
    }
  }
}

void TreeLevels::settle(std::size_t v, Jump answer, std::span<const GlobalVertex> parents) {
  if (answer.ancestor >= 0) {
    jumps_[v] = answer.ancestor;
    hops_[v] += answer.hops;
  } else if (answer.hops < 0) {
    codes_[v] = level_code::severed;
  } else {
    hops_[v] += answer.hops;
    codes_[v] = level_code::of(hops_[v], parents[v]);
  }
}

void TreeLevels::count_codes() {
  with_code_.fill(0);
#pragma omp parallel
  {
    // Neighbours in turn, so that an addition need not wait for the one before.
    std::array<std::array<std::int64_t, 256>, 4> found{};
#pragma omp for schedule(static)
    for (std::int64_t first = 0; first < size_; first += 4) {
      for (std::int64_t i = first; i < std::min(first + 4, size_); ++i) {
        ++found[static_cast<std::size_t>(i - first)][codes_[static_cast<std::size_t>(i)]];
      }
    }
#pragma omp critical(isobath_tree_levels)
    for (const auto& of_lane : found) {
      std::transform(of_lane.begin(), of_lane.end(), with_code_.begin(), with_code_.begin(), std::plus<>());
    }
  }
}

/// Rules 1 and 2 from the final codes.
void TreeLevels::report_outcasts(std::span<const GlobalVertex> parents, RuleTally& tally) const {
  for (std::size_t v = 0; v < codes_.size(); ++v) {
    if (codes_[v] != level_code::severed && codes_[v] != level_code::circular) continue;
    const BfsRule broken = codes_[v] == level_code::circular ? BfsRule::tree : BfsRule::tree_levels;
    tally.add(broken, GlobalVertex{first_ + static_cast<std::int64_t>(v)}, parents[v]);
  }
}

std::vector<std::int64_t> TreeLevels::vertices_per_level() const {
  std::vector<std::int64_t> vertices(level_code::max_shallow + 1);
  for (std::size_t code = 0; code < vertices.size() * level_code::next_level; ++code) {
    vertices[code / level_code::next_level] += with_code_[code];
  }
  if (any_deep_) {
    std::int64_t deepest = -1;
    for (std::size_t v = 0; v < codes_.size(); ++v) deepest = std::max(deepest, level_of(v));
    vertices.resize(std::max(vertices.size(), static_cast<std::size_t>(world_.max(deepest) + 1)));
    for (std::size_t v = 0; v < codes_.size(); ++v) {
      if (codes_[v] == level_code::deep) ++vertices[static_cast<std::size_t>(hops_[v])];
    }
  }
  world_.sum(std::span(vertices));
  while (!vertices.empty() && vertices.back() == 0) vertices.pop_back();
  return vertices;
}

}  // namespace isobath
