// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "base/expects.hpp"
#include "comm/exchange/exchange.hpp"

/// The kinds of exchange, one file each, for two ranks at least. All are collective; `comm` outlives the
/// result.
namespace isobath::exchanges {

using Outgoing = std::span<const std::span<const std::byte>>;

std::unique_ptr<Exchange> alltoallv(const Communicator& comm);
/// The same where EagerMessages do not suit the communicator.
std::unique_ptr<Exchange> eager(const Communicator& comm);
std::unique_ptr<Exchange> pairwise(const Communicator& comm);
std::unique_ptr<Exchange> sparse(const Communicator& comm);
std::unique_ptr<Exchange> neighbour(const Communicator& comm);
std::unique_ptr<Exchange> one_sided(const Communicator& comm);
std::unique_ptr<Exchange> persistent(const Communicator& comm);
/// @param node_of_rank  node of each rank of `comm`, the same on all ranks
/// @throws UsageError on all ranks where nodes have different numbers of ranks
std::unique_ptr<Exchange> two_level(const Communicator& comm, std::span<const int> node_of_rank);

/// Bytes of data that one round of the one-sided exchange carries from each rank to each other: an equal part
/// of 16 MiB, but at least 4 KiB, and at most what sixteen calls carry under the limit.
std::int64_t one_sided_slot_bytes(int ranks, std::int64_t limit);

/// What every kind asks of its caller.
inline void expect_one_per_rank(Outgoing outgoing, const Communicator& comm) {
  ISOBATH_EXPECTS(std::ssize(outgoing) == comm.size());
}

/// The own segment, which never travels.
inline void hand_over_own(Outgoing outgoing, const Communicator& comm, const Exchange::Arrived& arrived) {
  const std::span<const std::byte> own = outgoing[static_cast<std::size_t>(comm.rank())];
  if (!own.empty()) arrived(comm.rank(), own);
}

}  // namespace isobath::exchanges
