// SPDX-License-Identifier: Apache-2.0
// No counts: who has something to say sends it, and all agree without blocking that everything has been heard
// (Hoefler, Siebert, Lumsdaine, PPoPP 2010: non-blocking consensus).
//
//   begin a synchronous send to every rank that gets something
//   repeat
//     receive what a probe finds; hand over what is complete
//     when all own sends are complete, and thus matched by their receivers: enter a non-blocking barrier
//   until the barrier is complete: then every rank's sends are matched, so nothing is left to be found
//   wait for what was found and is still under way
//
// Runs that follow each other do not mix. A rank that left run k may send messages of run k + 1 to one that
// is still in run k, for this one may not have noticed yet that the barrier is complete; they have the other
// of two tags and are not found. Nobody can be in run k + 2 then: that needs the barrier of run k + 1
// complete, which needs every rank in it, and thus out of run k.
#include <mpi.h>

#include <algorithm>
#include <cstdint>
#include <thread>
#include <utility>
#include <vector>

#include "base/narrow.hpp"
#include "comm/calls/check.hpp"
#include "comm/exchange/exchange_kinds.hpp"
#include "comm/messages/message_tag.hpp"
#include "comm/messages/messages.hpp"

namespace isobath::exchanges {
namespace {

/// What came from one source so far. A message goes in pieces of the limit and ends with a shorter one, if
/// need be an empty one: so its receiver knows the end without a count.
struct Arrival {
  std::vector<ByteBuffer> pieces;
  std::vector<std::size_t> lengths;
  std::size_t bytes = 0;
  std::size_t under_way = 0;  // pieces
  bool end_found = false;

  bool is_complete() const { return end_found && under_way == 0; }
};

class SparseExchange final : public Exchange {
 public:
  explicit SparseExchange(const Communicator& comm)
      : comm_(comm), limit_(comm.limit().bytes_per_call), arrivals_(static_cast<std::size_t>(comm.size())) {}

  void run(Outgoing outgoing, const Arrived& arrived, PhaseObserver& observer) override {
    expect_one_per_rank(outgoing, comm_);
    observer.phase(Phase::fold);
    tag_ = tag_ == MessageTag::sparse_even ? MessageTag::sparse_odd : MessageTag::sparse_even;
    for (int step = 1; step < comm_.size(); ++step) {  // every rank begins with another one
      const int to = (comm_.rank() + step) % comm_.size();
      send(outgoing[static_cast<std::size_t>(to)], to);
    }
    hand_over_own(outgoing, comm_, arrived);
    listen(arrived);
    while (!receiving_.empty()) hand_over(wait_for_message(), arrived);
  }

 private:
  enum class Event { piece_found, message_complete, sends_complete, all_sends_complete };

  void send(std::span<const std::byte> message, int to) {
    if (message.empty()) return;
    CountedCall call = comm_.counted(CallKind::issend, "MPI_Issend");
    call.sent(to, std::ssize(message));
    for (std::int64_t at = 0; at <= std::ssize(message); at += limit_) {  // <=: the shorter piece at the end
      check(MPI_Issend(message.data() + at, narrow<int>(std::min(limit_, std::ssize(message) - at)), MPI_BYTE,
                       to, static_cast<int>(tag_), comm_.handle(), sending_.add()),
            "MPI_Issend");
    }
  }

  void listen(const Arrived& arrived) {
    while (true) {
      switch (next_event()) {
        case Event::piece_found:
          receive_found();
          break;
        case Event::message_complete:
          hand_over(completed_, arrived);
          break;
        case Event::sends_complete:
          enter_barrier();
          break;
        case Event::all_sends_complete:
          return;
      }
    }
  }

  /// Looks for whatever comes next. To the outside it is one call, which lasts as long as this rank has
  /// nothing to do.
  Event next_event() {
    CountedCall call = comm_.counted(CallKind::iprobe, "MPI_Iprobe");
    while (true) {
      if (const auto index = receiving_.test_any(); index && note_piece(*index, call))
        return Event::message_complete;
      if (probe()) return Event::piece_found;
      if (barrier_ == MPI_REQUEST_NULL) {
        if (sending_.test_all()) return Event::sends_complete;
      } else if (is_barrier_complete()) {
        return Event::all_sends_complete;
      }
      std::this_thread::yield();  // ranks may outnumber cores
    }
  }

  bool probe() {
    int found = 0;
    check(MPI_Iprobe(MPI_ANY_SOURCE, static_cast<int>(tag_), comm_.handle(), &found, &found_), "MPI_Iprobe");
    return found != 0;
  }

  bool is_barrier_complete() {
    int is_complete = 0;
    check(MPI_Test(&barrier_, &is_complete, MPI_STATUS_IGNORE), "MPI_Test");
    return is_complete != 0;
  }

  void enter_barrier() {
    const CountedCall call = comm_.counted(CallKind::ibarrier, "MPI_Ibarrier");
    check(MPI_Ibarrier(comm_.handle(), &barrier_), "MPI_Ibarrier");
  }

  /// Messages of one pair stay in order, and this rank alone receives here: what is received is what was
  /// found.
  void receive_found() {
    int bytes = 0;
    check(MPI_Get_count(&found_, MPI_BYTE, &bytes), "MPI_Get_count");
    const int source = found_.MPI_SOURCE;
    Arrival& arrival = arrivals_[static_cast<std::size_t>(source)];
    std::byte* const memory = add_piece(arrival, static_cast<std::size_t>(bytes));
    const CountedCall call = comm_.counted(CallKind::irecv, "MPI_Irecv");
    check(
        MPI_Irecv(memory, bytes, MPI_BYTE, source, static_cast<int>(tag_), comm_.handle(), receiving_.add()),
        "MPI_Irecv");
    sources_.push_back(source);
    ++arrival.under_way;
    arrival.end_found = bytes < limit_;
  }

  std::byte* add_piece(Arrival& arrival, std::size_t bytes) {
    ByteBuffer buffer = take_buffer(bytes);
    std::byte* const memory = buffer.at_least(bytes);
    arrival.pieces.push_back(std::move(buffer));
    arrival.lengths.push_back(bytes);
    arrival.bytes += bytes;
    return memory;
  }

  /// One of those that are free: the smallest that is large enough, else the largest.
  ByteBuffer take_buffer(std::size_t bytes) {
    if (free_.empty()) return {};
    const auto better = [bytes](const ByteBuffer& a, const ByteBuffer& b) {
      const std::size_t size_a = a.bytes().size();
      const std::size_t size_b = b.bytes().size();
      if ((size_a >= bytes) != (size_b >= bytes)) return size_a >= bytes;
      return size_a >= bytes ? size_a < size_b : size_a > size_b;
    };
    const auto best = std::min_element(free_.begin(), free_.end(), better);
    ByteBuffer taken = std::move(*best);
    *best = std::move(free_.back());
    free_.pop_back();
    return taken;
  }

  /// A piece is here. True where its message is complete by that: it is completed_'s.
  bool note_piece(std::size_t index, CountedCall& call) {
    completed_ = sources_[index];
    sources_[index] = sources_.back();
    sources_.pop_back();
    Arrival& arrival = arrivals_[static_cast<std::size_t>(completed_)];
    --arrival.under_way;
    call.completed();
    if (!arrival.is_complete()) return false;
    call.received(completed_, static_cast<std::int64_t>(arrival.bytes));
    return true;
  }

  int wait_for_message() {
    CountedCall call = comm_.counted(CallKind::waitany, "MPI_Waitany");
    while (!note_piece(receiving_.wait_any(), call)) {
    }
    return completed_;
  }

  void hand_over(int source, const Arrived& arrived) {
    Arrival& arrival = arrivals_[static_cast<std::size_t>(source)];
    arrived(source,
            arrival.lengths.size() == 1 ? arrival.pieces[0].bytes().first(arrival.bytes) : joined(arrival));
    for (ByteBuffer& piece : arrival.pieces) free_.push_back(std::move(piece));
    arrival.pieces.clear();
    arrival.lengths.clear();
    arrival.bytes = 0;
    arrival.end_found = false;
  }

  std::span<const std::byte> joined(const Arrival& arrival) {
    std::byte* const begin = joined_.at_least(arrival.bytes);
    std::byte* end = begin;
    for (std::size_t i = 0; i < arrival.pieces.size(); ++i) {
      end = std::copy_n(arrival.pieces[i].bytes().data(), arrival.lengths[i], end);
    }
    return {begin, end};
  }

  const Communicator& comm_;
  std::int64_t limit_;
  MessageTag tag_ = MessageTag::sparse_odd;
  Requests sending_;
  Requests receiving_;
  std::vector<int> sources_;  // of each request of receiving_
  MPI_Request barrier_ = MPI_REQUEST_NULL;
  MPI_Status found_{};
  int completed_ = 0;
  std::vector<Arrival> arrivals_;  // per source
  std::vector<ByteBuffer> free_;
  ByteBuffer joined_;
};

}  // namespace

std::unique_ptr<Exchange> sparse(const Communicator& comm) { return std::make_unique<SparseExchange>(comm); }

}  // namespace isobath::exchanges
