// SPDX-License-Identifier: Apache-2.0
// The level loop of the plan `hybrid`. Words are explained in the header. Read search_levels(), top_down()
// and bottom_up() here, then the two levels of several_columns.cpp; one_column.cpp has the same levels
// without messages.
#include "bfs/hybrid/grid_search.hpp"

namespace isobath {

FoundTree GridSearch::search(GlobalVertex root, SearchObserver& observer) {
  observer.phase(Phase::reset);
  const SearchStart start = locate_start(built_, root);
  reset(start);
  if (start.start_vertex.kind == Location::Kind::searched) search_levels(start, observer);
  observer.phase(Phase::emit);
  return {.parents = emit(start)};
}

void GridSearch::reset(const SearchStart& start) {
  frontier_.reset();
  if (one_column_) one_column_->reset();
  if (several_columns_) several_columns_->reset();
  if (start.start_vertex.kind == Location::Kind::searched &&
      start.start_vertex.owner == built_.world.rank()) {
    frontier_.begin_at(static_cast<std::uint32_t>(start.start_vertex.working));
  }
}

/// Level by level until no rank finds anything new. What a rank sends, on R x C ranks:
///
///   step        what                                   to whom              left out where
///   reset       where the root is, its component and   from its owner to    R C = 1
///               degree (locate_start)                  all
///   a level, top-down
///     expand    its part of the frontier: a list, or   its grid column      R = 1; in the first level, whose
///               a bitmap                                                    vertex all know
///     search    which hubs of its column are visited   its grid row         C = 1
///               (SeveralColumns::top_down)
///     fold      the parents that it found              their owners, all    C = 1
///                                                      in its grid row
///   a level, bottom-up
///     expand    which own vertices are visited: a      its grid column      R = 1
///               bitmap, or a list
///     search    which own vertices look for a parent   its grid row         C = 1
///               (steps: SeveralColumns::bottom_up)
///     fold      as top-down
///   after each level
///     reduce    sums: vertices found, their arcs, own  its grid row, then   R C = 1
///               hubs that are visited                  its grid column
///   the last    nothing                                                     always, in the main component
///   emit        whether it has reached many vertices,  all                  R C = 1; in the main component
///               a maximum
///               which own vertices are visited, for    its grid column      R = 1; C > 1; all reached few;
///               leaves                                                      leaves are among likely parents
///
/// The frontier is counted over all ranks, so that all choose the same direction without another message. In
/// the main component all know, too, when nothing is left to find: the last level is then not searched.
void GridSearch::search_levels(const SearchStart& start, SearchObserver& observer) {
  std::int64_t unvisited_vertices = built_.facts.searched_vertices - 1;
  const std::int64_t never_visited =
      start.label == Components::main ? built_.facts.searched_vertices - built_.components.searched_in_main()
                                      : -1;  // not known
  FrontierSums frontier{.vertices = 1, .arcs = start.start_vertex.degree, .visited_hubs = std::nullopt};
  for (Level level = start.level; frontier.vertices > 0; ++level) {
    const Direction direction = direction_.choose(frontier, unvisited_vertices, frontier_);
    observer.level_started(level, direction, frontier.vertices);
    if (unvisited_vertices == never_visited) {
      observer.level_finished(level, 0);
      return;
    }
    const LevelCounts counts = direction == Direction::top_down
                                   ? top_down(start, level == start.level, frontier.visited_hubs, observer)
                                   : bottom_up(frontier.visited_hubs, observer);
    observer.level_finished(level, counts.arcs_scanned);
    observer.phase(Phase::reduce);
    frontier = direction_.sums_of_found(frontier_, counts.found, unvisited_vertices, own_visited_hubs());
    unvisited_vertices -= frontier.vertices;
  }
}

/// @param visited_hubs  over all ranks, before the level, where that is known
LevelCounts GridSearch::top_down(const SearchStart& start, bool is_first,
                                 std::optional<std::int64_t> visited_hubs, SearchObserver& observer) {
  observer.phase(Phase::top_down);
  frontier_.make_list();  // a bottom-up level before leaves bitmaps
  if (!is_first && expand_.sends()) observer.phase(Phase::expand);
  const std::span<const std::uint32_t> columns =
      is_first ? expand_.start_column(start.start_vertex) : expand_.frontier(frontier_.list());
  observer.phase(Phase::top_down);
  if (one_column_) return one_column_->top_down(columns, frontier_);
  return several_columns_->top_down(columns, is_first ? &start.start_vertex : nullptr, visited_hubs,
                                    frontier_, observer);
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

/// Gathers what Emit reads, which sends nothing itself.
std::span<const GlobalVertex> GridSearch::emit(const SearchStart& start) {
  const bool in_main = start.label == Components::main;
  std::optional<std::span<const std::uint32_t>> few;  // outside the main component, where all ranks have them
  if (!in_main) few = frontier_.all_reached_if_few();
  if (!in_main && built_.world.any(!few)) few.reset();
  const std::span<const Word> visited = frontier_.visited();
  if (one_column_) {  // a leaf is reached where its neighbour is, a column; unless that is known beforehand
    const bool asks_columns = !few && !emit_.copies_leaves(start);
    const Word* const visited_cols = asks_columns ? expand_.visited(visited) : nullptr;
    return emit_.write(start, one_column_->found(visited, visited_cols), few);
  }
  const Word* const leaves = in_main ? built_.components.leaves_in_main().data() : nullptr;
  return emit_.write(start, several_columns_->found(visited, leaves, emit_.deals(start)), few);
}

}  // namespace isobath
