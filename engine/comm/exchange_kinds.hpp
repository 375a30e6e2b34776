// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "base/expects.hpp"
#include "comm/exchange.hpp"

/// The kinds of exchange, one file each, for two ranks at least. All are collective; `comm` outlives the
/// result.
namespace isobath::exchanges {

using Outgoing = std::span<const std::span<const std::byte>>;

std::unique_ptr<Exchange> alltoallv(const Communicator& comm);
std::unique_ptr<Exchange> pairwise(const Communicator& comm);
std::unique_ptr<Exchange> sparse(const Communicator& comm);

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
