// SPDX-License-Identifier: Apache-2.0
// Counts by MPI_Alltoall, data by MPI_Alltoallv.
#include "comm/exchange/exchange_hop.hpp"
#include "comm/exchange/exchange_kinds.hpp"

namespace isobath::exchanges {
namespace {

class AlltoallvExchange final : public Exchange {
 public:
  explicit AlltoallvExchange(const Communicator& comm)
      : comm_(comm), hop_(comm, comm.handle(), all_ranks(comm), alltoall_calls) {}

  void run(Outgoing outgoing, const Arrived& arrived, PhaseObserver& observer) override {
    expect_one_per_rank(outgoing, comm_);
    hop_.run(outgoing, observer);
    hand_over_own(outgoing, comm_, arrived);
    hop_.hand_over(arrived);
  }

 private:
  const Communicator& comm_;
  Hop hop_;
};

}  // namespace

std::unique_ptr<Exchange> alltoallv(const Communicator& comm) {
  return std::make_unique<AlltoallvExchange>(comm);
}

}  // namespace isobath::exchanges
