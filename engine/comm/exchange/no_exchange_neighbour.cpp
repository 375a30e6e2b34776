// SPDX-License-Identifier: Apache-2.0
// Compiled where the MPI library has no neighbourhood collectives, as SimGrid's.
#include "comm/exchange/exchange_kinds.hpp"

namespace isobath::exchanges {

std::unique_ptr<Exchange> neighbour(const Communicator& /*comm*/) {
  throw UsageError(
      "the exchange neighbour needs neighbourhood collectives, which this MPI lacks; take another "
      "exchange");
}

}  // namespace isobath::exchanges
