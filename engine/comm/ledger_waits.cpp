// SPDX-License-Identifier: Apache-2.0
#include "comm/ledger_waits.hpp"

#include <algorithm>
#include <cstdint>

#include <fmt/format.h>

#include "base/error.hpp"

namespace isobath {

/// Collective over the world: all ranks made their communicators in the same order, so that those of one
/// number are the groups of one split.
const Communicator& LedgerWaits::group(const Ledger& ledger, std::size_t communicator) {
  if (groups_.size() <= communicator) groups_.resize(communicator + 1);
  std::optional<Communicator>& group = groups_[communicator];
  if (!group) {
    const std::span<const int> ranks = ledger.world_ranks(static_cast<int>(communicator));
    group = world_.split(*std::min_element(ranks.begin(), ranks.end()), world_.rank());
  }
  return *group;
}

std::vector<double> LedgerWaits::of(const Ledger& ledger, double clock_offset) {
  const std::span<const CollectiveCall> calls = ledger.collectives();
  const std::span<const LedgerCell> cells = ledger.cells();
  std::vector<std::vector<std::size_t>> of_communicator(
      static_cast<std::size_t>(world_.max(std::int64_t{ledger.num_communicators()})));
  for (std::size_t i = 0; i < calls.size(); ++i) {
    of_communicator[static_cast<std::size_t>(cells[calls[i].cell].communicator)].push_back(i);
  }
  std::vector<std::int64_t> most;
  for (const std::vector<std::size_t>& own : of_communicator) most.push_back(std::ssize(own));
  world_.max(std::span<std::int64_t>(most));

  std::vector<double> waits(cells.size(), 0.0);
  for (std::size_t k = 0; k < of_communicator.size(); ++k) {
    if (most[k] == 0) continue;
    const Communicator& ranks = group(ledger, k);
    const std::vector<std::size_t>& own = of_communicator[k];
    std::int64_t counts[] = {std::ssize(own), -std::ssize(own)};
    ranks.max(counts);
    if (counts[0] != -counts[1]) {
      throw InternalError(
          fmt::format("ranks counted from {} to {} collective calls on one communicator; please report this",
                      -counts[1], counts[0]));
    }
    std::vector<double> last;
    for (const std::size_t i : own) last.push_back(calls[i].entry + clock_offset);
    ranks.max(std::span<double>(last));
    for (std::size_t i = 0; i < own.size(); ++i) {
      const CollectiveCall& call = calls[own[i]];
      waits[call.cell] += std::clamp(last[i] - (call.entry + clock_offset), 0.0, std::max(0.0, call.seconds));
    }
  }
  return waits;
}

}  // namespace isobath
