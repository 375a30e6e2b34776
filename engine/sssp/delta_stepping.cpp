// SPDX-License-Identifier: Apache-2.0
#include "sssp/delta_stepping.hpp"

#include <algorithm>

#include "base/threads.hpp"
#include "sssp/registered_path_plan.hpp"

namespace isobath {

RegisteredPathPlan registered_delta_stepping() {
  return {.name = "delta-stepping",
          .takes_delta = true,
          .construct = construct_as<DeltaStepping, WeightedEdgeStream, PathOptions>};
}

DeltaStepping::DeltaStepping(const WeightedEdgeStream& edges, const Communicator& world,
                             const PathOptions& options, PhaseObserver& observer)
    : built_(world, options.shape,
             [&](const Grid& grid) { return construct_weighted_graph(edges, world, grid, observer); }),
      emit_step_(built_.graph.layout.rows_are_complete() ? emit_paths_for(best_instruction_set())
                                                         : emit_paths_portable) {
  observer.phase(Phase::build_streams);
  if (world.size() == 1) {
    local_ = std::make_unique<LocalPaths>(built_.graph, options.delta);
  } else {
    grid_ = std::make_unique<GridPaths>(built_.graph, world, built_.grid, options.delta);
  }
  const auto own = static_cast<std::size_t>(built_.graph.numbering.num_originals);
  parents_ = LargeArray<GlobalVertex>(own);
  distances_ = LargeArray<float>(own);
  built_.label_components(observer, [this](const Location& start) { return reached_from(start); });
  reached_ = {};
  built_.facts.prepared.light_streams = static_cast<int>(num_light);
  built_.facts.prepared.core_radius = local_ ? local_->core_radius() : grid_->core_radius();
}

std::span<const float> DeltaStepping::found_distances() const {
  return local_ ? local_->distances() : grid_->found().distances();
}

/// The main component, by a search from the hub of highest degree.
std::span<const Word> DeltaStepping::reached_from(const Location& start) {
  SearchObserver silent;
  find_paths(start, silent);
  local_ ? local_->choose_core() : grid_->choose_core();
  const std::span<const float> distances = found_distances();
  reached_.assign(built_.graph.layout.own_words() + piece_bits / word_bits, 0);
  for (std::uint32_t v = 0; v < built_.graph.layout.own_searched(); ++v) {
    if (distances[v] < unreached) set_bit(reached_, v);
  }
  return reached_;
}

FoundTree DeltaStepping::search(GlobalVertex root, SearchObserver& observer) {
  const Location location = locate(built_.graph, built_.world, root);
  find_paths(location, observer);
  observer.phase(Phase::emit);
  emit(root, location);
  return {parents_.span(), distances_.span()};
}

/// A leaf as root, which only one rank has, starts at its neighbour.
void DeltaStepping::find_paths(const Location& root, SearchObserver& observer) {
  if (grid_) {
    grid_->search(root, observer);
    return;
  }
  const auto working = static_cast<std::uint32_t>(root.working);
  if (root.kind == Location::Kind::searched) {
    local_->search(working, 0, observer);
  } else if (built_.graph.leaves.neighbour_col[working] != built_.graph.layout.missing_col()) {
    local_->search(built_.graph.leaves.neighbour_col[working], built_.graph.leaves.weight[working], observer);
  } else {
    local_->reset();  // two leaves that have only each other: emit knows all about them
  }
}

void DeltaStepping::set_path(std::int64_t vertex, std::int64_t parent, float distance) {
  parents_[static_cast<std::size_t>(vertex)] = GlobalVertex{parent};
  distances_[static_cast<std::size_t>(vertex)] = distance;
}

PathsToEmit DeltaStepping::paths_to_emit() {
  const std::span<const std::uint32_t> parents = local_ ? local_->parents() : grid_->found().parents();
  return {.graph = built_.graph,
          .distance = found_distances().data(),
          .parent = parents.data(),
          .parents = parents_.data(),
          .distances = distances_.data(),
          .original_parent = local_ ? std::span<const std::int64_t>() : grid_->found().original_parents()};
}

void DeltaStepping::emit(GlobalVertex root, const Location& location) {
  const PathsToEmit found = paths_to_emit();
  const std::int64_t blocks = built_.graph.numbering.num_emit_blocks();
  constexpr std::int64_t part = 8;
#pragma omp parallel
  {
#pragma omp for schedule(dynamic, 1)
    for (std::int64_t p = 0; p < (blocks + part - 1) / part; ++p) {
      emit_step_(found, p * part, std::min(blocks, (p + 1) * part));
    }
    const auto [first, end] =
        static_share(built_.graph.numbering.num_heavy(), thread_id(), num_threads(), 64);
    emit_heavy_paths(found, static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(end));
  }
  if (location.kind != Location::Kind::leaf) return;
  set_path(location.neighbour, raw(root),
           built_.graph.leaves.weight[static_cast<std::size_t>(location.working)]);
  set_path(raw(root), raw(root), 0);
}

}  // namespace isobath
