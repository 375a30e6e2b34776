// SPDX-License-Identifier: Apache-2.0
// In step k every rank sends to the k-th rank after it and receives from the k-th before it: first the counts
// of all steps, then the data. One message at a time is under way in each direction, and one buffer of the
// longest message is enough.
#include <cstdint>
#include <vector>

#include "comm/calls/calls.hpp"
#include "comm/exchange/exchange_kinds.hpp"
#include "comm/messages/messages.hpp"

namespace isobath::exchanges {
namespace {

class PairwiseExchange final : public Exchange {
 public:
  explicit PairwiseExchange(const Communicator& comm)
      : comm_(comm),
        pieces_(piece_calls(comm.limit().bytes_per_call)),
        receive_counts_(static_cast<std::size_t>(comm.size())) {}

  void run(Outgoing outgoing, const Arrived& arrived, PhaseObserver& observer) override {
    expect_one_per_rank(outgoing, comm_);
    observer.phase(Phase::count);
    for (int step = 1; step < comm_.size(); ++step) exchange_counts(step, outgoing);
    observer.phase(Phase::fold);
    hand_over_own(outgoing, comm_, arrived);
    for (int step = 1; step < comm_.size(); ++step) exchange_parcels(step, outgoing, arrived);
  }

 private:
  int to(int step) const { return (comm_.rank() + step) % comm_.size(); }
  int from(int step) const { return (comm_.rank() + comm_.size() - step) % comm_.size(); }

  void exchange_counts(int step, Outgoing outgoing) {
    const std::int64_t count = std::ssize(outgoing[static_cast<std::size_t>(to(step))]);
    comm_.send_receive<std::int64_t>(
        std::span(&count, 1), to(step),
        std::span(receive_counts_).subspan(static_cast<std::size_t>(from(step)), 1), from(step));
  }

  void exchange_parcels(int step, Outgoing outgoing, const Arrived& arrived) {
    const std::span<const std::byte> send = outgoing[static_cast<std::size_t>(to(step))];
    const auto bytes = static_cast<std::size_t>(receive_counts_[static_cast<std::size_t>(from(step))]);
    if (send.empty() && bytes == 0) return;
    const std::span<std::byte> receive(arrival_.at_least(bytes), bytes);
    {
      CountedCall call = comm_.counted(CallKind::sendrecv, "MPI_Sendrecv");
      call.sent(to(step), std::ssize(send));
      call.received(from(step), std::ssize(receive));
      // These leave out an empty side, which its partner leaves out too, for both know the count.
      pieces_->send_receive(send, to(step), receive, from(step), comm_.handle());
    }
    if (!receive.empty()) arrived(from(step), receive);
  }

  const Communicator& comm_;
  std::shared_ptr<const Calls> pieces_;
  std::vector<std::int64_t> receive_counts_;  // per source
  ByteBuffer arrival_;
};

}  // namespace

std::unique_ptr<Exchange> pairwise(const Communicator& comm) {
  return std::make_unique<PairwiseExchange>(comm);
}

}  // namespace isobath::exchanges
