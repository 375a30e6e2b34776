// SPDX-License-Identifier: Apache-2.0
// Counts by MPI_Alltoall, data by MPI_Alltoallv.
#include <numeric>
#include <vector>

#include "comm/exchange_hop.hpp"
#include "comm/exchange_kinds.hpp"

namespace isobath::exchanges {
namespace {

std::vector<int> everybody(const Communicator& comm) {
  std::vector<int> ranks(static_cast<std::size_t>(comm.size()));
  std::iota(ranks.begin(), ranks.end(), 0);
  return ranks;
}

class AlltoallvExchange final : public Exchange {
 public:
  explicit AlltoallvExchange(const Communicator& comm)
      : comm_(comm), hop_(comm, comm.handle(), everybody(comm), alltoall_calls) {}

  void run(Outgoing outgoing, const Arrived& arrived, PhaseObserver& observer) override {
    expect_one_per_rank(outgoing, comm_);
    hop_.run(outgoing, observer);
    hand_over_own(outgoing, comm_, arrived);
    for (int source = 0; source < comm_.size(); ++source) {
      const std::span<const std::byte> bytes = hop_.from(static_cast<std::size_t>(source));
      if (!bytes.empty()) arrived(source, bytes);
    }
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
