// SPDX-License-Identifier: Apache-2.0
// Construction of the plan `hybrid`, and the level loop: read search() and search_levels() first.
#include "bfs/grid_search.hpp"

#include <algorithm>
#include <bit>

#include "base/expects.hpp"
#include "base/threads.hpp"
#include "bfs/registered_plan.hpp"
#include "comm/message_tag.hpp"

namespace isobath {
namespace {

/// While a search has reached fewer own vertices than this, they are remembered one by one (tiny components).
constexpr std::size_t few = 4096;

/// To here hybrid in one column is fastest, for it sends no parents (ADR 0022).
constexpr int most_ranks_in_one_column = 16;

/// Few ranks in one column; else the squarest rectangle with rows >= columns.
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
                                                          {"hubs", "on off"},
                                                          {"streams", "on off"},
                                                          {"overlap", "on off"},
                                                          {"direction", "policy top-down bottom-up"}}};

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
      switches_(options.switches),
      policy_{options.alpha, options.beta, built_.facts.searched_vertices, built_.facts.stored_arcs},
      bottom_up_step_(switches_.streams ? bottom_up_step(best_instruction_set()) : bottom_up_rows),
      bottom_up_few_step_(bottom_up_few_step(best_instruction_set())),
      asked_rows_step_(asked_rows_step(best_instruction_set())),
      instructions_(best_instruction_set()) {
  if (options.shape.cols > 1) {
    exchange_ = make_exchange(switches_.exchange.value_or(ExchangeKind::alltoallv), built_.grid.row_comm,
                              built_.row_nodes(options));
  }
  allocate();
  if (!built_.graph.hubs.empty()) hub_pass_.emplace(built_.graph, built_.world);
  built_.label_components(observer, [this](const Location& first) -> std::span<const Word> {
    SearchObserver silent;
    Start start{first, first, Components::none};
    reset(start);
    search_levels(start, silent);
    return visited_.span();
  });
  if (switches_.likely_parents && can_have_likely_parents(built_.graph)) {  // `visited_`: the main component
    likely_ = likely_parents(built_.graph, visited_.span(), built_.components.leaves_in_main());
    built_.facts.prepared.likely_parents = world.sum(likely_->known);
    if (built_.graph.numbering.by_family) dealt_.emplace(built_.graph.numbering, max_threads());
  }
}

GridSearch::~GridSearch() = default;

void GridSearch::allocate() {
  const GridLayout& layout = built_.graph.layout;
  const std::size_t own_words =
      layout.own_words() + piece_bits / word_bits;  // room for the bit that is never set
  visited_ = LargeArray<Word>(own_words);
  before_ = LargeArray<Word>(own_words);
  first_found_ = LargeArray<Word>(std::max(own_words, layout.row_words()));
  if (layout.shape.rows > 1) visited_cols_ = LargeArray<Word>(layout.col_words());
  parent_col_ = LargeArray<std::uint32_t>(layout.row_words() * word_bits);
  frontier_ = LargeArray<std::uint32_t>(layout.own_searched());
  reached_one_by_one_.reserve(few);
  listed_before_.assign(static_cast<std::size_t>(max_threads()) + 1, 0);
  if (layout.rows_are_complete()) {
    for (int t = 0; t < max_threads(); ++t) thread_visited_.emplace_back(own_words);
    followers_ = LargeArray<Word>(own_words);
    for (int t = 0; t < max_threads(); ++t) thread_found_.emplace_back(shared_arcs());
  } else {
    parent_original_ = LargeArray<std::int64_t>(layout.own_searched());
    proposed_ = LargeArray<Word>(layout.row_words());
    std::size_t longest = 0;
    for (int piece = 0; piece < layout.shape.cols; ++piece) {
      longest = std::max({longest, half_range(piece, 0).words, half_range(piece, 1).words});
    }
    constexpr std::array tags = {MessageTag::ring_first, MessageTag::ring_second};
    for (std::size_t half = 0; half < halves_.size(); ++half) {
      halves_[half].reset(new Half{LargeArray<Word>(longest), LargeArray<Word>(longest),
                                   PendingTransfer(built_.grid.row_comm, tags[half])});
    }
    const auto cols = static_cast<std::size_t>(layout.shape.cols);
    outgoing_.resize(cols);
    outgoing_second_.resize(cols);
    packed_.resize(cols);
  }
  const LargeArray<std::uint32_t>& degree = built_.graph.numbering.degree;
  std::uint32_t largest = 0;
#pragma omp parallel for schedule(static) reduction(max : largest)
  for (std::size_t t = 0; t < degree.size(); ++t) largest = std::max(largest, degree[t]);
  largest_degree_ = largest;
  parents_ = LargeArray<GlobalVertex>(static_cast<std::size_t>(built_.graph.numbering.num_originals));
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < parents_.size(); ++i)
    parents_[i] = no_vertex;  // first touch; no page fault is left
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < parent_col_.size(); ++i) parent_col_[i] = 0;
}

FoundTree GridSearch::search(GlobalVertex root, SearchObserver& observer) {
  observer.phase(Phase::reset);
  const Start start = locate_start(root);
  reset(start);
  if (start.first.kind == Location::Kind::searched) search_levels(start, observer);
  observer.phase(Phase::emit);
  emit(root, start);
  return {.parents = parents_.span()};
}

GridSearch::Start GridSearch::locate_start(GlobalVertex root) const {
  Start start;
  start.root = locate(built_.graph, built_.world, root);
  ISOBATH_EXPECTS(start.root.kind != Location::Kind::isolated);
  start.label = built_.components.label_of(built_.world, start.root);
  start.first = start.root;
  if (start.root.kind == Location::Kind::leaf) {
    start.first = locate(built_.graph, built_.world, GlobalVertex{start.root.neighbour});
    start.level = 1;
  }
  return start;
}

void GridSearch::clear_words(std::span<Word> words) const {
  constexpr std::size_t worth_a_team = std::size_t{1}
                                       << 15;  // below, starting threads costs more than the stores
#pragma omp parallel for schedule(static) if (words.size() > worth_a_team)
  for (std::size_t w = 0; w < words.size(); ++w) words[w] = 0;
}

void GridSearch::reset(const Start& start) {
  clear_words(visited_.span());
  clear_words(before_.span());
  if (built_.graph.layout.rows_are_complete()) {
    clear_words(first_found_.span());
  } else {
    clear_words(proposed_.span());
  }
  if (hub_pass_) hub_pass_->reset();
  frontier_size_ = 0;
  held_as_ = FrontierHeldAs::list;
  reached_one_by_one_.clear();
  reached_is_whole_ = true;
  if (start.first.kind == Location::Kind::searched && start.first.owner == built_.world.rank()) {
    const auto first = static_cast<std::uint32_t>(start.first.working);
    set_bit(visited_.span(), first);
    frontier_[frontier_size_++] = first;
    reached_one_by_one_.push_back(first);
  }
}

/// Level by level until no rank finds anything new. Every rank knows the first vertex, so that nothing is
/// expanded on the first level.
void GridSearch::search_levels(const Start& start, SearchObserver& observer) {
  std::int64_t unvisited_vertices = built_.facts.searched_vertices - 1;
  FrontierSums frontier = sums_of_first();
  for (Level level = start.level; frontier.vertices > 0; ++level) {
    const Direction direction = choose_direction(frontier, unvisited_vertices);
    observer.level_started(level, direction, frontier.vertices);
    arcs_scanned_ = 0;
    std::int64_t found = 0;
    if (direction == Direction::bottom_up) {
      found = bottom_up(observer);
    } else {
      observer.phase(Phase::top_down);
      list_frontier();
      const bool is_first = level == start.level;
      const std::span<const std::uint32_t> cols =
          is_first ? expand_root(start.first) : expand_frontier(observer);
      found = top_down(cols, observer);
    }
    observer.phase(Phase::reduce);
    frontier = sums_of_found(found, unvisited_vertices);
    unvisited_vertices -= frontier.vertices;
    observer.level_finished(level, arcs_scanned_);
  }
}

/// The first vertex, and its arcs where the policy asks for them.
GridSearch::FrontierSums GridSearch::sums_of_first() const {
  FrontierSums first{1, 0};
  if (built_.world.size() == 1 || switches_.direction != DirectionRule::policy) return first;
  if (policy_.is_wide(1, built_.facts.searched_vertices - 1)) return first;
  first.arcs = frontier_arcs();
  built_.grid.sum(std::span(&first.arcs, 1));
  return first;
}

/// What a level found, in one reduction. Whether its arcs are needed is known only after the vertices are
/// summed, and a second reduction would cost more than counting: so every rank counts its arcs first, and
/// they travel with the vertices. A rank whose own part already makes the frontier wide sends 0 in their
/// place, for then nobody will ask. One rank counts them when it needs them.
GridSearch::FrontierSums GridSearch::sums_of_found(std::int64_t found, std::int64_t unvisited_before) const {
  if (built_.world.size() == 1) return {found, 0};
  if (switches_.direction != DirectionRule::policy) {
    built_.grid.sum(std::span(&found, 1));
    return {found, 0};
  }
  std::array<std::int64_t, 2> sums{found, 0};
  if (!policy_.is_wide(found, unvisited_before - found)) {
    sums[1] = frontier_arcs();
  }
  built_.grid.sum(sums);
  return {sums[0], sums[1]};
}

/// By the number of vertices where it decides; else by arcs, which one rank counts only now.
Direction GridSearch::choose_direction(const FrontierSums& frontier, std::int64_t unvisited_vertices) const {
  if (switches_.direction == DirectionRule::top_down) return Direction::top_down;
  if (switches_.direction == DirectionRule::bottom_up) return Direction::bottom_up;
  if (policy_.is_wide(frontier.vertices, unvisited_vertices)) return Direction::bottom_up;
  if (built_.world.size() > 1) return policy_.by_arcs(frontier.arcs);
  if (heavy_decide_bottom_up()) return Direction::bottom_up;
  if (is_surely_narrow(frontier.vertices)) return Direction::top_down;
  return policy_.by_arcs(frontier_arcs());
}

/// Whether the arcs of the frontier's heavy vertices alone decide for bottom-up: then no others are counted.
/// Only one rank asks.
bool GridSearch::heavy_decide_bottom_up() const {
  if (held_as_ == FrontierHeldAs::list) return false;
  const Numbering& numbering = built_.graph.numbering;
  std::int64_t arcs = 0;
  for (std::size_t w = 0; w * word_bits < numbering.num_heavy(); ++w) {
    for (Word found = visited_[w] & ~before_[w]; found != 0; found &= found - 1) {
      arcs += numbering.degree[w * word_bits + static_cast<std::size_t>(std::countr_zero(found))];
    }
  }
  return policy_.by_arcs(arcs) == Direction::bottom_up;
}

/// Whether the frontier has too few arcs for bottom-up even if all its vertices had the largest degree there
/// is. Graphs of high diameter have thousands of such levels. Only one rank asks.
bool GridSearch::is_surely_narrow(std::int64_t frontier_vertices) const {
  return policy_.by_arcs(frontier_vertices * largest_degree_) == Direction::top_down;
}

std::int64_t GridSearch::frontier_arcs() const {
  return held_as_ == FrontierHeldAs::list ? arcs_of_list() : arcs_of_bitmaps();
}

/// Of the own frontier in list form.
std::int64_t GridSearch::arcs_of_list() const {
  std::int64_t arcs = 0;
  const std::uint32_t* const degree = built_.graph.numbering.degree.data();
  const std::size_t size = frontier_size_;
#pragma omp parallel for schedule(static) reduction(+ : arcs) if (size > few)
  for (std::size_t i = 0; i < size; ++i) arcs += degree[frontier_[i]];
  return arcs;
}

/// The same of a frontier in bitmap form, which a wide level need not list.
std::int64_t GridSearch::arcs_of_bitmaps() const {
  std::int64_t arcs = 0;
  const std::uint32_t* const degree = built_.graph.numbering.degree.data();
  const std::size_t words = built_.graph.layout.own_words();
#pragma omp parallel for schedule(static) reduction(+ : arcs)
  for (std::size_t w = 0; w < words; ++w) {
    for (Word found = visited_[w] & ~before_[w]; found != 0; found &= found - 1) {
      arcs += degree[w * word_bits + static_cast<std::size_t>(std::countr_zero(found))];
    }
  }
  return arcs;
}

/// Turns a frontier in bitmap form into a list.
void GridSearch::list_frontier() {
  if (held_as_ == FrontierHeldAs::list) return;
  held_as_ = FrontierHeldAs::list;
  const std::size_t words = built_.graph.layout.own_words();
  std::vector<std::size_t>& first = listed_before_;
  std::fill(first.begin(), first.end(), 0);
#pragma omp parallel
  {
    const auto [begin, end] = static_share(static_cast<std::int64_t>(words), thread_id(), num_threads());
    std::size_t count = 0;
    for (std::int64_t w = begin; w < end; ++w) {
      const auto i = static_cast<std::size_t>(w);
      count += static_cast<std::size_t>(std::popcount(visited_[i] & ~before_[i]));
    }
    first[static_cast<std::size_t>(thread_id()) + 1] = count;
#pragma omp barrier
#pragma omp single
    for (std::size_t t = 1; t < first.size(); ++t) first[t] += first[t - 1];
    std::size_t at = first[static_cast<std::size_t>(thread_id())];
    for (std::int64_t w = begin; w < end; ++w) {
      const auto i = static_cast<std::size_t>(w);
      for (Word found = visited_[i] & ~before_[i]; found != 0; found &= found - 1) {
        frontier_[at++] =
            static_cast<std::uint32_t>(i * word_bits) + static_cast<std::uint32_t>(std::countr_zero(found));
      }
    }
  }
  frontier_size_ = first.back();
  remember_frontier();
}

/// A level has left the next frontier in bitmap form. If the one before was never listed, not all that was
/// reached is remembered.
void GridSearch::hold_as_bitmaps() {
  reached_is_whole_ = reached_is_whole_ && held_as_ == FrontierHeldAs::list;
  held_as_ = FrontierHeldAs::bitmaps;
}

void GridSearch::remember_frontier() {
  reached_is_whole_ = reached_is_whole_ && reached_one_by_one_.size() + frontier_size_ <= few;
  if (reached_is_whole_)
    reached_one_by_one_.insert(reached_one_by_one_.end(), frontier_.begin(),
                               frontier_.begin() + frontier_size_);
}

}  // namespace isobath
