// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "collectives/cell.hpp"
#include "comm/communicator.hpp"
#include "record/collective.hpp"
#include "timing/repetition.hpp"

namespace isobath {

/// What the words of a cell say, before anything is known of the library.
CollectiveRecord record_of(const Cell& cell);

/// Bytes of the calls of a cell.
void put_sizes(const Cell& cell, const Setting& setting, CollectiveRecord& record);

/// Collective over those who took part. Times of all ranks, and which of them do not count.
/// @param comm  in which the cell was measured, one of several of its kind in `world` where there are
void put_repetitions(const Communicator& world, const Communicator& comm, const Repetitions& repetitions,
                     CollectiveRecord& record);

}  // namespace isobath
