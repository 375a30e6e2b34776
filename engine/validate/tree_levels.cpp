// SPDX-License-Identifier: Apache-2.0
#include "validate/tree_levels.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <functional>
#include <utility>

#include "base/threads.hpp"

namespace isobath {
namespace {

// A thread writes the codes of its own vertices while others read them: they see the code of before or after,
// and both serve; the accesses only have to be whole.
LevelCode load(const LevelCode& code) {
  return std::atomic_ref(const_cast<LevelCode&>(code)).load(std::memory_order_relaxed);
}
void store(LevelCode& code, LevelCode value) {
  std::atomic_ref(code).store(value, std::memory_order_relaxed);
}

}  // namespace

TreeLevels::TreeLevels(const Communicator& world, const BlockPartition& partition, OwnerExchange& exchange,
                       const GatheredVertices& gathered)
    : world_(world),
      exchange_(exchange),
      gathered_(gathered),
      num_vertices_(partition.num_vertices()),
      first_(partition.first(world.rank())),
      size_(partition.size(world.rank())),
      held_codes_(static_cast<std::size_t>(gathered.num_held())),
      codes_(gathered.own(held_codes_.span())),
      told_(gathered.are_gathered() ? codes_.size() : 0),
      pending_(static_cast<std::size_t>(size_)) {}

void TreeLevels::count(GlobalVertex root, std::span<const GlobalVertex> parents, TreeTally& tally) {
  begin(root, parents, tally);
  if (gathered_.are_gathered()) tell_all_codes();
  settle_from_held(parents, size_, [](std::int64_t i) { return i; });
  const std::int64_t unresolved =
      gathered_.are_gathered() ? settle_by_news(parents) : settle_by_questions(parents);
  any_deep_ = false;
  if (unresolved > 0) {
    double_jumps(parents, unresolved);
    if (gathered_.are_gathered()) tell_codes();
  }
  count_codes();
  if (with_code_[level_code::severed] + with_code_[level_code::circular] > 0) report_outcasts(parents, tally);
}

/// Collective. Levels by asking the owners of parents. Returns how many vertices are left on all ranks: deep,
/// cut off or circular ones.
std::int64_t TreeLevels::settle_by_questions(std::span<const GlobalVertex> parents) {
  std::int64_t unresolved = world_.sum(num_pending_);
  // Each round settles at least one level more.
  for (int round = 0; round < level_code::max_shallow && unresolved > 0; ++round) {
    if (world_.size() > 1) settle_from_others(parents);
    settle_pending_from_held(parents);
    const std::int64_t before = unresolved;
    unresolved = world_.sum(num_pending_);
    if (unresolved == before) break;
  }
  return unresolved;
}

/// Collective. The same where every rank tells all others what is new.
std::int64_t TreeLevels::settle_by_news(std::span<const GlobalVertex> parents) {
  while (true) {
    const News told = tell_codes();
    if (told.changed == 0) return told.pending;
    settle_pending_from_held(parents);
  }
}

/// First codes: every vertex with a usable parent waits for its level. Notes wrong parents.
void TreeLevels::begin(GlobalVertex root, std::span<const GlobalVertex> parents, TreeTally& tally) {
  const auto limit = static_cast<std::uint64_t>(num_vertices_);
  std::int64_t out_of_range = 0;
#pragma omp parallel for schedule(static) reduction(+ : out_of_range)
  for (std::int64_t i = 0; i < size_; ++i) {
    const auto v = static_cast<std::size_t>(i);
    const auto parent = static_cast<std::uint64_t>(raw(parents[v]));
    codes_[v] = level_code::select(parent < limit, level_code::unresolved, level_code::outside);
    out_of_range += parent + 1 > limit ? 1 : 0;  // -1 becomes 0
  }
  for (std::int64_t i = 0; i < size_ && out_of_range > 0; ++i) {
    const GlobalVertex parent = parents[static_cast<std::size_t>(i)];
    if (static_cast<std::uint64_t>(raw(parent)) + 1 <= limit) continue;
    --out_of_range;
    if (first_ + i != raw(root)) tally.add(TreeRule::parent_range, GlobalVertex{first_ + i}, parent);
  }
  if (!is_mine(root)) return;
  codes_[local(root)] = level_code::of(0, root);  // level 0 whatever its parent says
  if (parents[local(root)] != root) tally.add(TreeRule::parent_range, root, parents[local(root)]);
}

/// Gives codes to those of `count` own vertices that wait and have a parent whose code is held. Those that
/// still wait become the pending vertices. Without a branch per vertex: nobody could foretell it.
template <class VertexAt>
void TreeLevels::settle_from_held(std::span<const GlobalVertex> parents, std::int64_t count,
                                  const VertexAt& vertex_at) {
  const auto first_held = static_cast<std::uint64_t>(gathered_.first_held());
  const auto num_held = static_cast<std::uint64_t>(gathered_.num_held());
  const std::uint64_t first_own = static_cast<std::uint64_t>(first_) - first_held;
  keep_pending(count, vertex_at, [&](std::size_t v) {
    const LevelCode code = load(codes_[v]);
    const GlobalVertex parent = parents[v];
    // Unsigned: a wrong parent may lie anywhere, and the difference wrap around.
    const std::uint64_t position = static_cast<std::uint64_t>(raw(parent)) - first_held;
    const LevelCode of_parent = load(held_codes_[position < num_held ? position : first_own + v]);
    const LevelCode settled =
        level_code::select(code == level_code::unresolved, level_code::of_child(of_parent, parent), code);
    store(codes_[v], settled);
    return settled == level_code::unresolved;
  });
}

void TreeLevels::settle_pending_from_held(std::span<const GlobalVertex> parents) {
  settle_from_held(parents, num_pending_,
                   [this](std::int64_t i) { return pending_[static_cast<std::size_t>(i)]; });
}

/// Collective. All ranks learn all codes.
void TreeLevels::tell_all_codes() {
  gathered_.share(held_codes_.span());
  std::copy(codes_.begin(), codes_.end(), told_.begin());
}

/// Collective. All ranks learn the codes that changed since they were told last: as a list where few did.
TreeLevels::News TreeLevels::tell_codes() {
  std::int64_t changed = 0;
#pragma omp parallel for schedule(static) reduction(+ : changed)
  for (std::size_t v = 0; v < codes_.size(); ++v) changed += codes_[v] != told_[v] ? 1 : 0;
  News total{0, 0};
  std::vector<std::int64_t> lengths;
  for (const News& of_rank : world_.allgather(News{changed, num_pending_})) {
    lengths.push_back(of_rank.changed);
    total.changed += of_rank.changed;
    total.pending += of_rank.pending;
  }
  if (total.changed == 0) return total;
  if (total.changed > num_vertices_ / static_cast<std::int64_t>(sizeof(NewCode))) {
    tell_all_codes();
    return total;
  }
  std::vector<NewCode> news;
  news.reserve(static_cast<std::size_t>(changed));
  for (std::size_t v = 0; v < codes_.size(); ++v) {
    if (codes_[v] == told_[v]) continue;
    news.push_back({static_cast<std::uint32_t>(first_ + static_cast<std::int64_t>(v)), codes_[v]});
    told_[v] = codes_[v];
  }
  std::vector<NewCode> all_news(static_cast<std::size_t>(total.changed));
  world_.allgatherv<NewCode>(news, lengths, all_news);
  for (const NewCode& told : all_news) held_codes_[told.vertex] = told.code;
  return total;
}

/// Makes those of `count` own vertices pending for which still_waits(vertex). Vertices ascend; they may be
/// the pending ones.
template <class VertexAt, class StillWaits>
void TreeLevels::keep_pending(std::int64_t count, const VertexAt& vertex_at, const StillWaits& still_waits) {
  std::vector<std::pair<std::int64_t, std::int64_t>> parts(static_cast<std::size_t>(max_threads()));
#pragma omp parallel
  {
    const auto share = static_share(count, thread_id(), num_threads());
    std::int64_t kept = share.first;
    for (std::int64_t i = share.first; i < share.second; ++i) {
      const auto v = static_cast<std::uint32_t>(vertex_at(i));
      const bool waits = still_waits(v);
      pending_[static_cast<std::size_t>(kept)] = v;
      kept += waits ? 1 : 0;
    }
    parts[static_cast<std::size_t>(thread_id())] = {share.first, kept};
  }
  num_pending_ = 0;
  for (const auto& [first, end] : parts) {
    std::copy(pending_.begin() + first, pending_.begin() + end, pending_.begin() + num_pending_);
    num_pending_ += end - first;
  }
}

/// Collective. Calls ask(vertices) for the pending vertices, chunk by chunk, on all ranks equally often.
template <class Ask>
void TreeLevels::for_each_pending_chunk(const Ask& ask) {
  const auto chunk = static_cast<std::int64_t>(exchange_.chunk());
  const std::int64_t rounds = exchange_.rounds(num_pending_);
  for (std::int64_t round = 0; round < rounds; ++round) {
    const std::int64_t first = std::min(round * chunk, num_pending_);
    ask(pending().subspan(static_cast<std::size_t>(first),
                          static_cast<std::size_t>(std::min(chunk, num_pending_ - first))));
  }
}

/// Collective. Pending vertices learn their parents' codes from the owners.
void TreeLevels::settle_from_others(std::span<const GlobalVertex> parents) {
  code_answers_.resize(exchange_.chunk());
  for_each_pending_chunk([&](std::span<const std::uint32_t> asking) {
    exchange_.ask<LevelCode>(
        asking.size(), [&](std::size_t i) { return parents[asking[i]]; },
        [&](std::size_t v) { return codes_[v]; }, code_answers_);
    for (std::size_t i = 0; i < asking.size(); ++i) {
      codes_[asking[i]] = level_code::of_child(code_answers_[i], parents[asking[i]]);
    }
  });
}

/// Room for what pending vertices know, at first their parents.
void TreeLevels::place_jumps(std::span<const GlobalVertex> parents) {
  most_doubled_ = 2 * num_pending_ >= size_;
  LargeArray<Word> are_doubled(most_doubled_ ? 0 : words_for(static_cast<std::size_t>(size_)));
  for (const std::uint32_t v : pending()) {
    if (!most_doubled_) set_bit(are_doubled.span(), v);
  }
  doubled_ = PlacedBits(std::move(are_doubled));
  const auto room = static_cast<std::size_t>(most_doubled_ ? size_ : num_pending_);
  if (jumps_.size() < room) jumps_ = LargeArray<Jump>(room);
  for (const std::uint32_t v : pending()) jump_of(v) = {raw(parents[v]), 1};
}

/// Collective. Every pending vertex knows an ancestor so many hops above, at first its parent. In each round
/// it takes over that ancestor's ancestor, which doubles the hops, or the ancestor's level where there is
/// one. A chain is no longer than there are pending vertices: who has not arrived after that many hops runs
/// in a circle.
void TreeLevels::double_jumps(std::span<const GlobalVertex> parents, std::int64_t unresolved) {
  place_jumps(parents);
  jump_answers_.resize(exchange_.chunk());
  const std::int64_t longest = unresolved;
  for (std::int64_t reach = 1; unresolved > 0; reach *= 2) {
    for_each_pending_chunk([&](std::span<const std::uint32_t> asking) { jump_once(asking, parents); });
    keep_pending(
        num_pending_, [&](std::int64_t i) { return pending_[static_cast<std::size_t>(i)]; },
        [&](std::size_t v) { return codes_[v] == level_code::unresolved; });
    unresolved = world_.sum(num_pending_);
    if (reach >= longest) break;
  }
  for (const std::uint32_t v : pending()) codes_[v] = level_code::circular;
  const auto is_deep = [](LevelCode code) { return code == level_code::deep; };
  any_deep_ = world_.any(std::any_of(codes_.begin(), codes_.end(), is_deep));
}

/// Collective. One round of doubling for one chunk.
void TreeLevels::jump_once(std::span<const std::uint32_t> asking, std::span<const GlobalVertex> parents) {
  exchange_.ask<Jump>(
      asking.size(), [&](std::size_t i) { return GlobalVertex{jump_of(asking[i]).ancestor}; },
      [&](std::size_t v) { return codes_[v] == level_code::unresolved ? jump_of(v) : Jump{-1, level_of(v)}; },
      jump_answers_);
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < asking.size(); ++i) settle(asking[i], jump_answers_[i], parents);
}

void TreeLevels::settle(std::size_t v, Jump answer, std::span<const GlobalVertex> parents) {
  if (answer.ancestor < 0 && answer.hops < 0) {
    codes_[v] = level_code::severed;
    return;
  }
  Jump& jump = jump_of(v);
  jump = {answer.ancestor, jump.hops + answer.hops};
  if (answer.ancestor < 0) codes_[v] = level_code::of(jump.hops, parents[v]);
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

/// Circles and severed vertices from the final codes.
void TreeLevels::report_outcasts(std::span<const GlobalVertex> parents, TreeTally& tally) const {
  for (std::size_t v = 0; v < codes_.size(); ++v) {
    if (codes_[v] != level_code::severed && codes_[v] != level_code::circular) continue;
    const TreeRule broken = codes_[v] == level_code::circular ? TreeRule::tree : TreeRule::leads_to_root;
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
      if (codes_[v] == level_code::deep) ++vertices[static_cast<std::size_t>(jump_of(v).hops)];
    }
  }
  world_.sum(std::span(vertices));
  while (!vertices.empty() && vertices.back() == 0) vertices.pop_back();
  return vertices;
}

}  // namespace isobath
