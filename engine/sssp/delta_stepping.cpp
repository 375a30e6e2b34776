// SPDX-License-Identifier: Apache-2.0
#include "sssp/delta_stepping.hpp"

#include <algorithm>

#include "base/threads.hpp"

namespace isobath {

DeltaStepping::DeltaStepping(const WeightedEdgeStream& edges, const Communicator& world,
                             const PathOptions& options, PhaseObserver& observer)
    : ConstructedGraph(
          world, options.shape,
          [&](const Grid& grid) { return construct_weighted_graph(edges, world, grid, observer); }),
      emit_step_(emit_paths_for(best_instruction_set())) {
  observer.phase(Phase::build_streams);
  if (world.size() == 1) {
    here_ = std::make_unique<LocalPaths>(graph_, options.delta);
  } else {
    afar_ = std::make_unique<GridPaths>(graph_, world, grid_, options.delta);
  }
  const auto own = static_cast<std::size_t>(graph_.numbering.num_originals);
  parents_ = LargeArray<GlobalVertex>(own);
  distances_ = LargeArray<float>(own);
  label_components(observer, [this](const Location& start) { return reached_from(start); });
  reached_ = {};
  if (here_) {
    facts_.prepared.light_streams = static_cast<int>(num_light);
    facts_.prepared.core_radius = here_->core_radius();
  }
}

/// The main component, by a search from the hub of highest degree.
std::span<const Word> DeltaStepping::reached_from(const Location& start) {
  SearchObserver silent;
  find_paths(start, silent);
  if (here_) here_->choose_core();
  const std::span<const float> distances = here_ ? here_->distances() : afar_->distances();
  reached_.assign(graph_.layout.own_words() + piece_bits / word_bits, 0);
  for (std::uint32_t v = 0; v < graph_.layout.own_searched(); ++v) {
    if (distances[v] < unreached) set_bit(reached_, v);
  }
  return reached_;
}

FoundTree DeltaStepping::search(GlobalVertex root, SearchObserver& observer) {
  const Location location = locate(graph_, world_, root);
  find_paths(location, observer);
  observer.phase(Phase::emit);
  if (here_) {
    emit_here(root, location);
  } else {
    emit_afar();
  }
  return {parents_.span(), distances_.span()};
}

/// A leaf as root, which only one rank has, starts at its neighbour.
void DeltaStepping::find_paths(const Location& root, SearchObserver& observer) {
  if (afar_) {
    afar_->search(root, observer);
    return;
  }
  const auto working = static_cast<std::uint32_t>(root.working);
  if (root.kind == Location::Kind::searched) {
    here_->search(working, 0, observer);
  } else if (graph_.leaves.neighbour_col[working] != graph_.layout.missing_col()) {
    here_->search(graph_.leaves.neighbour_col[working], graph_.leaves.weight[working], observer);
  } else {
    here_->reset();  // two leaves that have only each other: emit knows all about them
  }
}

void DeltaStepping::set_path(std::int64_t vertex, std::int64_t parent, float distance) {
  parents_[static_cast<std::size_t>(vertex)] = GlobalVertex{parent};
  distances_[static_cast<std::size_t>(vertex)] = distance;
}

void DeltaStepping::emit_here(GlobalVertex root, const Location& location) {
  const PathsToEmit found{graph_, here_->distances().data(), here_->parents().data(), parents_.data(),
                          distances_.data()};
  const std::int64_t blocks = graph_.numbering.num_emit_blocks();
  constexpr std::int64_t part = 8;
#pragma omp parallel
  {
#pragma omp for schedule(dynamic, 1)
    for (std::int64_t p = 0; p < (blocks + part - 1) / part; ++p) {
      emit_step_(found, p * part, std::min(blocks, (p + 1) * part));
    }
    const auto [first, end] = static_share(graph_.numbering.hubs(), thread_id(), num_threads(), 64);
    emit_hub_paths(found, static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(end));
  }
  if (location.kind != Location::Kind::leaf) return;
  set_path(location.neighbour, raw(root), graph_.leaves.weight[static_cast<std::size_t>(location.working)]);
  set_path(raw(root), raw(root), 0);
}

void DeltaStepping::emit_afar() {
  const Numbering& numbering = graph_.numbering;
  const std::span<const float> distances = afar_->distances();
  const std::span<const std::int64_t> parents = afar_->parents();
#pragma omp parallel for schedule(static)
  for (std::int64_t v = 0; v < numbering.num_originals; ++v) {
    const std::uint32_t working = numbering.code[static_cast<std::size_t>(v)];
    const bool is_reached = working < Numbering::leaf && distances[working] < unreached;
    set_path(v, is_reached ? parents[working] : raw(no_vertex), is_reached ? distances[working] : unreached);
  }
}

}  // namespace isobath
