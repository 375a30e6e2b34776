// SPDX-License-Identifier: Apache-2.0
// The level loop of the plan `hybrid`. Words are explained in the header. Read search_levels(), top_down()
// and bottom_up() here, then the two levels of several_columns.cpp; one_column.cpp has the same levels
// without messages.
#include "bfs/hybrid/grid_search.hpp"

namespace isobath {

FoundTree GridSearch::search(GlobalVertex root, SearchObserver& observer) {
  observer.phase(Phase::reset);
  const SearchStart start = locate_start(built_, root);
  reset();
  // A pair of leaves has no levels.
  if (start.start_vertex.kind == Location::Kind::searched) search_levels(start, observer);
  observer.phase(Phase::emit);
  return {.parents = emit(start)};
}

void GridSearch::reset() {
  frontier_.reset();
  if (one_column_) one_column_->reset();
  if (several_columns_) several_columns_->reset();
}

/// Level by level until no rank finds anything new. What a rank sends, on R x C ranks:
///
///   step        what                                   to whom              left out where
///   reset       where the root is, and its component;  from the owner to    R C = 1
///               where a leaf's neighbour is            all
///               (locate_start)
///   a level, top-down
///     expand    its part of the frontier: a list, or   its grid column      R = 1; in the first level, whose
///               a bitmap                                                    vertex all know
///     hub pass  which hubs of its grid column are      its grid row         C = 1
///               visited (SeveralColumns::top_down)
///     fold      the parents that it found              the targets' owners  C = 1
///                                                      (in its grid row)
///   a level, bottom-up
///     expand    which own vertices are visited: a      its grid column      R = 1
///               bitmap, or a list
///     hub pass  visited hubs of its grid column        its grid row         C = 1
///     ask, ring who looks for a parent                 its grid row         C = 1
///               (steps: SeveralColumns::bottom_up)
///     fold      as top-down
///   after each level
///     reduce    sums: vertices found, their arcs, own  its grid row, then   R C = 1
///               hubs that are visited                  its grid column
///   emit, outside the main component
///     flag      that it has no list of all that it     all                  R C = 1
///               reached (many, or levels of bitmaps).
///               If any has none, all write all parents
///   emit, C = 1, where all parents are written
///     expand    which own vertices are visited: so a   its grid column      R = 1; likely parents are copied
///               leaf sees whether its neighbour is                          (Emit::copies_likely_parents)
///
/// The frontier is counted over all ranks, so that all choose the same direction without another message. In
/// the main component all know, too, when nothing is left to find: the final level is then not searched.
void GridSearch::search_levels(const SearchStart& start, SearchObserver& observer) {
  if (start.start_vertex.owner == built_.world.rank()) {
    frontier_.begin_at(static_cast<std::uint32_t>(start.start_vertex.working));
  }
  std::int64_t unvisited_vertices = built_.facts.searched_vertices - 1;
  // Unvisited when a search of the main component is complete: the vertices of all other components. Never
  // reached, -1, for a root in another component, whose size is not known.
  const std::int64_t unvisited_at_the_end =
      start.label == Components::main ? built_.facts.searched_vertices - built_.components.searched_in_main()
                                      : -1;
  FrontierSums sums{.vertices = 1, .arcs = start.start_vertex.degree, .visited_hubs = std::nullopt};
  for (Level level = start.level; sums.vertices > 0; ++level) {
    const Direction direction = direction_.choose(sums, unvisited_vertices, frontier_);
    observer.level_started(level, direction, sums.vertices);
    if (unvisited_vertices == unvisited_at_the_end) {  // the frontier is the last one
      observer.level_finished(level, 0);               // recorded, though not searched
      return;
    }
    const Location* const first = level == start.level ? &start.start_vertex : nullptr;
    const LevelCounts counts = direction == Direction::top_down ? top_down(first, sums.visited_hubs, observer)
                                                                : bottom_up(sums.visited_hubs, observer);
    observer.level_finished(level, counts.arcs_scanned);
    observer.phase(Phase::reduce);
    sums = direction_.sums_of_found(frontier_, counts.found, unvisited_vertices, own_visited_hubs());
    unvisited_vertices -= sums.vertices;
  }
}

/// @param start         in the first level the start vertex, else nothing
/// @param visited_hubs  over all ranks, before the level, where that is known
LevelCounts GridSearch::top_down(const Location* start, std::optional<std::int64_t> visited_hubs,
                                 SearchObserver& observer) {
  observer.phase(Phase::top_down);  // listing counts as top-down
  frontier_.make_list();            // where the level before left bitmaps
  if (start == nullptr && expand_.sends()) observer.phase(Phase::expand);
  const std::span<const std::uint32_t> columns =
      start != nullptr ? expand_.start_column(*start) : expand_.frontier(frontier_.list());
  observer.phase(Phase::top_down);
  if (one_column_) return one_column_->top_down(columns, frontier_);
  return several_columns_->top_down(columns, start, visited_hubs, frontier_, observer);
}

/// @param visited_hubs  as top_down() has it
LevelCounts GridSearch::bottom_up(std::optional<std::int64_t> visited_hubs, SearchObserver& observer) {
  if (expand_.sends()) observer.phase(Phase::expand);
  const Word* const visited_cols = expand_.visited(frontier_.visited());
  if (one_column_) {
    observer.phase(Phase::bottom_up);
    return one_column_->bottom_up(visited_cols, frontier_);
  }
  return several_columns_->bottom_up(visited_cols, visited_hubs, frontier_, observer);
}

/// Their sum spares the next level its telling of hubs where none is new, or all are visited (ToldHubs).
std::optional<std::int64_t> GridSearch::own_visited_hubs() const {
  return several_columns_ ? several_columns_->own_visited_hubs(frontier_.visited()) : std::nullopt;
}

/// emit_ sends nothing: its input is gathered here.
std::span<const GlobalVertex> GridSearch::emit(const SearchStart& start) {
  const bool in_main = start.label == Components::main;
  auto listed = in_main ? std::nullopt : frontier_.all_reached_if_few();
  if (!in_main && built_.world.any(!listed)) listed.reset();
  const std::span<const Word> visited = frontier_.visited();
  if (one_column_) {
    // Whether a leaf is reached is looked up by write_all() alone: by the bit of its neighbour, a column.
    const bool asks_columns = !listed && !emit_.copies_likely_parents(start);
    const Word* const visited_cols = asks_columns ? expand_.visited(visited) : nullptr;
    return emit_.write(start, one_column_->found(visited, visited_cols), listed);
  }
  const Word* const leaves = in_main ? built_.components.leaves_in_main().data() : nullptr;
  return emit_.write(start, several_columns_->found(visited, leaves, emit_.takes_lists(start)), listed);
}

}  // namespace isobath
