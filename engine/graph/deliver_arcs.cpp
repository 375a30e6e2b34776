// SPDX-License-Identifier: Apache-2.0
#include "graph/deliver_arcs.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "base/threads.hpp"
#include "graph/arriving_arcs.hpp"
#include "graph/codes.hpp"
#include "graph/rounds.hpp"

namespace isobath {
namespace {

/// Deals arcs as they arrive, self-loops apart.
/// @tparam Arc  RoutedArc, or WideArc where positions are wide
template <class Arc>
class Arrivals {
 public:
  /// @param first_own  see ArcRouter::first_of()
  Arrivals(Arc first_own, std::int64_t own_size, std::int64_t num_targets, std::size_t expected, int blocks,
           std::size_t most_lines, PositionSplit split)
      : first_own_(first_own),
        own_size_(static_cast<std::uint32_t>(own_size)),
        arcs_(num_targets, expected, blocks, most_lines, split),
        self_loops_at_(static_cast<std::size_t>(max_threads())) {}

  void add(std::span<const Arc> arcs) {
    arcs_.deal(arcs.size(), [&](int part, int parts, bool is_last, auto&& deal) {
      const auto [first, end] = static_share(std::ssize(arcs), part, parts);
      std::vector<std::uint32_t>& loops = self_loops_at_[static_cast<std::size_t>(part)];
      add_share(arcs.subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(end - first)), deal,
                [&](std::uint32_t vertex) {
                  if (is_last) loops.push_back(vertex);
                });
    });
  }

  OriginalArcs all(std::int64_t first_source) {
    std::vector<std::uint32_t> loops;
    for (const auto& of_thread : self_loops_at_) {
      loops.insert(loops.end(), of_thread.begin(), of_thread.end());
    }
    std::sort(loops.begin(), loops.end());
    return {arcs_.dealt(), first_source, std::move(loops)};
  }

 private:
  /// A block at a time: hardly any has a self-loop.
  template <class Deal, class Note>
  void add_share(std::span<const Arc> arcs, Deal&& deal, Note&& note) const {
    constexpr std::size_t at_once = 256;
    while (!arcs.empty()) {
      const std::span<const Arc> block = arcs.first(std::min(at_once, arcs.size()));
      if (may_have_self_loops(block)) {
        for (const Arc& arc : block) add(arc, deal, note);
      } else {
        for (const Arc& arc : block) deal(arc);
      }
      arcs = arcs.subspan(block.size());
    }
  }
  /// Whether the ends of an arc are equally far from the first own vertex, inside the own block or not.
  bool may_have_self_loops(std::span<const Arc> arcs) const {
    const auto apart = source_of(first_own_) - target_of(first_own_);
    std::uint32_t found = 0;
    for (const Arc& arc : arcs) found |= source_of(arc) - target_of(arc) == apart ? 1U : 0U;
    return found != 0;
  }
  template <class Deal, class Note>
  void add(const Arc& arc, Deal&& deal, Note&& note) const {
    const auto vertex = target_of(arc) - target_of(first_own_);  // in the own block, if below its size
    if (vertex < own_size_ && source_of(arc) - source_of(first_own_) == vertex) {
      note(static_cast<std::uint32_t>(vertex));
    } else {
      deal(arc);
    }
  }

  Arc first_own_;
  std::uint32_t own_size_;
  ArrivingArcs<Arc> arcs_;
  std::vector<std::vector<std::uint32_t>> self_loops_at_;  // by thread; own vertex of each
};

template <class Arc>
OriginalArcs deliver(const EdgeStream& edges, const Communicator& world, GridShape shape,
                     const BlockPartition& blocks, PositionSplit split, std::size_t most_lines) {
  const ArcRouter router(shape, blocks);
  std::int64_t num_targets = 0;
  for (int col = 0; col < shape.cols; ++col) {
    num_targets += blocks.size(shape.rank_at(shape.row_of(world.rank()), col));
  }
  // As many as leave: vertices have no order in which their arcs would come to a few ranks.
  Arrivals<Arc> arrivals(router.first_of<Arc>(world.rank()), blocks.size(world.rank()), num_targets,
                         2 * static_cast<std::size_t>(edges.size()), shape.cols, most_lines, split);
  exchange_rounds<Arc>(
      edges, world, [&](const Edge& edge, auto&& send) { router.route_both<Arc>(edge, send); },
      [&](std::span<const Arc> arcs) { arrivals.add(arcs); });
  return arrivals.all(blocks.first(shape.rank_at(0, shape.col_of(world.rank()))));
}

}  // namespace

OriginalArcs deliver_arcs(const EdgeStream& edges, const Communicator& world, GridShape shape,
                          const BlockPartition& blocks, PositionForm form, std::size_t most_lines) {
  return form.is_wide() ? deliver<WideArc>(edges, world, shape, blocks, form.split(), most_lines)
                        : deliver<RoutedArc>(edges, world, shape, blocks, form.split(), most_lines);
}

}  // namespace isobath
