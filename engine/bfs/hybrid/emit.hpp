// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "base/arena.hpp"
#include "base/instruction_set.hpp"
#include "bfs/constructed_graph.hpp"
#include "bfs/hybrid/search_start.hpp"
#include "graph/dealt_parents.hpp"
#include "graph/emit_parents.hpp"
#include "graph/likely_parents.hpp"

namespace isobath {

/// Emit, the end of a search: parents in original numbering, of all own vertices. No MPI: GridSearch::emit
/// gathers what it reads.
class Emit {
 public:
  /// @param built  outlives this; its components may be labelled later
  explicit Emit(const ConstructedGraph& built);

  /// Writes down the likely parents, which searches of the main component then copy. Returns how many own
  /// vertices have one. @param in_main  own searched vertices of the main component
  std::int64_t prepare_likely_parents(std::span<const Word> in_main);

  /// Whether write() copies the likely parents, of searched vertices and of leaves, and only puts those right
  /// of which the search found another. No leaf is looked up then: in the main component all are reached.
  bool copies_likely_parents(const SearchStart& start) const {
    return likely_.has_value() && start.label == Components::main;
  }
  /// On several grid columns, whether write() takes the parents that are not the likely ones from lists.
  bool takes_lists(const SearchStart& start) const {
    return copies_likely_parents(start) && dealt_.has_value();
  }
  /// The parents that a search found; valid until the next call.
  /// @param listed  all own vertices that were reached, outside the main component and where every rank
  ///                has such a list: the array is filled with -1, then these are written
  template <class Found>
  std::span<const GlobalVertex> write(const SearchStart& start, const Found& found,
                                      std::optional<std::span<const std::uint32_t>> listed);

 private:
  template <class Found>
  void write_all(const Found& found);
  template <class Found>
  void write_main(const Found& found);
  template <class Found>
  void write_families(const Found& found);
  // By the threads of a parallel region, which wait for each other at the end.
  void deal(const FoundOneColumn& found);
  void deal(const FoundSeveralColumns& found);
  void write_outer_leaves(std::int64_t label);
  void set_parent(std::int64_t child, GlobalVertex parent);

  const ConstructedGraph& built_;
  InstructionSet instructions_ = best_instruction_set();
  std::optional<LikelyParents> likely_;  // where they are switched on, and can_have_likely_parents()
  std::optional<DealtParents> dealt_;    // where there are families, too
  LargeArray<GlobalVertex> parents_;     // the result
};

}  // namespace isobath
