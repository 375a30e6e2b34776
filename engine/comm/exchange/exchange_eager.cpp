// SPDX-License-Identifier: Apache-2.0
// A message to every other rank tells how many bytes there are for it, and has them with it where they are
// few; many are in another message, begun before it. Where all parcels are short, ranks wait once.
#include <cstdint>
#include <vector>

#include "comm/calls/check.hpp"
#include "comm/exchange/exchange_kinds.hpp"
#include "comm/messages/eager_messages.hpp"
#include "comm/messages/message_tag.hpp"
#include "comm/messages/messages.hpp"

namespace isobath::exchanges {
namespace {

class EagerExchange final : public Exchange {
 public:
  explicit EagerExchange(const Communicator& comm)
      : comm_(comm), messages_(comm), lengths_(static_cast<std::size_t>(comm.size())) {}

  void run(Outgoing outgoing, const Arrived& arrived, PhaseObserver& observer) override {
    expect_one_per_rank(outgoing, comm_);
    observer.phase(Phase::fold);
    begin_long_sends(outgoing);
    for (std::size_t rank = 0; rank < lengths_.size(); ++rank) lengths_[rank] = std::ssize(outgoing[rank]);
    messages_.exchange(lengths_, outgoing);
    begin_long_receives();
    hand_over_own(outgoing, comm_, arrived);
    for_each_source([&](int source, std::int64_t length) {
      if (EagerMessages::carry(length) && length != 0) {
        arrived(source, messages_.parcel_from(static_cast<std::size_t>(source)));
      }
    });
    wait_for_long();
    for (const Long& one : long_) arrived(one.source, one.bytes);
  }

 private:
  struct Long {
    int source;
    std::span<std::byte> bytes;
  };

  int to(int step) const { return (comm_.rank() + step) % comm_.size(); }

  template <class Act>
  void for_each_source(const Act& act) const {
    for (int rank = 0; rank < comm_.size(); ++rank) {
      if (rank != comm_.rank()) act(rank, messages_.word_from(static_cast<std::size_t>(rank)));
    }
  }

  void begin_long_sends(Outgoing outgoing) {
    for (int step = 1; step < comm_.size(); ++step) {
      const std::span<const std::byte> parcel = outgoing[static_cast<std::size_t>(to(step))];
      if (EagerMessages::carry(std::ssize(parcel))) continue;
      CountedCall call = comm_.counted(CallKind::isend, "MPI_Isend");
      call.sent(to(step), std::ssize(parcel));
      begin_send(parcel, to(step), MessageTag::eager_long, comm_.limit().bytes_per_call, comm_.handle(),
                 requests_);
    }
  }

  void begin_long_receives() {
    long_.clear();
    std::size_t end = 0;
    for_each_source(
        [&](int, std::int64_t length) { end += EagerMessages::carry(length) ? 0 : room(length); });
    std::byte* memory = arrivals_.at_least(end);
    for_each_source([&](int source, std::int64_t length) {
      if (EagerMessages::carry(length)) return;
      long_.push_back({source, {memory, static_cast<std::size_t>(length)}});
      memory += room(length);
      const CountedCall call = comm_.counted(CallKind::irecv, "MPI_Irecv");
      begin_receive(long_.back().bytes, source, MessageTag::eager_long, comm_.limit().bytes_per_call,
                    comm_.handle(), requests_);
    });
  }

  void wait_for_long() {
    if (requests_.empty()) return;
    CountedCall call = comm_.counted(CallKind::waitall, "MPI_Waitall");
    requests_.wait_all();
    for (const Long& one : long_) call.received(one.source, std::ssize(one.bytes));
  }

  /// Bytes that a long parcel takes, so that the next begins at a multiple of 16 too.
  static std::size_t room(std::int64_t length) { return (static_cast<std::size_t>(length) + 15) / 16 * 16; }

  const Communicator& comm_;
  EagerMessages messages_;
  std::vector<std::int64_t> lengths_;  // by destination
  Requests requests_;                  // of long parcels
  std::vector<Long> long_;
  ByteBuffer arrivals_;
};

}  // namespace

std::unique_ptr<Exchange> eager(const Communicator& comm) {
  if (!EagerMessages::suit(comm)) return alltoallv(comm);
  return std::make_unique<EagerExchange>(comm);
}

}  // namespace isobath::exchanges
