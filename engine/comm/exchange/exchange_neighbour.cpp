// SPDX-License-Identifier: Apache-2.0
// Counts and data by neighbourhood collectives on a graph in which every rank is a neighbour of every rank.
#include <mpi.h>

#include <exception>
#include <vector>

#include "comm/calls/check.hpp"
#include "comm/exchange/exchange_hop.hpp"
#include "comm/exchange/exchange_kinds.hpp"

namespace isobath::exchanges {
namespace {

const HopCalls neighbour_calls = {CallKind::neighbor_alltoall,
                                  "MPI_Neighbor_alltoall",
                                  &MPI_Neighbor_alltoall,
                                  CallKind::neighbor_alltoallv,
                                  "MPI_Neighbor_alltoallv",
                                  &MPI_Neighbor_alltoallv,
                                  false};

/// An owning handle of the complete graph over the ranks of a communicator, itself included, in rank order.
class CompleteGraph {
 public:
  explicit CompleteGraph(const Communicator& comm) {
    const std::vector<int> all = all_ranks(comm);
    const Waiting waiting = comm.waiting("MPI_Dist_graph_create_adjacent");
    check(MPI_Dist_graph_create_adjacent(comm.handle(), comm.size(), all.data(), MPI_UNWEIGHTED, comm.size(),
                                         all.data(), MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &handle_),
          "MPI_Dist_graph_create_adjacent");
    check(MPI_Comm_set_errhandler(handle_, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
  }
  CompleteGraph(const CompleteGraph&) = delete;
  CompleteGraph& operator=(const CompleteGraph&) = delete;
  /// As Communicator's: leaves the handle where MPI has ended, or while an exception passes.
  ~CompleteGraph() {
    int finalized = 0;
    MPI_Finalized(&finalized);
    if (finalized == 0 && std::uncaught_exceptions() == 0) MPI_Comm_free(&handle_);
  }

  MPI_Comm handle() const { return handle_; }

 private:
  MPI_Comm handle_ = MPI_COMM_NULL;
};

class NeighbourExchange final : public Exchange {
 public:
  explicit NeighbourExchange(const Communicator& comm)
      : comm_(comm), graph_(comm), hop_(comm, graph_.handle(), all_ranks(comm), neighbour_calls) {}

  void run(Outgoing outgoing, const Arrived& arrived, PhaseObserver& observer) override {
    expect_one_per_rank(outgoing, comm_);
    hop_.run(outgoing, observer);
    hand_over_own(outgoing, comm_, arrived);
    hop_.hand_over(arrived);
  }

 private:
  const Communicator& comm_;
  CompleteGraph graph_;
  Hop hop_;
};

}  // namespace

std::unique_ptr<Exchange> neighbour(const Communicator& comm) {
  return std::make_unique<NeighbourExchange>(comm);
}

}  // namespace isobath::exchanges
