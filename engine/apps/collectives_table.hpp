// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "record/collective.hpp"

namespace isobath {

/// The head of a table of cells of at most 80 columns; `from` and `to` are the interval of the median.
std::string collectives_table_head();
/// One cell: the median of its times with its 95 % interval, or why there is none. Longer words go into a
/// line of their own.
std::string collectives_table_row(const CollectiveRecord& record);

/// The times of a call that count, over all ranks, in order of size: one of each batch that is neither
/// warm-up nor has an invalid repetition. The slow twin of what src/isobath/bench/measured.py makes of a
/// record.
std::vector<std::int64_t> ordered_times(const CollectiveRecord& record);

/// What there is to measure: collectives with their forms, and the library's algorithms as it names them.
/// While MPI runs.
std::string list_of_collectives();

}  // namespace isobath
