// SPDX-License-Identifier: Apache-2.0
// The end of a search: parents in original numbering, every own vertex written once.
#include <algorithm>

#include "base/threads.hpp"
#include "bfs/grid_search.hpp"

namespace isobath {

void GridSearch::emit(GlobalVertex root, const Start& start) {
  const bool tiny = start.label != Components::main &&
                    !built_.world.any(!reached_is_whole_ || held_as_ == FrontierHeldAs::bitmaps);
  if (tiny) {
    emit_tiny(start);
  } else {
    emit_all(start);
  }
  const BlockPartition& blocks = built_.graph.layout.blocks;
  const auto set_parent = [&](std::int64_t child, std::int64_t parent) {
    const int owner = blocks.block_of(GlobalVertex{child});
    if (owner == built_.world.rank())
      parents_[static_cast<std::size_t>(child - blocks.first(owner))] = GlobalVertex{parent};
  };
  set_parent(raw(root), raw(root));
  if (start.root.kind == Location::Kind::leaf) set_parent(start.root.neighbour, raw(root));
}

void GridSearch::emit_all(const Start& start) {
  const bool here = built_.graph.layout.rows_are_complete();
  if (here && built_.graph.layout.shape.rows > 1)
    expand_visited();  // leaves ask whether their neighbour was reached
  const Word* const cols = built_.graph.layout.shape.rows > 1 ? visited_cols_.data() : visited_.data();
  const FoundOneColumn found_one_column{built_.graph, visited_.data(), cols, first_found_.data(),
                                        parent_col_.data()};
  const bool in_main = start.label == Components::main;
  const bool copies = in_main && likely_.has_value();
  if (copies && dealt_) return emit_main(found_one_column);
  const FoundSeveralColumns found_several_columns{
      built_.graph, visited_.data(), hub_pass_ ? hub_pass_->by_first() : nullptr, parent_original_.data(),
      in_main ? built_.components.leaves_in_main().data() : nullptr};
  GlobalVertex* const out = parents_.data();
  const std::int64_t blocks = built_.graph.numbering.num_emit_blocks();
  const std::uint32_t heavy = built_.graph.numbering.num_heavy();
  constexpr std::int64_t part = 8;
#pragma omp parallel
  {
#pragma omp for schedule(dynamic, 1)
    for (std::int64_t p = 0; p < (blocks + part - 1) / part; ++p) {
      const std::int64_t end = std::min(blocks, (p + 1) * part);
      if (copies && !here) {
        emit_main_component(found_several_columns, *likely_, instructions_, p * part, end, out);
      } else if (copies) {
        emit_main_component(found_one_column, *likely_, instructions_, p * part, end, out);
      } else if (here) {
        emit_blocks(found_one_column, p * part, end, out);
      } else {
        emit_blocks(found_several_columns, p * part, end, out);
      }
    }
    const auto [first, end] = static_share(heavy, thread_id(), num_threads(), 64);
    if (here && !copies) {
      emit_heavy(found_one_column, static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(end), out);
    } else if (!here && !copies) {
      emit_heavy(found_several_columns, static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(end),
                 out);
    }
  }
  if (here || in_main) return;
  for (const Components::OuterLeaf& outer : built_.components.outer_leaves(start.label)) {
    out[built_.graph.numbering.leaf_original[outer.leaf]] =
        GlobalVertex{built_.graph.leaves.neighbour[outer.leaf]};
  }
}

/// Of the main component, where working order is not original order.
void GridSearch::emit_main(const FoundOneColumn& found) {
  dealt_->clear();
  const std::size_t words = built_.graph.layout.own_words();
  constexpr std::size_t part = 128;
  const std::size_t parts = (words + part - 1) / part;
  const std::size_t ranges = dealt_->num_ranges();
#pragma omp parallel
  {
    const int me = thread_id();
#pragma omp for schedule(dynamic, 1)
    for (std::size_t p = 0; p < parts; ++p) {  // small parts: what is left to deal stands together
      dealt_->deal(found, instructions_, p * part, std::min(words, (p + 1) * part), me);
    }
#pragma omp for schedule(dynamic, 1)
    for (std::size_t range = 0; range < ranges; ++range) {
      dealt_->write(*likely_, instructions_, range, parents_.data(), me);
    }
  }
}

std::int64_t GridSearch::parent_of(std::uint32_t working) const {
  if (!built_.graph.layout.rows_are_complete()) {
    const bool by_hub =
        hub_pass_ && test_bit({hub_pass_->by_first(), built_.graph.layout.own_words()}, working);
    return by_hub ? built_.graph.hubs.original[built_.graph.hubs.kept[0][working]]
                  : parent_original_[working];
  }
  const bool by_first = test_bit(first_found_.span(), working);
  return built_.graph
      .column_original[by_first ? built_.graph.by_target.of(working)[0] : parent_col_[working]];
}

/// A component outside the main one, of few vertices: nothing is merged, the array is filled and a few slots
/// written.
void GridSearch::emit_tiny(const Start& start) {
  const std::size_t size = parents_.size();
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < size; ++i) parents_[i] = no_vertex;
  for (const std::uint32_t working : reached_one_by_one_) {
    parents_[built_.graph.numbering.original[working]] = GlobalVertex{parent_of(working)};
  }
  for (const Components::OuterLeaf& outer : built_.components.outer_leaves(start.label)) {
    parents_[built_.graph.numbering.leaf_original[outer.leaf]] =
        GlobalVertex{built_.graph.leaves.neighbour[outer.leaf]};
  }
}

}  // namespace isobath
