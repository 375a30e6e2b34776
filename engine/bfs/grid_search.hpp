// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "bfs/bottom_up.hpp"
#include "bfs/components.hpp"
#include "bfs/direction.hpp"
#include "bfs/plan.hpp"
#include "comm/grid.hpp"
#include "graph/emit_parents.hpp"
#include "graph/graph.hpp"

namespace isobath {

/// The plan `hybrid`: direction-optimised, level-synchronous search on an R x C grid. 1 x 1 is the same code
/// with nothing to send. Expand runs along the grid column, rotate and fold along the grid row
/// (docs/explanation/bfs.md).
class GridSearch final : public SearchPlan {
 public:
  /// Collective. Kernel 1, components included.
  GridSearch(const EdgeStream& edges, const Communicator& world, const PlanOptions& options,
             PhaseObserver& observer);
  ~GridSearch() override;

  std::string_view name() const override { return "hybrid"; }
  const BlockPartition& partition() const override { return graph_.layout.blocks; }
  const GraphFacts& facts() const override { return facts_; }
  std::span<const GlobalVertex> search(GlobalVertex root, SearchObserver& observer) override;
  TraversedEdges traversed_edges(GlobalVertex root) const override;
  std::vector<char> has_neighbour(std::span<const GlobalVertex> candidates) const override;
  Traffic traffic() const override;
  ConstructionCheck check_construction(const EdgeStream& edges, const Communicator& world) const override;

 private:
  /// A target at its owner, and the original number of the source, counted from the first of the sender's
  /// grid column.
  struct Proposal {
    std::uint32_t target;
    std::uint32_t source;
  };
  /// Where a search starts in the searched graph: a leaf as root starts at its neighbour, one level down.
  struct Start {
    Location root;
    Location first;      // the searched vertex to start from; kind leaf for a pair of leaves
    std::int64_t label;  // component of the root
    Level level = 0;     // of `first`
  };
  enum class FrontierForm { list, bitmaps };  // bitmaps: visited now, and not in `before`

  void allocate();
  void label_components(PhaseObserver& observer);
  Start locate_start(GlobalVertex root) const;
  void reset(const Start& start);
  void search_levels(Level first_level, SearchObserver& observer);
  std::int64_t top_down(SearchObserver& observer);
  std::int64_t top_down_small_here(std::span<const std::uint32_t> frontier);
  std::int64_t top_down_here(std::span<const std::uint32_t> frontier);
  std::int64_t top_down_afar(std::span<const std::uint32_t> frontier, SearchObserver& observer);
  std::int64_t bottom_up(SearchObserver& observer);
  BottomUpCounts bottom_up_here(SearchObserver& observer);
  BottomUpCounts bottom_up_afar(SearchObserver& observer);
  BottomUpCounts bottom_up_words(std::size_t first_row_word, std::size_t words, const Word* visited,
                                 Word* next, Word* first_found, std::uint32_t* parent_col);
  void adopt(std::span<const std::vector<Proposal>> outgoing, bool bottom_up, SearchObserver& observer);
  std::span<const std::uint32_t> expand_frontier(SearchObserver& observer);
  void list_frontier();
  void remember_frontier();
  void expand_visited();
  std::int64_t frontier_arcs() const;
  void emit(GlobalVertex root, const Start& start);
  void emit_all(const Start& start);
  void emit_tiny(const Start& start);
  std::int64_t parent_of(std::uint32_t working) const;
  void clear_words(std::span<Word> words) const;
  Word* own_cols() { return visited_cols_.data() + graph_.layout.own_col() / word_bits; }

  const Communicator& world_;
  InstructionSet instructions_;
  Grid grid_;
  Graph graph_;
  Components components_;
  DirectionPolicy policy_;
  GraphFacts facts_;
  BottomUpStep bottom_up_step_;
  EmitBlocks emit_step_;

  // State of a search; allocated in construction.
  LargeArray<Word> visited_;              // own searched vertices
  LargeArray<Word> before_;               // the same before the level that found the frontier
  LargeArray<Word> visited_cols_;         // visited sources of the grid column; unused on one grid row
  LargeArray<Word> first_found_;          // own: parent is the first neighbour (complete rows)
  LargeArray<std::uint32_t> parent_col_;  // rows: parent found here
  LargeArray<std::int64_t> parent_afar_;  // own: parent's original number (several grid columns)
  LargeArray<Word> proposed_;             // rows proposed already (several grid columns)
  LargeArray<Word> piece_;                // a piece on its way round the grid row
  LargeArray<Word> piece_next_;
  std::vector<LargeArray<Word>> thread_visited_;  // one copy per thread: top-down without locked operations
  LargeArray<std::uint32_t> frontier_;            // own, working numbers
  std::vector<std::uint32_t> expanded_;           // the frontier of the grid column, as columns
  std::size_t frontier_size_ = 0;
  std::vector<std::size_t> listed_before_;  // per thread, while a bitmap becomes a list
  FrontierForm form_ = FrontierForm::list;
  std::vector<std::uint64_t> arcs_before_;
  std::int64_t arcs_scanned_ = 0;
  std::vector<std::uint32_t> reached_;  // own, while there are few
  bool reached_is_whole_ = true;
  LargeArray<GlobalVertex> parents_;  // the result
};

}  // namespace isobath
