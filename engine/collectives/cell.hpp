// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <variant>

#include "collectives/buffers.hpp"
#include "collectives/case.hpp"
#include "collectives/process_shape.hpp"
#include "record/collective_cells.hpp"
#include "timing/start_alignment.hpp"
#include "timing/stop_rule.hpp"

namespace isobath {

/// A cell whose words are understood.
struct Cell {
  CollectiveCell words;  // with everything that was left open filled in
  Case one;
  Form form = Form::blocking;
  ProcessShape shape = {};
  Along along = {};
  Distribution distribution = {};
  ElementType type = ElementType::plain_byte;
  Operation operation = Operation::sum;
  BufferMode buffers = BufferMode::warm;
  Cadence cadence = Cadence::isolated;
  Alignment alignment = Alignment::dissemination;
};

/// @param ranks  of the world
/// @throws UsageError for words that name nothing, and for shapes of another number of ranks
Cell understand(const CollectiveCell& words, int ranks);

/// Ranks of one of its communicators.
int communicator_size(const Cell& cell);

/// Why a cell that means something cannot be measured here, as far as arithmetic tells: "needs X, has Y".
/// Nothing where it can. @param ranks  of one communicator
std::optional<std::string> obstacle(const Cell& cell, int ranks);

/// Counts of an irregular cell in the form of its case, or why there are none. All spread as many elements as
/// uniform ones of the cell's size have; recorded ones are what the matrix says.
/// @param recorded  bytes between the ranks of this communicator; for recorded counts only
std::variant<Counts, std::string> counts_of(const Cell& cell, int ranks, const ByteMatrix& recorded);

/// The part of a matrix that lies between some ranks; all of it where it is of their number only.
/// @param world_ranks  by rank of the communicator
/// @returns an empty matrix where it is of neither size
ByteMatrix part_of(const ByteMatrix& matrix, std::span<const int> world_ranks, int ranks_of_world);

/// Of the counts of a cell, in elements; regular ones too. Of neighbourhood collectives the matrix has what
/// goes from a rank to each of its neighbours, and no entries beside.
CountFacts facts_of(const Cell& cell, const Setting& setting);

}  // namespace isobath
