// SPDX-License-Identifier: Apache-2.0
#include "bfs/hybrid/emit.hpp"

#include <algorithm>
#include <type_traits>

#include "base/threads.hpp"

namespace isobath {
namespace {

/// Emit blocks that a thread takes in one go.
constexpr std::int64_t blocks_at_once = 8;

/// Calls emit(first, end) for parts of the emit blocks, by the threads of a parallel region.
template <class Visit>
void for_parts_of_blocks(const Numbering& numbering, Visit&& emit) {
  const std::int64_t blocks = numbering.num_emit_blocks();
#pragma omp for schedule(dynamic, 1)
  for (std::int64_t p = 0; p < (blocks + blocks_at_once - 1) / blocks_at_once; ++p) {
    emit(p * blocks_at_once, std::min(blocks, (p + 1) * blocks_at_once));
  }
}

}  // namespace

Emit::Emit(const ConstructedGraph& built)
    : built_(built), parents_(static_cast<std::size_t>(built.graph.numbering.num_originals)) {
  fill_by_team(parents_.span(), no_vertex);  // no page fault is left
}

std::int64_t Emit::prepare_likely_parents(std::span<const Word> in_main) {
  likely_ = likely_parents(built_.graph, in_main, built_.components.leaves_in_main());
  if (can_deal_parents(built_.graph)) dealt_.emplace(built_.graph.numbering, max_threads());
  return likely_->known;
}

/// Which function writes the parents of whom. An outer component is any but the main one:
///
///   component of the root   searched vertices   leaves, on one column   on several
///   outer, listed           emit_listed         write_outer_leaves      write_outer_leaves
///   outer, not listed       write_all           write_all               write_outer_leaves
///   main, likely parents    write_main          write_main              write_main
///   main, without them      write_all           write_all               write_all
///
/// On one column write_all() looks up whether a leaf's neighbour is visited. On several the rank may not have
/// that neighbour among its columns, so it reads bits of the leaves that are reached, which there are of the
/// main component alone.
template <class Found>
std::span<const GlobalVertex> Emit::write(const SearchStart& start, const Found& found,
                                          std::optional<std::span<const std::uint32_t>> listed) {
  if (listed) {
    fill_by_team(parents_.span(), no_vertex);
    emit_listed(found, *listed, parents_.data());
  } else if (copies_likely_parents(start)) {
    write_main(found);
  } else {
    write_all(found);
  }
  const bool in_main = start.label == Components::main;
  if (listed || (!in_main && std::is_same_v<Found, FoundSeveralColumns>)) write_outer_leaves(start.label);
  // No level finds the start vertex: until here its parent is stale.
  set_parent(raw(start.root), start.root);
  if (start.root_at.kind == Location::Kind::leaf) set_parent(start.root_at.neighbour, start.root);
  return parents_.span();
}

template <class Found>
void Emit::write_all(const Found& found) {
  const Numbering& numbering = built_.graph.numbering;
#pragma omp parallel
  {
    for_parts_of_blocks(numbering, [&](std::int64_t first, std::int64_t end) {
      emit_blocks(found, first, end, parents_.data());
    });
    const auto [first, end] = static_share(numbering.num_heavy(), thread_id(), num_threads(), 64);
    emit_heavy(found, static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(end), parents_.data());
  }
}

/// The likely parents are copied, and corrected where the search found others.
template <class Found>
void Emit::write_main(const Found& found) {
  if (dealt_) return write_families(found);
#pragma omp parallel
  for_parts_of_blocks(built_.graph.numbering, [&](std::int64_t first, std::int64_t end) {
    emit_main_component(found, *likely_, instructions_, first, end, parents_.data());
  });
}

/// The same with families. Their vertices do not stand in original order, in which the result is written: so
/// corrections are first dealt into ranges of original numbers (graph/dealt_parents.hpp).
template <class Found>
void Emit::write_families(const Found& found) {
  dealt_->clear();
  const std::size_t ranges = dealt_->num_ranges();
#pragma omp parallel
  {
    deal(found);
#pragma omp for schedule(dynamic, 1)
    for (std::size_t range = 0; range < ranges; ++range) {
      dealt_->write(*likely_, instructions_, range, parents_.data(), thread_id());
    }
  }
}

void Emit::deal(const FoundOneColumn& found) {
  const std::size_t words = built_.graph.layout.own_words();
  constexpr std::size_t part = 128;
  const std::size_t parts = (words + part - 1) / part;
#pragma omp for schedule(dynamic, 1)
  for (std::size_t p = 0; p < parts; ++p) {  // small parts: what is left to deal stands together
    dealt_->deal(found, instructions_, p * part, std::min(words, (p + 1) * part), thread_id());
  }
}

void Emit::deal(const FoundSeveralColumns& found) {
  for (const ListedParents& list : found.listed) {  // most is adopted by the thread that runs Fold
    const std::span<const FoundParent> all = list.all();
    const auto [first, end] = static_share(std::ssize(all), thread_id(), num_threads());
    dealt_->deal(found.graph,
                 all.subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(end - first)),
                 thread_id());
  }
#pragma omp barrier
}

/// Leaves of the root's component, which is not the main one.
void Emit::write_outer_leaves(std::int64_t label) {
  for (const Components::OuterLeaf& outer : built_.components.outer_leaves(label)) {
    parents_[built_.graph.numbering.leaf_original[outer.leaf]] =
        GlobalVertex{built_.graph.leaves.neighbour[outer.leaf]};
  }
}

void Emit::set_parent(std::int64_t child, GlobalVertex parent) {
  const BlockPartition& blocks = built_.graph.layout.blocks;
  const int owner = blocks.block_of(GlobalVertex{child});
  if (owner == built_.world.rank()) parents_[static_cast<std::size_t>(child - blocks.first(owner))] = parent;
}

template std::span<const GlobalVertex> Emit::write(const SearchStart&, const FoundOneColumn&,
                                                   std::optional<std::span<const std::uint32_t>>);
template std::span<const GlobalVertex> Emit::write(const SearchStart&, const FoundSeveralColumns&,
                                                   std::optional<std::span<const std::uint32_t>>);

}  // namespace isobath
