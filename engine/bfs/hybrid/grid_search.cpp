// SPDX-License-Identifier: Apache-2.0
// Construction of the plan `hybrid`, and the level loop. Words are explained in the header. For the level
// loop read search(), search_levels(), top_down() and bottom_up() here, then the two levels of
// several_columns.cpp; one_column.cpp has the same levels without messages.
#include "bfs/hybrid/grid_search.hpp"

#include <algorithm>
#include <array>

#include "bfs/registered_plan.hpp"

namespace isobath {
namespace {

/// To here hybrid in one column is fastest, for it sends no parents (ADR 0022).
constexpr int most_ranks_in_one_column = 16;

/// Few ranks in one column; else the squarest rectangle with rows >= columns: squarest() has them the other
/// way round.
GridShape hybrid_shape(int ranks) {
  const GridShape squarest = GridShape::squarest(ranks);
  return ranks <= most_ranks_in_one_column ? GridShape{ranks, 1} : GridShape{squarest.cols, squarest.rows};
}

constexpr std::array<SwitchChoice, 13> hybrid_choices = {{{"exchange", any_exchange},
                                                          {"duplicates", "drop"},
                                                          {"ids", "32"},
                                                          {"dedup", "local"},
                                                          {"frontier", "packed bitmap list smaller"},
                                                          {"fold", "packed plain"},
                                                          {"relabel", "on classes off"},
                                                          {"leaves", "out in"},
                                                          {"likely-parents", "on off"},
                                                          {"hubs", "on few off"},
                                                          {"streams", "on off"},
                                                          {"overlap", "on off"},
                                                          {"direction", "policy top-down bottom-up"}}};

BottomUpSteps steps_for(const Graph& graph, const Switches& switches) {
  const InstructionSet set = best_instruction_set();
  return {switches.streams ? bottom_up_step(set) : bottom_up_rows,
          graph.hubs.empty() ? nullptr : bottom_up_few_step(set)};
}

std::int64_t largest_degree(const LargeArray<std::uint32_t>& degree) {
  std::uint32_t largest = 0;
#pragma omp parallel for schedule(static) reduction(max : largest)
  for (std::size_t t = 0; t < degree.size(); ++t) largest = std::max(largest, degree[t]);
  return largest;
}

}  // namespace

RegisteredPlan registered_hybrid() {
  return {.name = "hybrid",
          .shapes = {hybrid_shape},
          .choices = hybrid_choices,
          .construct = construct_as<GridSearch, EdgeStream, PlanOptions>};
}

GridSearch::GridSearch(const EdgeStream& edges, const Communicator& world, const PlanOptions& options,
                       PhaseObserver& observer)
    : built_(edges, world, options, observer),
      rule_(options.switches.direction),
      sums_hubs_(options.switches.hub_pass && options.shape.cols > 1),
      policy_{options.alpha, options.beta, built_.facts.searched_vertices, built_.facts.searched_endpoints},
      largest_degree_(largest_degree(built_.graph.numbering.degree)),
      frontier_(built_.graph),
      expand_(built_.graph.layout, built_.grid.col_comm, options.switches.frontier),
      emit_(built_) {
  const BottomUpSteps steps = steps_for(built_.graph, options.switches);
  if (options.shape.cols == 1) {
    one_column_.emplace(built_.graph, steps);
  } else {
    several_columns_.emplace(built_, options, steps);
  }
  built_.label_components(observer, [this](const Location& first) -> std::span<const Word> {
    SearchObserver silent;
    const SearchStart start{no_vertex, first, first, Components::none};
    reset(start);
    search_levels(start, silent);
    return frontier_.visited();
  });
  // What the last labelling search visited is the main component, and still stands in the frontier.
  if (options.switches.likely_parents && can_have_likely_parents(built_.graph)) {
    built_.facts.prepared.likely_parents = world.sum(emit_.prepare_likely_parents(frontier_.visited()));
  }
}

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
  if (one_column_) {
    one_column_->reset();
  } else {
    several_columns_->reset();
  }
  if (start.start_vertex.kind == Location::Kind::searched &&
      start.start_vertex.owner == built_.world.rank()) {
    frontier_.begin_at(static_cast<std::uint32_t>(start.start_vertex.working));
  }
}

/// Level by level until no rank finds anything new. What a rank sends, on R x C ranks:
///
///   step        what                                   to whom              left out where
///   reset       where the root is, its component       from its owner to    R C = 1
///               (locate_start); arcs of the first      all
///               vertex, a sum (sums_of_first)
///   a level, top-down
///     expand    its part of the frontier: a list, or   its grid column      R = 1; in the first level, whose
///               a bitmap                                                    vertex all know
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
///   emit        which own vertices are visited, for    its grid column      R = 1; C > 1; leaves have their
///               leaves; before, whether few are: a                          parents already
///               sum over all, outside the main
///               component
///
/// The frontier is counted over all ranks, so that all choose the same direction without another message.
void GridSearch::search_levels(const SearchStart& start, SearchObserver& observer) {
  std::int64_t unvisited_vertices = built_.facts.searched_vertices - 1;
  FrontierSums frontier = sums_of_first();
  for (Level level = start.level; frontier.vertices > 0; ++level) {
    const Direction direction = choose_direction(frontier, unvisited_vertices);
    observer.level_started(level, direction, frontier.vertices);
    const LevelCounts counts = direction == Direction::top_down
                                   ? top_down(start, level == start.level, observer)
                                   : bottom_up(frontier.visited_hubs, observer);
    observer.level_finished(level, counts.arcs_scanned);
    observer.phase(Phase::reduce);
    frontier = sums_of_found(counts.found, unvisited_vertices);
    unvisited_vertices -= frontier.vertices;
  }
}

LevelCounts GridSearch::top_down(const SearchStart& start, bool is_first, SearchObserver& observer) {
  observer.phase(Phase::top_down);
  frontier_.make_list();  // a bottom-up level before leaves bitmaps
  if (!is_first && expand_.sends()) observer.phase(Phase::expand);
  const std::span<const std::uint32_t> columns =
      is_first ? expand_.start_column(start.start_vertex) : expand_.frontier(frontier_.list());
  observer.phase(Phase::top_down);
  return one_column_ ? one_column_->top_down(columns, frontier_)
                     : several_columns_->top_down(columns, frontier_, observer);
}

/// @param visited_hubs  over all ranks, before the level, where that is known
LevelCounts GridSearch::bottom_up(std::optional<std::int64_t> visited_hubs, SearchObserver& observer) {
  if (expand_.sends()) observer.phase(Phase::expand);
  const Word* const visited_cols = expand_.visited(frontier_.visited());
  if (several_columns_) return several_columns_->bottom_up(visited_cols, visited_hubs, frontier_, observer);
  observer.phase(Phase::bottom_up);
  return one_column_->bottom_up(visited_cols, frontier_);
}

/// The first vertex, and its arcs where the policy asks for them.
GridSearch::FrontierSums GridSearch::sums_of_first() const {
  FrontierSums first{1, 0, std::nullopt};
  if (built_.world.size() == 1 || rule_ != DirectionRule::policy) return first;
  if (policy_.is_wide(1, built_.facts.searched_vertices - 1)) return first;
  first.arcs = frontier_.arcs();
  built_.grid.sum(std::span(&first.arcs, 1));
  return first;
}

/// What a level found, summed over all ranks in one reduction of up to three numbers.
///
/// Vertices. Arcs: whether choose_direction() asks for them is known only after the vertices are summed, and
/// a second reduction would cost more than counting. So every rank counts them beforehand, except one whose
/// own vertices alone make the frontier wide: it sends 0, for then the direction does not depend on arcs.
/// Visited hubs: from their sum all ranks know before a hub pass that no hub is newly visited, or that all
/// are; then no rank sends which. One rank reduces nothing, and counts arcs in choose_direction().
GridSearch::FrontierSums GridSearch::sums_of_found(std::int64_t found, std::int64_t unvisited_before) const {
  if (built_.world.size() == 1) return {found, 0, std::nullopt};
  std::array<std::int64_t, 3> sums{};
  std::size_t count = 0;
  sums[count++] = found;
  const std::size_t at_arcs = count;  // its place, where it is sent
  if (rule_ == DirectionRule::policy) {
    sums[count++] = policy_.is_wide(found, unvisited_before - found) ? 0 : frontier_.arcs();
  }
  const std::size_t at_hubs = count;
  const std::optional<std::int64_t> own_hubs =
      several_columns_ ? several_columns_->own_visited_hubs(frontier_.visited()) : std::nullopt;
  if (sums_hubs_) sums[count++] = own_hubs.value_or(0);
  built_.grid.sum(std::span(sums).first(count));
  return {sums[0], rule_ == DirectionRule::policy ? sums[at_arcs] : 0,
          own_hubs ? std::optional(sums[at_hubs]) : std::nullopt};
}

/// A wide frontier is searched bottom-up, whatever its arcs; else its arcs decide. Several ranks have them
/// summed. One rank counts them only now, and tries two bounds before it counts all: top-down where even the
/// largest degree for every vertex gives too few arcs (graphs of high diameter have thousands of such
/// levels), bottom-up where those of heavy vertices alone are enough.
Direction GridSearch::choose_direction(const FrontierSums& frontier, std::int64_t unvisited_vertices) const {
  if (rule_ == DirectionRule::top_down) return Direction::top_down;
  if (rule_ == DirectionRule::bottom_up) return Direction::bottom_up;
  if (policy_.is_wide(frontier.vertices, unvisited_vertices)) return Direction::bottom_up;
  if (built_.world.size() > 1) return policy_.by_arcs(frontier.arcs);
  if (policy_.by_arcs(frontier.vertices * largest_degree_) == Direction::top_down) return Direction::top_down;
  if (!frontier_.is_list() && policy_.by_arcs(frontier_.heavy_arcs()) == Direction::bottom_up) {
    return Direction::bottom_up;
  }
  return policy_.by_arcs(frontier_.arcs());
}

/// Gathers what Emit reads, which sends nothing itself.
std::span<const GlobalVertex> GridSearch::emit(const SearchStart& start) {
  const bool in_main = start.label == Components::main;
  const auto all_reached = frontier_.all_reached_if_few();
  const bool are_few = !in_main && !built_.world.any(!all_reached);
  const auto few = are_few ? all_reached : std::nullopt;
  const std::span<const Word> visited = frontier_.visited();
  if (one_column_) {  // a leaf is reached where its neighbour is, a column; or its parent is known beforehand
    const bool leaves_are_known = are_few || emit_.copies_leaves(start);
    const Word* const visited_cols = leaves_are_known ? nullptr : expand_.visited(visited);
    return emit_.write(start, one_column_->found(visited, visited_cols), few);
  }
  const Word* const leaves = in_main ? built_.components.leaves_in_main().data() : nullptr;
  return emit_.write(start, several_columns_->found(visited, leaves), few);
}

}  // namespace isobath
