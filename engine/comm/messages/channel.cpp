// SPDX-License-Identifier: Apache-2.0
#include "comm/messages/channel.hpp"

#include <algorithm>
#include <utility>

#include "base/narrow.hpp"
#include "comm/calls/check.hpp"
#include "comm/messages/message_tag.hpp"
#include "comm/messages/messages.hpp"

namespace isobath {
namespace {

constexpr int channel_tag = static_cast<int>(MessageTag::channel);
/// Sends that are under way at once; further messages wait their turn.
constexpr int most_sends_under_way = 64;

std::size_t index(int rank) { return static_cast<std::size_t>(rank); }

}  // namespace

Channel::Channel(const Communicator& comm, std::size_t record_bytes, int writers)
    : comm_(comm),
      record_bytes_(record_bytes),
      piece_bytes_(static_cast<std::size_t>(
          std::min<std::int64_t>(comm.limit().bytes_per_call, std::int64_t{coalesced_bytes}))),
      most_unsent_(most_sends_under_way + 2 * std::int64_t{comm.size()}),
      filling_(static_cast<std::size_t>(writers), std::vector<Message*>(index(comm.size()), nullptr)),
      incoming_(index(comm.size())),
      requests_(index(comm.size()), MPI_REQUEST_NULL),
      message_of_(index(comm.size()), nullptr) {
  ISOBATH_EXPECTS(record_bytes > 0 && record_bytes <= coalesced_bytes && writers > 0);
  for (Incoming& incoming : incoming_) incoming.piece.resize(piece_bytes_);
}

Channel::~Channel() = default;

Channel::Message* Channel::fresh_message(int to) {
  const std::lock_guard lock(mutex_);
  if (free_.empty()) free_.push_back(messages_.emplace_back(std::make_unique<Message>()).get());
  Message* const message = free_.back();
  free_.pop_back();
  message->to = to;
  message->size = 0;
  return message;
}

void Channel::hand_over(Message* message) {
  ++unsent_;
  const std::lock_guard lock(mutex_);
  full_.push_back(message);
  full_count_ = std::ssize(full_);
}

/// What the writers have left, put together by destination.
void Channel::hand_over_rest() {
  for (int to = 0; to < comm_.size(); ++to) {
    Message* rest = nullptr;
    for (std::vector<Message*>& of_writer : filling_) {
      Message* const mine = std::exchange(of_writer[index(to)], nullptr);
      if (mine == nullptr) continue;
      for (std::size_t at = 0; at < mine->size; at += record_bytes_) put_bytes(rest, to, &mine->bytes[at]);
      const std::lock_guard lock(mutex_);
      free_.push_back(mine);
    }
    if (rest != nullptr) hand_over(rest);
  }
}

void Channel::open() {
  ISOBATH_EXPECTS(ended_ == 0 && sends_under_way_ == 0);
  for (int step = 1; step < comm_.size(); ++step) {
    const int from = (comm_.rank() + step) % comm_.size();
    begin_receive(from);
  }
}

bool Channel::progress(const Arrived& arrived) {
  const bool sent = begin_sends();
  return complete(Until::now, arrived) || sent;
}

void Channel::close(const Arrived& arrived) {
  hand_over_rest();
  begin_sends();
  while (!to_send_.empty()) {
    complete(Until::one_is_complete, arrived);
    begin_sends();
  }
  end_to_all();
  while (ended_ < comm_.size() - 1 || sends_under_way_ > 0) complete(Until::one_is_complete, arrived);
  ended_ = 0;
}

bool Channel::begin_sends() {
  if (has_full()) {
    const std::lock_guard lock(mutex_);
    to_send_.insert(to_send_.end(), full_.begin(), full_.end());
    full_.clear();
    full_count_ = 0;
  }
  std::size_t begun = 0;
  for (; begun < to_send_.size() && sends_under_way_ < most_sends_under_way; ++begun) {
    begin_send(*to_send_[begun]);
  }
  to_send_.erase(to_send_.begin(), to_send_.begin() + static_cast<std::ptrdiff_t>(begun));
  return begun > 0;
}

void Channel::begin_send(Message& message) {
  for (std::size_t at = 0; at < message.size; at += piece_bytes_) {
    CountedCall call = comm_.counted(CallKind::isend, "MPI_Isend");
    if (at == 0) call.sent(message.to, static_cast<std::int64_t>(message.size));  // however many pieces
    check(MPI_Isend(message.bytes.data() + at, narrow<int>(std::min(piece_bytes_, message.size - at)),
                    MPI_BYTE, message.to, channel_tag, comm_.handle(), &send_slot(&message)),
          "MPI_Isend");
  }
}

/// Behind all messages of the round.
void Channel::end_to_all() {
  for (int step = 1; step < comm_.size(); ++step) {
    const int to = (comm_.rank() + step) % comm_.size();
    CountedCall call = comm_.counted(CallKind::isend, "MPI_Isend");
    check(MPI_Isend(nullptr, 0, MPI_BYTE, to, channel_tag, comm_.handle(), &send_slot(nullptr)), "MPI_Isend");
  }
}

MPI_Request& Channel::send_slot(Message* message) {
  ++sends_under_way_;
  if (message != nullptr) ++message->pieces_under_way;
  if (free_slots_.empty()) {
    message_of_.push_back(message);
    return requests_.emplace_back(MPI_REQUEST_NULL);
  }
  const std::size_t slot = free_slots_.back();
  free_slots_.pop_back();
  message_of_[slot] = message;
  return requests_[slot];
}

void Channel::begin_receive(int from) {
  std::vector<std::byte>& piece = incoming_[index(from)].piece;
  CountedCall call = comm_.counted(CallKind::irecv, "MPI_Irecv");
  check(MPI_Irecv(piece.data(), narrow<int>(piece.size()), MPI_BYTE, from, channel_tag, comm_.handle(),
                  &requests_[index(from)]),
        "MPI_Irecv");
}

/// Looks after all requests once; false where none was complete. Records are handed over after the call.
bool Channel::complete(Until until, const Arrived& arrived) {
  if (comm_.size() == 1) return false;
  completed_.resize(requests_.size());
  statuses_.resize(requests_.size());
  int count = 0;
  std::vector<int>& bytes = received_bytes_;
  {
    const bool waits = until == Until::one_is_complete;
    const char* const name = waits ? "MPI_Waitsome" : "MPI_Testsome";
    CountedCall call = comm_.counted(waits ? CallKind::waitsome : CallKind::test, name);
    const int code = (waits ? MPI_Waitsome : MPI_Testsome)(narrow<int>(requests_.size()), requests_.data(),
                                                           &count, completed_.data(), statuses_.data());
    if (count == MPI_UNDEFINED) count = 0;
    check_all(code, std::span(statuses_).first(index(count)), name);
    if (count > 0) call.completed();
    bytes.assign(index(count), 0);
    for (int i = 0; i < count; ++i) {
      const int from = completed_[index(i)];
      if (from >= comm_.size()) continue;
      check(MPI_Get_count(&statuses_[index(i)], MPI_BYTE, &bytes[index(i)]), "MPI_Get_count");
      call.received(from, bytes[index(i)]);
    }
  }
  for (int i = 0; i < count; ++i) {
    const int slot = completed_[index(i)];
    if (slot < comm_.size()) {
      take(slot, index(bytes[index(i)]), arrived);
    } else {
      piece_is_sent(index(slot));
    }
  }
  return count > 0;
}

void Channel::take(int from, std::size_t bytes, const Arrived& arrived) {
  Incoming& incoming = incoming_[index(from)];
  if (bytes == 0) {
    ISOBATH_EXPECTS(incoming.begun.empty());
    ++ended_;
    return;
  }
  const std::span<const std::byte> piece = std::span(incoming.piece).first(bytes);
  if (incoming.begun.empty() && bytes % record_bytes_ == 0) {
    arrived(from, piece);
  } else {
    incoming.begun.insert(incoming.begun.end(), piece.begin(), piece.end());
    const std::size_t whole = incoming.begun.size() / record_bytes_ * record_bytes_;
    if (whole > 0) arrived(from, std::span(incoming.begun).first(whole));
    incoming.begun.erase(incoming.begun.begin(), incoming.begun.begin() + static_cast<std::ptrdiff_t>(whole));
  }
  begin_receive(from);
}

void Channel::piece_is_sent(std::size_t slot) {
  --sends_under_way_;
  free_slots_.push_back(slot);
  Message* const message = message_of_[slot];
  if (message == nullptr || --message->pieces_under_way > 0) return;
  --unsent_;
  const std::lock_guard lock(mutex_);
  free_.push_back(message);
}

}  // namespace isobath
