// SPDX-License-Identifier: Apache-2.0
#include "sssp/delta_stepping.hpp"

#include <algorithm>

#include "base/threads.hpp"
#include "sssp/registered_path_plan.hpp"

namespace isobath {

RegisteredPathPlan registered_delta_stepping() {
  return {.name = "delta-stepping",
          .takes_delta = true,
          .require_numbers =
              [](std::int64_t num_vertices, GridShape shape) {
                require_positions(BlockPartition(num_vertices, shape.size()), shape,
                                  PathOptions().graph.position_bits);
              },
          .construct = construct_as<DeltaStepping, WeightedEdgeStream, PathOptions>};
}

DeltaStepping::DeltaStepping(const WeightedEdgeStream& edges, const Communicator& world,
                             const PathOptions& options, PhaseObserver& observer)
    : built_(world, options.shape,
             [&](const Grid& grid) {
               return construct_weighted_graph(edges, world, grid, observer, options.graph);
             }),
      emit_step_(emit_paths_for(best_instruction_set(), built_.graph)) {
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
  tell_streams(world);
  built_.facts.prepared.core_radius = local_ ? local_->core_radius() : grid_->core_radius();
}

/// Ranks with hypersparse rows read all arcs from the rows.
void DeltaStepping::tell_streams(const Communicator& world) {
  const std::int64_t without = world.sum(std::int64_t{local_ || grid_->has_light_streams() ? 0 : 1});
  const bool has_some = without < world.size();
  built_.facts.prepared.light_streams = has_some ? static_cast<int>(num_light) : 0;
  built_.facts.prepared.ranks_without_light_streams = has_some ? static_cast<int>(without) : 0;
}

std::span<const float> DeltaStepping::found_distances() const {
  return local_ ? local_->distances() : grid_->found().distances();
}

/// The main component, by a search from the hub of highest degree.
std::span<const Word> DeltaStepping::reached_from(const Location& start) {
  SearchObserver silent;
  find_paths({start}, silent);
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
  const Start start = start_of(location);
  find_paths(start, observer);
  if (grid_) grid_->finish(observer);
  observer.phase(Phase::emit);
  emit();
  if (location.kind == Location::Kind::leaf) {
    set_path(location.neighbour, raw(root), start.distance);
    set_path(raw(root), raw(root), 0);
  }
  return {parents_.span(), distances_.span()};
}

DeltaStepping::Start DeltaStepping::start_of(const Location& root) const {
  if (root.kind != Location::Kind::leaf) return {root};
  const Communicator& world = built_.world;
  const auto owner = static_cast<int>(root.owner);
  const auto leaf = static_cast<std::size_t>(root.working);
  const float weight = world.rank() == owner ? built_.graph.leaves.weight[leaf] : 0;
  return {locate(built_.graph, world, GlobalVertex{root.neighbour}),
          world.size() == 1 ? weight : world.broadcast(weight, owner)};
}

/// Of two leaves that have only each other nothing is searched: search() knows all about them.
void DeltaStepping::find_paths(const Start& start, SearchObserver& observer) {
  const bool is_searched = start.vertex.kind == Location::Kind::searched;
  if (!is_searched) {
    local_ ? local_->reset() : grid_->reset();
  } else if (local_) {
    local_->search(static_cast<std::uint32_t>(start.vertex.working), start.distance, observer);
  } else {
    grid_->search(start.vertex, start.distance, observer);
  }
}

/// Where the vertex is an own one.
void DeltaStepping::set_path(std::int64_t vertex, std::int64_t parent, float distance) {
  const BlockPartition& blocks = built_.graph.layout.blocks;
  if (blocks.block_of(GlobalVertex{vertex}) != built_.world.rank()) return;
  const auto own = static_cast<std::size_t>(blocks.to_local(GlobalVertex{vertex}));
  parents_[own] = GlobalVertex{parent};
  distances_[own] = distance;
}

PathsToEmit DeltaStepping::paths_to_emit() {
  const std::span<const std::uint32_t> parents = local_ ? local_->parents() : grid_->found().parents();
  PathsToEmit found{.graph = built_.graph,
                    .distance = found_distances().data(),
                    .of_column = local_ ? local_->distances().data() : grid_->found().known(),
                    .parent = parents.data(),
                    .parents = parents_.data(),
                    .distances = distances_.data()};
  const ColumnOriginals& originals = built_.graph.column_original;
  if (!originals.are_wide()) found.original_of_col = originals.narrow().data();
  if (grid_) {
    found.original_parent = grid_->found().original_parents();
    found.leaf_distance = grid_->leaf_distances();
  }
  return found;
}

void DeltaStepping::emit() {
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
}

}  // namespace isobath
