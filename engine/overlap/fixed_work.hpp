// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string_view>

namespace isobath {

enum class WorkKind { product, triad, scan };
std::string_view name_of(WorkKind kind);
/// @throws UsageError
WorkKind parse_work_kind(std::string_view name);

/// Work that is the same every time it is done, in small units, by all OpenMP threads of this rank.
class FixedWork {
 public:
  FixedWork() = default;
  FixedWork(const FixedWork&) = delete;
  FixedWork& operator=(const FixedWork&) = delete;
  virtual ~FixedWork();

  /// Units first .. end - 1. Units may be done in any pieces and again.
  virtual void run(std::int64_t first, std::int64_t end) = 0;
  /// Depends on every result, so that no unit can be left out.
  virtual double checksum() const = 0;
};

/// Calls `round(begin, end)` for consecutive parts of first .. end - 1 of at most `places` units. Unit i
/// writes to place i mod `places`: within one round no two units write to the same, so that threads may share
/// it.
template <class Round>
void in_rounds(std::int64_t first, std::int64_t end, std::int64_t places, Round&& round) {
  for (std::int64_t begin = first; begin < end; begin += places) round(begin, std::min(end, begin + places));
}

/// The work of one rank out of `ranks`.
///   product  rows of an `order` x `order` matrix product C = A B, split over ranks (order / ranks rows each,
///            at the least one); a unit is a row, the loops in the order i-k-j, rows over threads by a static
///            schedule (Nanri, Ohshima, Ono, IPSJ HPC-165 No. 12, 2018)
///   triad    a[i] = b[i] + 3 c[i] over arrays of 16 MiB each, as STREAM; a unit is 512 elements: bound by
///            memory
///   scan     the words of a frontier bitmap of 2^23 bits; for every bit that is set a bit is looked up
///            elsewhere, as in a search; a unit is 64 words
std::unique_ptr<FixedWork> make_fixed_work(WorkKind kind, int order, int rank, int ranks);

}  // namespace isobath
