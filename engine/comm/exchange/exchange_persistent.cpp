// SPDX-License-Identifier: Apache-2.0
// Counts by requests that are made once and started in every run; data by non-blocking messages, handed over
// in the order in which they arrive.
#include <mpi.h>

#include <cstdint>
#include <exception>
#include <vector>

#include "base/narrow.hpp"
#include "comm/calls/check.hpp"
#include "comm/exchange/exchange_kinds.hpp"
#include "comm/messages/message_tag.hpp"
#include "comm/messages/messages.hpp"

namespace isobath::exchanges {
namespace {

/// A count to and from every other rank, any number of times.
class PersistentCounts {
 public:
  explicit PersistentCounts(const Communicator& comm)
      : comm_(comm),
        sent_(static_cast<std::size_t>(comm.size())),
        received_(static_cast<std::size_t>(comm.size())) {
    constexpr int tag = static_cast<int>(MessageTag::count);
    for (int peer = 0; peer < comm.size(); ++peer) {
      if (peer == comm.rank()) continue;
      const auto p = static_cast<std::size_t>(peer);
      check(MPI_Recv_init(&received_[p], 1, MPI_INT64_T, peer, tag, comm.handle(), add()), "MPI_Recv_init");
      check(MPI_Send_init(&sent_[p], 1, MPI_INT64_T, peer, tag, comm.handle(), add()), "MPI_Send_init");
    }
    statuses_.resize(requests_.size());
  }
  PersistentCounts(const PersistentCounts&) = delete;
  PersistentCounts& operator=(const PersistentCounts&) = delete;
  ~PersistentCounts() {
    int finalized = 0;
    MPI_Finalized(&finalized);
    if (finalized != 0 || std::uncaught_exceptions() > 0) return;
    for (MPI_Request& request : requests_) MPI_Request_free(&request);
  }

  /// Collective.
  void exchange(Outgoing outgoing) {
    for (std::size_t r = 0; r < sent_.size(); ++r) sent_[r] = std::ssize(outgoing[r]);
    {
      CountedCall call = comm_.counted(CallKind::start, "MPI_Startall");
      for_each_peer([&](int peer) { call.sent(peer, sizeof(std::int64_t)); });
      check(MPI_Startall(narrow<int>(requests_.size()), requests_.data()), "MPI_Startall");
    }
    CountedCall call = comm_.counted(CallKind::waitall, "MPI_Waitall");
    for_each_peer([&](int peer) { call.received(peer, sizeof(std::int64_t)); });
    check_all(MPI_Waitall(narrow<int>(requests_.size()), requests_.data(), statuses_.data()), statuses_,
              "MPI_Waitall");
  }

  /// Bytes that will come from `peer`, another rank.
  std::int64_t from(int peer) const { return received_[static_cast<std::size_t>(peer)]; }

 private:
  MPI_Request* add() { return &requests_.emplace_back(MPI_REQUEST_NULL); }
  template <class Act>
  void for_each_peer(const Act& act) const {
    for (int peer = 0; peer < comm_.size(); ++peer) {
      if (peer != comm_.rank()) act(peer);
    }
  }

  const Communicator& comm_;
  std::vector<std::int64_t> sent_;  // the requests know where these stand: they keep their place
  std::vector<std::int64_t> received_;
  std::vector<MPI_Request> requests_;
  std::vector<MPI_Status> statuses_;
};

class PersistentExchange final : public Exchange {
 public:
  explicit PersistentExchange(const Communicator& comm)
      : comm_(comm),
        counts_(comm),
        places_(static_cast<std::size_t>(comm.size())),
        missing_pieces_(static_cast<std::size_t>(comm.size())) {}

  void run(Outgoing outgoing, const Arrived& arrived, PhaseObserver& observer) override {
    expect_one_per_rank(outgoing, comm_);
    observer.phase(Phase::count);
    counts_.exchange(outgoing);
    observer.phase(Phase::fold);
    begin_receives();
    begin_sends(outgoing);
    hand_over_own(outgoing, comm_, arrived);
    while (!receiving_.empty()) {
      const int source = wait_for_message();
      arrived(source, places_[static_cast<std::size_t>(source)]);
    }
    if (sending_.empty()) return;
    const CountedCall call = comm_.counted(CallKind::waitall, "MPI_Waitall");
    sending_.wait_all();
  }

 private:
  void begin_receives() {
    std::size_t end = 0;
    for (int step = 1; step < comm_.size(); ++step) end += room(from(step));
    std::byte* memory = arrivals_.at_least(end);
    for (int step = 1; step < comm_.size(); ++step) {
      const int source = from(step);
      const auto s = static_cast<std::size_t>(source);
      places_[s] = {memory, static_cast<std::size_t>(counts_.from(source))};
      if (places_[s].empty()) continue;
      memory += room(source);
      const CountedCall call = comm_.counted(CallKind::irecv, "MPI_Irecv");
      missing_pieces_[s] = begin_receive(places_[s], source, MessageTag::parcel, comm_.limit().bytes_per_call,
                                         comm_.handle(), receiving_);
      sources_.resize(receiving_.size(), source);
    }
  }

  void begin_sends(Outgoing outgoing) {
    for (int step = 1; step < comm_.size(); ++step) {  // every rank begins with another one
      const int to = (comm_.rank() + step) % comm_.size();
      const std::span<const std::byte> message = outgoing[static_cast<std::size_t>(to)];
      if (message.empty()) continue;
      CountedCall call = comm_.counted(CallKind::isend, "MPI_Isend");
      call.sent(to, std::ssize(message));
      begin_send(message, to, MessageTag::parcel, comm_.limit().bytes_per_call, comm_.handle(), sending_);
    }
  }

  /// The source of a message that is here, all pieces of it.
  int wait_for_message() {
    CountedCall call = comm_.counted(CallKind::waitany, "MPI_Waitany");
    while (true) {
      const std::size_t index = receiving_.wait_any();
      const int source = sources_[index];
      sources_[index] = sources_.back();
      sources_.pop_back();
      if (--missing_pieces_[static_cast<std::size_t>(source)] != 0) continue;
      call.received(source, counts_.from(source));
      return source;
    }
  }

  int from(int step) const { return (comm_.rank() + comm_.size() - step) % comm_.size(); }

  /// Bytes that its message takes, so that the next begins at a multiple of 16 too.
  std::size_t room(int source) const {
    return (static_cast<std::size_t>(counts_.from(source)) + 15) / 16 * 16;
  }

  const Communicator& comm_;
  PersistentCounts counts_;
  Requests receiving_;
  Requests sending_;
  std::vector<int> sources_;                  // of each request of receiving_
  std::vector<std::span<std::byte>> places_;  // per source
  std::vector<int> missing_pieces_;
  ByteBuffer arrivals_;
};

}  // namespace

std::unique_ptr<Exchange> persistent(const Communicator& comm) {
  return std::make_unique<PersistentExchange>(comm);
}

}  // namespace isobath::exchanges
