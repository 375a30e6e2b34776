// SPDX-License-Identifier: Apache-2.0
#include "comm/ledger/ledger_waits.hpp"

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

/// Collective. How many calls were made at most on each communicator by any rank. Ranks of one communicator
/// must agree on the number; where all ranks do, none need ask.
std::vector<std::int64_t> LedgerWaits::agree(const Ledger& ledger,
                                             const std::vector<std::vector<std::size_t>>& calls) {
  std::vector<std::int64_t> counts;  // most on any rank, then fewest, negative
  for (const std::vector<std::size_t>& own : calls) counts.push_back(std::ssize(own));
  for (const std::vector<std::size_t>& own : calls) counts.push_back(-std::ssize(own));
  world_.max(std::span<std::int64_t>(counts));
  for (std::size_t k = 0; k < calls.size(); ++k) {
    if (counts[k] == -counts[calls.size() + k]) continue;
    std::int64_t here[] = {std::ssize(calls[k]), -std::ssize(calls[k])};
    group(ledger, k).max(here);
    if (here[0] != -here[1]) {
      throw InternalError(
          fmt::format("ranks counted from {} to {} collective calls on one communicator; please report this",
                      -here[1], here[0]));
    }
  }
  counts.resize(calls.size());
  return counts;
}

std::vector<double> LedgerWaits::of(const Ledger& ledger, double clock_offset) {
  const std::span<const CollectiveCall> calls = ledger.collectives();
  const std::span<const LedgerCell> cells = ledger.cells();
  std::vector<std::vector<std::size_t>> of_communicator(static_cast<std::size_t>(ledger.num_communicators()));
  for (std::size_t i = 0; i < calls.size(); ++i) {
    of_communicator[static_cast<std::size_t>(cells[calls[i].cell].communicator)].push_back(i);
  }
  const std::vector<std::int64_t> most = agree(ledger, of_communicator);

  std::vector<double> waits(cells.size(), 0.0);
  std::vector<double> last;  // arrival at each call
  for (std::size_t k = 0; k < of_communicator.size(); ++k) {
    if (most[k] == 0) continue;
    last.clear();
    for (const std::size_t i : of_communicator[k]) last.push_back(calls[i].entry + clock_offset);
    group(ledger, k).max(std::span<double>(last));
    for (std::size_t i = 0; i < last.size(); ++i) {
      const CollectiveCall& call = calls[of_communicator[k][i]];
      waits[call.cell] += std::clamp(last[i] - (call.entry + clock_offset), 0.0, std::max(0.0, call.seconds));
    }
  }
  return waits;
}

}  // namespace isobath
