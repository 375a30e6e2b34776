// SPDX-License-Identifier: Apache-2.0
#include "validate/copy_check.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <utility>

#include "base/threads.hpp"

namespace isobath {
namespace {

/// Levels as bits, so that those of a row's neighbours are gathered by one "or" each. Bit 14 stays free:
/// outside is no neighbour of any level.
constexpr int deepest_level = 13;
constexpr std::uint32_t outside = 1U << 15;
constexpr std::uint32_t with_deeper_level = (1U << deepest_level) - 1;

constexpr std::int64_t rows_at_a_time = 4096;
constexpr std::int64_t look_ahead = 32;  // vertices whose parents are on their way

/// Others may look at the same time; they see the value of before or after, and both serve.
template <class T>
T load(const T& value) {
  return std::atomic_ref(const_cast<T&>(value)).load(std::memory_order_relaxed);
}
template <class T>
void store(T& place, T value) {
  std::atomic_ref(place).store(value, std::memory_order_relaxed);
}

/// All levels of a row's neighbours. Eight at a time, in four sums that do not wait for each other.
std::uint32_t levels_of(std::span<const std::uint32_t> row, const std::uint16_t* levels) {
  std::array<std::uint32_t, 4> seen{};
  std::size_t i = 0;
  for (; i + 8 <= row.size(); i += 8) {
    for (std::size_t k = 0; k < 4; ++k) {
      seen[k] |= static_cast<std::uint32_t>(levels[row[i + k]]) | levels[row[i + 4 + k]];
    }
  }
  for (; i < row.size(); ++i) seen[0] |= levels[row[i]];
  return seen[0] | seen[1] | seen[2] | seen[3];
}

bool contains(std::span<const std::uint32_t> row, std::uint32_t place) {
  std::uint32_t found = 0;
  for (const std::uint32_t one : row) found |= one == place ? 1U : 0U;
  return found != 0;
}

}  // namespace

struct CopyCheck::RowTally {
  std::uint32_t wrong_levels = 0;
  std::int64_t missing_tree_edges = 0;
  std::int64_t earlier_children_met = 0;
  std::int64_t traversed_edges = 0;
  std::array<std::int64_t, 16> with_level{};

  void merge(const RowTally& other) {
    wrong_levels |= other.wrong_levels;
    missing_tree_edges += other.missing_tree_edges;
    earlier_children_met += other.earlier_children_met;
    traversed_edges += other.traversed_edges;
    for (std::size_t i = 0; i < with_level.size(); ++i) with_level[i] += other.with_level[i];
  }
};

CopyCheck::CopyCheck(const EdgeStream& edges)
    : copy_(edges),
      parents_(copy_.num_rows() + 1),
      levels_(copy_.num_rows()),
      pending_(copy_.num_rows()),
      has_earlier_child_(words_for(copy_.num_rows())) {}

std::optional<CopyCheck::Confirmed> CopyCheck::confirm(GlobalVertex root,
                                                       std::span<const GlobalVertex> parents) {
  const std::uint32_t root_place = copy_.places()[static_cast<std::size_t>(raw(root))];
  if (root_place == EdgeCopy::no_place || !take_parents(root, parents) || !count_levels(root_place))
    return {};
  RowTally total;
  const auto num_rows = static_cast<std::int64_t>(copy_.num_rows());
#pragma omp parallel
  {
    RowTally mine;
#pragma omp for schedule(dynamic, 1)
    for (std::int64_t first = 0; first < num_rows; first += rows_at_a_time) {
      const std::int64_t end = std::min(first + rows_at_a_time, num_rows);
      for (std::int64_t place = first; place < end; ++place) check_row(static_cast<std::size_t>(place), mine);
    }
#pragma omp critical(isobath_copy_check)
    total.merge(mine);
  }
  if (total.wrong_levels != 0 || total.missing_tree_edges != 0 ||
      total.earlier_children_met != earlier_children_) {
    return {};
  }
  Confirmed confirmed{{total.traversed_edges, self_loops_in_tree()}, {}};
  for (int level = 0; level <= deepest_level; ++level) {
    const std::int64_t vertices = total.with_level[static_cast<std::size_t>(level)];
    if (vertices == 0) break;  // a level below has none either: each vertex has its parent above it
    confirmed.vertices_per_level.push_back(vertices);
  }
  return confirmed;
}

/// Parents by place. False where one is no vertex, or no edge joins it to anything, or the root has another.
bool CopyCheck::take_parents(GlobalVertex root, std::span<const GlobalVertex> parents) {
  const std::uint32_t* const place_of = copy_.places().data();
  std::uint32_t* const parent_at = parents_.data();
  const auto num_vertices = static_cast<std::int64_t>(parents.size());
  const auto limit = static_cast<std::uint64_t>(num_vertices);
  if (parents[static_cast<std::size_t>(raw(root))] != root) return false;
#pragma omp parallel for schedule(static)
  for (std::size_t word = 0; word < has_earlier_child_.size(); ++word) has_earlier_child_[word] = 0;
  const auto others = static_cast<std::uint32_t>(copy_.num_rows());
  std::int64_t wrong = 0;
  std::int64_t earlier_children = 0;
#pragma omp parallel for schedule(static) reduction(+ : wrong, earlier_children)
  for (std::int64_t i = 0; i < num_vertices; ++i) {
    const auto v = static_cast<std::size_t>(i);
    const std::uint32_t place = place_of[v];
    const auto soon = static_cast<std::uint64_t>(raw(parents[std::min(v + look_ahead, parents.size() - 1)]));
    __builtin_prefetch(place_of + (soon < limit ? soon : 0));
    const auto parent = static_cast<std::uint64_t>(raw(parents[v]));
    // All bits or none: nobody could foretell which vertices have a parent.
    const std::uint64_t is_vertex = std::uint64_t{0} - std::uint64_t{parent < limit ? 1U : 0U};
    const std::uint32_t of_parent = place_of[parent & is_vertex] | static_cast<std::uint32_t>(~is_vertex);
    const unsigned has_none = parent == ~std::uint64_t{0} ? 1U : 0U;
    const unsigned is_joined = of_parent != EdgeCopy::no_place ? 1U : 0U;
    const unsigned has_place = place != EdgeCopy::no_place ? 1U : 0U;
    wrong += 1U ^ (has_none | (is_joined & has_place));
    // All that have no place share the one behind the last, which nobody reads.
    store(parent_at[std::min(place, others)], of_parent);
    if (of_parent > place && is_joined != 0) {  // rare
      claim_bit(has_earlier_child_.span(), of_parent);
      ++earlier_children;
    }
  }
  earlier_children_ = earlier_children;
  return wrong == 0;
}

/// Levels along the parents. False where one is not found: the parents run in a circle, lead elsewhere than
/// to the root, or to it over too many levels.
bool CopyCheck::count_levels(std::uint32_t root) {
  const auto num_rows = static_cast<std::int64_t>(copy_.num_rows());
#pragma omp parallel for schedule(static)
  for (std::int64_t i = 0; i < num_rows; ++i) {
    const auto place = static_cast<std::size_t>(i);
    levels_[place] = static_cast<std::uint16_t>(parents_[place] == EdgeCopy::no_place ? outside : 0);
  }
  levels_[root] = 1;
  // Most parents have a lower place, so that the first round settles most vertices, over several levels.
  settle(num_rows, [](std::int64_t i) { return static_cast<std::uint32_t>(i); });
  while (num_pending_ > 0) {
    const std::int64_t before = num_pending_;
    settle(before, [&](std::int64_t i) { return pending_[static_cast<std::size_t>(i)]; });
    if (num_pending_ == before) return false;
  }
  return true;
}

/// Gives levels to those of `count` places whose parents have one; the others become the pending ones.
template <class PlaceAt>
void CopyCheck::settle(std::int64_t count, const PlaceAt& place_at) {
  std::vector<std::pair<std::int64_t, std::int64_t>> parts(static_cast<std::size_t>(max_threads()));
#pragma omp parallel
  {
    const auto share = static_share(count, thread_id(), num_threads());
    std::int64_t kept = share.first;
    for (std::int64_t i = share.first; i < share.second; ++i) {
      const std::uint32_t place = place_at(i);
      const std::uint32_t level = load(levels_[place]);
      const std::uint32_t parent = parents_[place];
      const std::uint32_t of_parent = load(levels_[parent == EdgeCopy::no_place ? place : parent]);
      const std::uint32_t settled = level != 0 ? level : (of_parent & with_deeper_level) << 1;
      store(levels_[place], static_cast<std::uint16_t>(settled));
      pending_[static_cast<std::size_t>(kept)] = place;
      kept += settled == 0 ? 1 : 0;
    }
    parts[static_cast<std::size_t>(thread_id())] = {share.first, kept};
  }
  num_pending_ = 0;
  for (const auto& [first, end] : parts) {
    std::copy(pending_.begin() + first, pending_.begin() + end, pending_.begin() + num_pending_);
    num_pending_ += end - first;
  }
}

/// All edges of a row: levels of their ends, and whether the vertex's tree edge is among them, or that of a
/// neighbour.
void CopyCheck::check_row(std::size_t place, RowTally& tally) {
  const std::span<const std::uint32_t> row = copy_.row(place);
  const std::uint32_t parent = load(parents_[place]);
  const std::uint32_t seen = levels_of(row, levels_.data());
  const std::uint32_t level = levels_[place];
  tally.wrong_levels |= seen & ~(level | level << 1 | level >> 1);
  ++tally.with_level[static_cast<std::size_t>(std::countr_zero(level))];
  if (level == outside) return;
  tally.traversed_edges += static_cast<std::int64_t>(row.size());
  if (parent < place && !contains(row, parent)) ++tally.missing_tree_edges;
  if (test_bit(has_earlier_child_.span(), place)) tally.earlier_children_met += meet_earlier_children(place);
}

/// Neighbours in this row whose parent this is; each is its own parent afterwards, so that a duplicate of the
/// edge does not count.
std::int64_t CopyCheck::meet_earlier_children(std::size_t parent) {
  std::int64_t met = 0;
  for (const std::uint32_t neighbour : copy_.row(parent)) {
    if (load(parents_[neighbour]) != parent) continue;
    store(parents_[neighbour], neighbour);
    ++met;
  }
  return met;
}

std::int64_t CopyCheck::self_loops_in_tree() const {
  std::int64_t in_tree = 0;
  for (const std::uint32_t v : copy_.self_loops()) {
    const std::uint32_t place = copy_.places()[v];
    if (place != EdgeCopy::no_place && levels_[place] != outside) ++in_tree;
  }
  return in_tree;
}

}  // namespace isobath
