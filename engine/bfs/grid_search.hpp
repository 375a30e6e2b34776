// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "bfs/bottom_up.hpp"
#include "bfs/constructed_graph.hpp"
#include "bfs/direction.hpp"
#include "bfs/hub_pass.hpp"
#include "bfs/proposal_codec.hpp"
#include "comm/exchange.hpp"
#include "comm/pending.hpp"
#include "graph/dealt_parents.hpp"
#include "graph/emit_parents.hpp"

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
  const BlockPartition& partition() const override { return built_.graph.layout.blocks; }
  const GraphFacts& facts() const override { return built_.facts; }
  FoundTree search(GlobalVertex root, SearchObserver& observer) override;
  TraversedEdges traversed_edges(GlobalVertex root) const override { return built_.edges_of_component(root); }
  std::vector<char> has_neighbour(std::span<const GlobalVertex> candidates) const override {
    return built_.are_connected(candidates);
  }
  Traffic traffic() const override { return built_.sent(); }
  std::optional<ConstructionCheck> check_construction(const EdgeStream& edges) const override {
    return built_.check(edges);
  }

 private:
  /// Where a search starts in the searched graph: a leaf as root starts at its neighbour, one level down.
  struct Start {
    Location root;
    Location first;      // the searched vertex to start from; kind leaf for a pair of leaves
    std::int64_t label;  // component of the root
    Level level = 0;     // of `first`
  };
  /// Of a frontier, over all ranks.
  struct FrontierSums {
    std::int64_t vertices;
    std::int64_t arcs;  // counted where the policy asks for them and there are several ranks
  };
  enum class FrontierHeldAs { list, bitmaps };  // bitmaps: visited now, and not in `before`
  /// How a piece of the visited bitmap travels along the grid column.
  enum class VisitedForm { bitmap, list_of_visited, list_of_unvisited };
  /// Half a piece of the row bitmap on its way round the grid row, and where it will arrive.
  struct Half {
    LargeArray<Word> visited_before;  // the level, as it arrived
    LargeArray<Word> visited_after;   // with what was found for it here, as it leaves
    PendingTransfer transfer;
  };
  /// Words of a half of the row bitmap's piece k.
  struct HalfRange {
    std::size_t first;
    std::size_t words;
  };

  void allocate();
  Start locate_start(GlobalVertex root) const;
  void reset(const Start& start);
  void search_levels(const Start& start, SearchObserver& observer);
  FrontierSums sums_of_first() const;
  FrontierSums sums_of_found(std::int64_t found, std::int64_t unvisited_before) const;
  Direction choose_direction(const FrontierSums& frontier, std::int64_t unvisited_vertices) const;
  bool heavy_decide_bottom_up() const;
  bool is_surely_narrow(std::int64_t frontier_vertices) const;
  std::int64_t frontier_arcs() const;
  std::int64_t arcs_of_list() const;
  std::int64_t arcs_of_bitmaps() const;
  void list_frontier();
  void hold_as_bitmaps();
  void remember_frontier();

  std::span<const std::uint32_t> expand_root(const Location& first);
  std::span<const std::uint32_t> expand_frontier(SearchObserver& observer);
  void expand_list();
  void expand_bitmap();
  void expand_packed(std::span<const std::int64_t> packed_bytes);
  bool bitmap_is_smaller(std::int64_t list_bytes) const;
  void expand_visited();
  void expand_visited_packed();
  VisitedForm pack_visited();
  void unpack_visited(int piece, VisitedForm form, std::span<const std::byte> bytes);

  std::int64_t top_down(std::span<const std::uint32_t> frontier, SearchObserver& observer);
  std::int64_t top_down_small_one_column(std::span<const std::uint32_t> frontier);
  std::int64_t top_down_shared_one_column(std::span<const std::uint32_t> frontier);
  std::int64_t top_down_one_column(std::span<const std::uint32_t> frontier);
  std::uint64_t shared_arcs() const;
  std::int64_t top_down_several_columns(std::span<const std::uint32_t> frontier, SearchObserver& observer);
  void propose_in_turn(std::span<const std::uint32_t> frontier);
  void propose_by_bits(std::span<const std::uint32_t> frontier);

  std::int64_t bottom_up(SearchObserver& observer);
  BottomUpCounts bottom_up_one_column(SearchObserver& observer);
  BottomUpCounts bottom_up_several_columns(SearchObserver& observer);
  BottomUpCounts rotate_pieces(const Word* begins, SearchObserver& observer);
  const Word* find_by_hubs(SearchObserver& observer, std::int64_t& arcs_scanned);
  std::vector<std::int64_t> lengths_of_asking(const Word* reached);
  BottomUpCounts ask_row(const Word* reached, std::span<const std::int64_t> lengths,
                         SearchObserver& observer);
  std::int64_t propose_asked(int piece);
  BottomUpCounts bottom_up_words(std::size_t first_row_word, std::size_t words, const Word* visited,
                                 Word* next, Word* first_found, std::uint32_t* parent_col);
  HalfRange half_range(int piece, std::size_t half) const;
  std::int64_t search_half(int piece, std::size_t half);
  void propose_found(int piece, std::size_t half);

  /// Fold: proposals to the owners of their targets; calls adopt_one(proposal, first original of the source's
  /// grid column) for each that arrives.
  template <class Adopt>
  void fold(SearchObserver& observer, Adopt&& adopt_one);
  void pack_outgoing();

  void emit(GlobalVertex root, const Start& start);
  void emit_all(const Start& start);
  void emit_main(const FoundOneColumn& found);
  void emit_tiny(const Start& start);
  std::int64_t parent_of(std::uint32_t working) const;
  void clear_words(std::span<Word> words) const;

  ConstructedGraph built_;
  Switches switches_;
  DirectionPolicy policy_;
  BottomUpStep bottom_up_step_;
  BottomUpStep bottom_up_few_step_;
  AskedRowsStep asked_rows_step_;
  InstructionSet instructions_;
  std::optional<LikelyParents> likely_;  // where they are wanted, and rows are complete or there are hubs
  std::optional<DealtParents> dealt_;    // where there are families too
  std::optional<HubPass> hub_pass_;      // where owners keep hubs
  std::unique_ptr<Exchange> exchange_;   // along the grid row, where there are several columns

  // State of a search; allocated in construction.
  LargeArray<Word> visited_;              // own searched vertices
  LargeArray<Word> before_;               // the same before the level that found the frontier
  LargeArray<Word> visited_cols_;         // visited sources of the grid column; unused on one grid row
  LargeArray<Word> followers_;            // own: their head is visited
  LargeArray<Word> first_found_;          // own: parent is the first neighbour (complete rows); else of rows,
                                          // inside a level
  LargeArray<std::uint32_t> parent_col_;  // rows: parent found here
  LargeArray<std::int64_t> parent_original_;      // own: parent's original number (several grid columns), but
                                                  // where it is the first kept hub
  LargeArray<Word> proposed_;                     // rows proposed already (several grid columns)
  std::vector<LargeArray<Word>> thread_visited_;  // one copy per thread: top-down without locked operations
  std::vector<LargeArray<std::uint32_t>> thread_found_;  // one list per thread: top-down in a shared bitmap
  LargeArray<std::uint32_t> frontier_;                   // own, working numbers
  std::vector<std::uint32_t> expanded_;                  // the frontier of the grid column, as columns
  std::size_t frontier_size_ = 0;
  std::vector<std::size_t> listed_before_;  // per thread, while a bitmap becomes a list
  FrontierHeldAs held_as_ = FrontierHeldAs::list;
  std::vector<std::uint64_t> arcs_before_;
  std::int64_t arcs_scanned_ = 0;
  std::int64_t largest_degree_ = 0;                // of the own searched vertices
  std::vector<std::uint32_t> reached_one_by_one_;  // own, while there are few
  bool reached_is_whole_ = true;
  LargeArray<GlobalVertex> parents_;  // the result

  // Messages, kept from level to level so that their memory is.
  std::array<std::unique_ptr<Half>, 2> halves_;
  std::vector<std::vector<Proposal>> outgoing_;         // by grid column of the target's owner
  std::vector<std::vector<Proposal>> outgoing_second_;  // of second halves, whose targets are larger
  std::vector<std::vector<std::byte>> packed_;          // the same, as they travel
  std::vector<Proposal> arrived_;
  std::vector<std::byte> packed_list_;
  std::vector<std::byte> packed_lists_;
  std::vector<std::uint32_t> sorted_frontier_;
  std::vector<std::uint32_t> asking_;        // rows of one piece
  std::vector<std::uint32_t> asked_parent_;  // by place in `asking_`
  std::vector<Word> frontier_words_;
};

}  // namespace isobath
