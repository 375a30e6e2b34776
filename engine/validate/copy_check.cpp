// SPDX-License-Identifier: Apache-2.0
#include "validate/copy_check.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <numeric>
#include <utility>

#include "base/expects.hpp"
#include "base/threads.hpp"
#include "validate/level_bits.hpp"
#include "validate/vertex_index.hpp"

namespace isobath {
namespace {

using level_bits::outside;
constexpr std::uint32_t with_deeper_level = (1U << level_bits::deepest) - 1;

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

struct CopyCheck::Tally {
  std::uint32_t wrong_levels = 0;
  std::int64_t missing_tree_edges = 0;
  std::int64_t traversed_edges = 0;
  std::array<std::int64_t, 16> with_level{};
  std::vector<TreeEdge> elsewhere;  // tree edges that stand in rows of other ranks

  void merge(const Tally& other) {
    wrong_levels |= other.wrong_levels;
    missing_tree_edges += other.missing_tree_edges;
    traversed_edges += other.traversed_edges;
    for (std::size_t i = 0; i < with_level.size(); ++i) with_level[i] += other.with_level[i];
    elsewhere.insert(elsewhere.end(), other.elsewhere.begin(), other.elsewhere.end());
  }
};

/// What several ranks need besides.
struct CopyCheck::Ranks {
  Ranks(const Communicator& world, const GatheredVertices& gathered, const EdgeCopy& copy)
      : delivery(world, copy.dealt(), gathered.own(copy.places())),
        levels(world, copy.dealt(), copy.num_places()) {}

  RowDelivery delivery;
  LevelRounds levels;
};

CopyCheck::CopyCheck(const Communicator& world, const GatheredVertices& gathered, const EdgeStream& edges)
    : world_(world),
      gathered_(gathered),
      copy_(world, edges),
      parents_(copy_.num_rows() + 1),
      levels_(LevelRounds::room_for(copy_.num_places())),
      pending_(world.size() == 1 ? copy_.num_places() : 0) {
  ISOBATH_EXPECTS(world.size() == 1 || gathered.are_gathered());
  if (world.size() > 1) ranks_ = std::make_unique<Ranks>(world, gathered, copy_);
}

CopyCheck::~CopyCheck() = default;

std::optional<CopyCheck::Confirmed> CopyCheck::confirm(GlobalVertex root,
                                                       std::span<const GlobalVertex> parents) {
  const std::uint32_t root_place = copy_.places()[index(root)];
  if (root_place == EdgeCopy::no_place) return {};
  const std::int64_t wrong_parents = take_parents(parents);
  if (!find_levels(root_place, wrong_parents != 0)) return {};
  Tally total;
  const auto num_rows = static_cast<std::int64_t>(copy_.num_rows());
#pragma omp parallel
  {
    Tally mine;
#pragma omp for schedule(dynamic, 1)
    for (std::int64_t first = 0; first < num_rows; first += rows_at_a_time) {
      const std::int64_t end = std::min(first + rows_at_a_time, num_rows);
      for (std::int64_t row = first; row < end; ++row) check_row(static_cast<std::size_t>(row), mine);
    }
#pragma omp critical(isobath_copy_check)
    total.merge(mine);
  }
  if (ranks_ != nullptr) total.missing_tree_edges += missing_of_all(total.elsewhere);
  const bool is_wrong = total.wrong_levels != 0 || total.missing_tree_edges != 0;
  std::array<std::int64_t, 3 + level_bits::deepest + 1> sums{is_wrong ? 1 : 0, total.traversed_edges,
                                                             self_loops_in_tree()};
  const auto per_level = std::span(sums).subspan<3>();
  std::copy_n(total.with_level.begin(), per_level.size(), per_level.begin());
  world_.sum(std::span<std::int64_t>(sums));
  if (sums[0] != 0) return {};
  Confirmed confirmed{{sums[1], sums[2]}, {}};
  for (const std::int64_t vertices : per_level) {
    if (vertices == 0) break;  // a level below has none either: each vertex has its parent above it
    confirmed.vertices_per_level.push_back(vertices);
  }
  return confirmed;
}

/// Collective. Parents of the rows here. Returns how many own vertices are wrong by that alone.
std::int64_t CopyCheck::take_parents(std::span<const GlobalVertex> parents) {
  if (ranks_ == nullptr) {
    const std::span<const std::uint32_t> place_of = copy_.places();
    // All that have no place share the one behind the last, which nobody reads.
    const auto others = static_cast<std::uint32_t>(copy_.num_rows());
    return place_parents(parents, [&](std::size_t v, std::uint32_t of_parent) {
      store(parents_[std::min(place_of[v], others)], of_parent);
    });
  }
  const std::int64_t wrong = place_parents(
      parents, [&](std::size_t v, std::uint32_t of_parent) { ranks_->delivery.put(v, of_parent); });
  ranks_->delivery.deliver(parents_.span());
  return wrong;
}

/// Collective. False, on every rank, where there are none of all vertices.
bool CopyCheck::find_levels(std::uint32_t root, bool is_wrong) {
  if (ranks_ == nullptr) return !is_wrong && parents_[root] == root && count_levels(root);
  const auto of_rows = std::span<const std::uint32_t>(parents_.span()).first(copy_.num_rows());
  return ranks_->levels.find(root, of_rows, is_wrong, levels_.span());
}

/// Calls visit(v, place of its parent) for own vertices. Returns how many have a parent that is no vertex or
/// is joined to nothing, or have one and are joined to nothing.
template <class Visit>
std::int64_t CopyCheck::place_parents(std::span<const GlobalVertex> parents, const Visit& visit) const {
  const std::uint32_t* const place_of = copy_.places().data();
  const std::span<const std::uint32_t> own_places = gathered_.own(copy_.places());
  const auto num_own = static_cast<std::int64_t>(parents.size());
  const auto limit = static_cast<std::uint64_t>(copy_.places().size());
  std::int64_t wrong = 0;
#pragma omp parallel for schedule(static) reduction(+ : wrong)
  for (std::int64_t i = 0; i < num_own; ++i) {
    const auto v = static_cast<std::size_t>(i);
    const auto soon = static_cast<std::uint64_t>(raw(parents[std::min(v + look_ahead, parents.size() - 1)]));
    __builtin_prefetch(place_of + (soon < limit ? soon : 0));
    const auto parent = static_cast<std::uint64_t>(raw(parents[v]));
    // All bits or none: nobody could foretell which vertices have a parent.
    const std::uint64_t is_vertex = std::uint64_t{0} - std::uint64_t{parent < limit ? 1U : 0U};
    const std::uint32_t of_parent = place_of[parent & is_vertex] | static_cast<std::uint32_t>(~is_vertex);
    const unsigned has_none = parent == ~std::uint64_t{0} ? 1U : 0U;
    const unsigned is_joined = of_parent != EdgeCopy::no_place ? 1U : 0U;
    const unsigned has_place = own_places[v] != EdgeCopy::no_place ? 1U : 0U;
    wrong += 1U ^ (has_none | (is_joined & has_place));
    visit(v, of_parent);
  }
  return wrong;
}

/// Levels along the parents, on one rank. False where one is not found: the parents run in a circle, lead
/// elsewhere than to the root, or to it over too many levels.
bool CopyCheck::count_levels(std::uint32_t root) {
  const auto num_places = static_cast<std::int64_t>(copy_.num_places());
#pragma omp parallel for schedule(static)
  for (std::int64_t i = 0; i < num_places; ++i) {
    const auto place = static_cast<std::size_t>(i);
    levels_[place] = static_cast<std::uint16_t>(parents_[place] == EdgeCopy::no_place ? outside : 0);
  }
  levels_[root] = 1;
  // Most parents have a lower place, so that the first round settles most vertices, over several levels.
  settle(num_places, [](std::int64_t i) { return static_cast<std::uint32_t>(i); });
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

/// All edges of a row: levels of their ends, and whether the vertex's tree edge is where it should be.
void CopyCheck::check_row(std::size_t at, Tally& tally) const {
  const std::span<const std::uint32_t> row = copy_.row(at);
  const DealtRows& dealt = copy_.dealt();
  const std::uint32_t place = dealt.place_of(static_cast<std::uint32_t>(at));
  const std::uint32_t parent = parents_[at];
  const std::uint32_t seen = levels_of(row, levels_.data());
  const std::uint32_t level = levels_[place];
  tally.wrong_levels |= seen & ~(level | level << 1 | level >> 1);
  ++tally.with_level[static_cast<std::size_t>(std::countr_zero(level))];
  if (level == outside) return;
  tally.traversed_edges += static_cast<std::int64_t>(row.size());
  if (parent < place) {
    tally.missing_tree_edges += contains(row, parent) ? 0 : 1;
  } else if (parent > place) {  // seldom
    const TreeEdge edge{parent, place};
    if (dealt.is_here(parent)) {
      tally.missing_tree_edges += has_row_with(edge) ? 0 : 1;
    } else {
      tally.elsewhere.push_back(edge);
    }
  }
}

/// Whether the edge stands in the row of the parent, which has the later place and its row here.
bool CopyCheck::has_row_with(const TreeEdge& edge) const {
  return contains(copy_.row(copy_.dealt().row_of(edge.parent)), edge.child);
}

/// Collective. Brings edges of all ranks to the ranks of the parents' rows, and returns how many of those
/// that arrive here do not stand there.
std::int64_t CopyCheck::missing_of_all(std::span<const TreeEdge> edges) const {
  const DealtRows& dealt = copy_.dealt();
  std::vector<std::int64_t> counts(static_cast<std::size_t>(world_.size()));
  for (const TreeEdge& edge : edges) ++counts[static_cast<std::size_t>(dealt.rank_of(edge.parent))];
  std::vector<std::size_t> next(counts.size());
  std::exclusive_scan(counts.begin(), counts.end(), next.begin(), std::size_t{0});
  std::vector<TreeEdge> grouped(edges.size());
  for (const TreeEdge& edge : edges)
    grouped[next[static_cast<std::size_t>(dealt.rank_of(edge.parent))]++] = edge;
  const std::vector<TreeEdge> arrived = world_.alltoallv<TreeEdge>(grouped, counts);
  std::int64_t missing = 0;
#pragma omp parallel for schedule(static) reduction(+ : missing)
  for (std::size_t i = 0; i < arrived.size(); ++i) missing += has_row_with(arrived[i]) ? 0 : 1;
  return missing;
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
