// SPDX-License-Identifier: Apache-2.0
#include "comm/exchange/exchange.hpp"

#include "base/error.hpp"
#include "comm/exchange/exchange_kinds.hpp"

namespace isobath {
namespace {

/// One rank: everything is its own, and MPI is not asked.
class AloneExchange final : public Exchange {
 public:
  explicit AloneExchange(const Communicator& comm) : comm_(comm) {}

  void run(exchanges::Outgoing outgoing, const Arrived& arrived, PhaseObserver& observer) override {
    exchanges::expect_one_per_rank(outgoing, comm_);
    observer.phase(Phase::fold);
    exchanges::hand_over_own(outgoing, comm_, arrived);
  }

 private:
  const Communicator& comm_;
};

}  // namespace

std::unique_ptr<Exchange> make_exchange(ExchangeKind kind, const Communicator& comm,
                                        std::span<const int> node_of_rank) {
  if (comm.size() == 1) return std::make_unique<AloneExchange>(comm);
  switch (kind) {
    case ExchangeKind::alltoallv:
      return exchanges::alltoallv(comm);
    case ExchangeKind::eager:
      return exchanges::eager(comm);
    case ExchangeKind::pairwise:
      return exchanges::pairwise(comm);
    case ExchangeKind::sparse:
      return exchanges::sparse(comm);
    case ExchangeKind::neighbour:
      return exchanges::neighbour(comm);
    case ExchangeKind::one_sided:
      return exchanges::one_sided(comm);
    case ExchangeKind::persistent:
      return exchanges::persistent(comm);
    case ExchangeKind::two_level:
      return exchanges::two_level(comm, node_of_rank);
  }
  throw InternalError("an exchange of no kind; please report this");
}

}  // namespace isobath
