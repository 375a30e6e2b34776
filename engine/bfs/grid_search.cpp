// SPDX-License-Identifier: Apache-2.0
// Construction of the plan `hybrid`, and the level loop: read search() and search_levels() first.
#include "bfs/grid_search.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/expects.hpp"
#include "base/threads.hpp"
#include "graph/check_arcs.hpp"

namespace isobath {
namespace {

/// While a search has reached fewer own vertices than this, they are remembered one by one (tiny components).
constexpr std::size_t few = 4096;

}  // namespace

GridSearch::GridSearch(const EdgeStream& edges, const Communicator& world, const PlanOptions& options,
                       PhaseObserver& observer)
    : world_(world),
      instructions_(best_instruction_set()),
      grid_(Grid::arrange(world, options.shape)),
      graph_(construct_graph(edges, world, grid_, observer)),
      policy_{options.alpha, options.beta, 0, 0},
      bottom_up_step_(bottom_up_step(instructions_)),
      emit_step_(emit_blocks(instructions_)) {
  const Numbering& numbering = graph_.numbering;
  const auto own_arcs = static_cast<std::int64_t>(graph_.by_target.num_arcs());
  std::int64_t sums[] = {numbering.searched(), numbering.leaves(), numbering.isolated_vertices(),
                         numbering.hubs(), own_arcs};
  world.sum(std::span<std::int64_t>(sums));
  facts_.num_vertices = edges.num_vertices();
  facts_.num_edges = graph_.num_edges;
  facts_.self_loops = graph_.self_loops;
  facts_.searched_vertices = sums[0];
  facts_.leaves = sums[1];
  facts_.isolated_vertices = sums[2];
  facts_.hubs = sums[3];
  facts_.stored_arcs = sums[4];
  facts_.max_stored_arcs_per_rank = world.max(own_arcs);
  policy_.searched_vertices = facts_.searched_vertices;
  policy_.stored_arcs = facts_.stored_arcs;
  allocate();
  label_components(observer);
}

GridSearch::~GridSearch() = default;

void GridSearch::allocate() {
  const GridLayout& layout = graph_.layout;
  const std::size_t own_words =
      layout.own_words() + piece_bits / word_bits;  // room for the bit that is never set
  visited_ = LargeArray<Word>(own_words);
  before_ = LargeArray<Word>(own_words);
  first_found_ = LargeArray<Word>(std::max(own_words, layout.row_words()));
  if (layout.shape.rows > 1) visited_cols_ = LargeArray<Word>(layout.col_words());
  parent_col_ = LargeArray<std::uint32_t>(layout.row_words() * word_bits);
  frontier_ = LargeArray<std::uint32_t>(layout.own_searched());
  reached_.reserve(few);
  listed_before_.assign(static_cast<std::size_t>(max_threads()) + 1, 0);
  if (layout.rows_are_complete()) {
    for (int t = 0; t < max_threads(); ++t) thread_visited_.emplace_back(own_words);
  } else {
    parent_afar_ = LargeArray<std::int64_t>(layout.own_searched());
    proposed_ = LargeArray<Word>(layout.row_words());
    std::size_t longest = 0;
    for (int piece = 0; piece < layout.shape.cols; ++piece) {
      const auto k = static_cast<std::size_t>(piece);
      longest = std::max<std::size_t>(longest, layout.row_offset[k + 1] - layout.row_offset[k]);
    }
    piece_ = LargeArray<Word>(longest / word_bits);
    piece_next_ = LargeArray<Word>(longest / word_bits);
  }
  parents_ = LargeArray<GlobalVertex>(static_cast<std::size_t>(graph_.numbering.num_originals));
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < parents_.size(); ++i)
    parents_[i] = no_vertex;  // first touch; no page fault is left
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < parent_col_.size(); ++i) parent_col_[i] = 0;
}

void GridSearch::label_components(PhaseObserver& observer) {
  observer.phase(Phase::components);
  // The vertex of highest degree, the lowest original number among equals.
  const Numbering& numbering = graph_.numbering;
  std::uint32_t top = 0;
  for (std::uint32_t t = 1; t < numbering.searched(); ++t) {
    if (numbering.degree[t] > numbering.degree[top]) top = t;
  }
  const std::int64_t degree = numbering.searched() > 0 ? numbering.degree[top] : 0;
  std::int64_t most = world_.max(degree);
  for (std::uint32_t leaf = 0; leaf < numbering.leaves(); ++leaf) {
    facts_.max_degree_with_duplicates =
        std::max<std::int64_t>(facts_.max_degree_with_duplicates, graph_.leaves.endpoints[leaf]);
  }
  facts_.max_degree_with_duplicates = std::max(most, world_.max(facts_.max_degree_with_duplicates));
  reset(Start{});
  if (most > 0) {
    const bool has_top = degree == most;
    const std::int64_t original =
        has_top ? raw(graph_.layout.blocks.to_global(world_.rank(), numbering.original[top]))
                : facts_.num_vertices;
    const GlobalVertex start{world_.min(original)};
    SearchObserver silent;
    Start from;
    from.first = locate(graph_, world_, start);
    reset(from);
    search_levels(0, silent);
  }
  components_ = Components(graph_, world_, grid_, visited_.span());
  facts_.components = components_.count();
  facts_.largest_component_vertices = components_.largest_vertices();
  facts_.largest_component_edges = components_.largest_edges();
  facts_.distinct_edges =
      facts_.stored_arcs / 2 + facts_.leaves - world_.sum(components_.leaves_in_pairs()) / 2;
}

std::span<const GlobalVertex> GridSearch::search(GlobalVertex root, SearchObserver& observer) {
  observer.phase(Phase::reset);
  const Start start = locate_start(root);
  reset(start);
  if (start.first.kind == Location::Kind::searched) search_levels(start.level, observer);
  observer.phase(Phase::emit);
  emit(root, start);
  return parents_.span();
}

GridSearch::Start GridSearch::locate_start(GlobalVertex root) const {
  Start start;
  start.root = locate(graph_, world_, root);
  ISOBATH_EXPECTS(start.root.kind != Location::Kind::isolated);
  start.label = components_.label_of(world_, start.root);
  start.first = start.root;
  if (start.root.kind == Location::Kind::leaf) {
    start.first = locate(graph_, world_, GlobalVertex{start.root.neighbour});
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
  if (graph_.layout.rows_are_complete()) {
    clear_words(first_found_.span());
  } else {
    clear_words(proposed_.span());
  }
  frontier_size_ = 0;
  form_ = FrontierForm::list;
  reached_.clear();
  reached_is_whole_ = true;
  if (start.first.kind == Location::Kind::searched && start.first.owner == world_.rank()) {
    const auto first = static_cast<std::uint32_t>(start.first.working);
    set_bit(visited_.span(), first);
    frontier_[frontier_size_++] = first;
    reached_.push_back(first);
  }
}

/// Level by level until no rank finds anything new. `first_level` is 1 where the root is a leaf.
void GridSearch::search_levels(Level first_level, SearchObserver& observer) {
  std::int64_t frontier_vertices = 1;
  std::int64_t unvisited_vertices = facts_.searched_vertices - 1;
  for (Level level = first_level; frontier_vertices > 0; ++level) {
    Direction direction = Direction::bottom_up;
    if (policy_.is_wide(frontier_vertices, unvisited_vertices)) {
      reached_is_whole_ = reached_is_whole_ && form_ == FrontierForm::list;
    } else {
      list_frontier();
      direction = policy_.choose(world_.sum(frontier_arcs()));
    }
    observer.level_started(level, direction, frontier_vertices);
    arcs_scanned_ = 0;
    const std::int64_t found = direction == Direction::top_down ? top_down(observer) : bottom_up(observer);
    observer.phase(Phase::reduce);
    frontier_vertices = world_.sum(found);
    unvisited_vertices -= frontier_vertices;
    observer.level_finished(level, arcs_scanned_);
  }
}

std::int64_t GridSearch::frontier_arcs() const {
  std::int64_t arcs = 0;
  const std::uint32_t* const degree = graph_.numbering.degree.data();
  const std::size_t size = frontier_size_;
#pragma omp parallel for schedule(static) reduction(+ : arcs) if (size > few)
  for (std::size_t i = 0; i < size; ++i) arcs += degree[frontier_[i]];
  return arcs;
}

/// Turns a frontier in bitmap form into a list.
void GridSearch::list_frontier() {
  if (form_ == FrontierForm::list) return;
  form_ = FrontierForm::list;
  const std::size_t words = graph_.layout.own_words();
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

void GridSearch::remember_frontier() {
  reached_is_whole_ = reached_is_whole_ && reached_.size() + frontier_size_ <= few;
  if (reached_is_whole_)
    reached_.insert(reached_.end(), frontier_.begin(), frontier_.begin() + frontier_size_);
}

SearchPlan::ConstructionCheck GridSearch::check_construction(const EdgeStream& edges,
                                                             const Communicator& world) const {
  const ArcCheck check = check_arcs(graph_, components_.leaves_in_pairs(), edges, world, grid_);
  return {check.missing_arcs, check.stored_arcs, check.met_arcs, check.first_missing};
}

TraversedEdges GridSearch::traversed_edges(GlobalVertex root) const {
  return components_.edges_of(world_, components_.label_of(world_, locate(graph_, world_, root)));
}

std::vector<char> GridSearch::has_neighbour(std::span<const GlobalVertex> candidates) const {
  const BlockPartition& blocks = graph_.layout.blocks;
  std::vector<std::int64_t> has(candidates.size(), 0);
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    if (blocks.block_of(candidates[i]) != world_.rank()) continue;
    has[i] = graph_.numbering.code[static_cast<std::size_t>(blocks.to_local(candidates[i]))] !=
             Numbering::isolated;
  }
  world_.sum(std::span<std::int64_t>(has));
  std::vector<char> result(candidates.size());
  for (std::size_t i = 0; i < has.size(); ++i) result[i] = has[i] != 0;
  return result;
}

Traffic GridSearch::traffic() const {
  Traffic sum = world_.traffic();
  sum += grid_.row_comm.traffic();
  sum += grid_.col_comm.traffic();
  return sum;
}

}  // namespace isobath
