// SPDX-License-Identifier: Apache-2.0
#include "comm/messages/eager_messages.hpp"

#include <algorithm>
#include <cstring>

#include "base/expects.hpp"
#include "base/narrow.hpp"
#include "comm/calls/check.hpp"
#include "comm/messages/message_tag.hpp"

namespace isobath {
namespace {

// One for all objects: all ranks use them in one order, and wait for each.
constexpr int eager_tag = static_cast<int>(MessageTag::eager);

}  // namespace

bool EagerMessages::suit(const Communicator& comm) {
  return comm.size() <= most_ranks && comm.limit().bytes_per_call >= message_bytes;
}

EagerMessages::EagerMessages(const Communicator& comm) : comm_(comm) {
  ISOBATH_EXPECTS(suit(comm));
  const auto size = static_cast<std::size_t>(comm.size());
  sent_.resize(size * message_bytes);
  received_.resize(size * message_bytes);
  received_bytes_.resize(size);
}

void EagerMessages::exchange(std::span<const std::int64_t> words,
                             std::span<const std::span<const std::byte>> parcels) {
  const int size = comm_.size();
  ISOBATH_EXPECTS(std::ssize(words) == size && std::ssize(parcels) == size);
  CountedCall call = comm_.counted(CallKind::isend_all, "MPI_Waitall");
  requests_.clear();
  begin_receives();
  for (int step = 1; step < size; ++step) {  // every rank begins with another one
    const int to = (comm_.rank() + step) % size;
    const auto t = static_cast<std::size_t>(to);
    begin_send(to, words[t], parcels[t], call);
  }
  statuses_.resize(requests_.size());
  check_all(MPI_Waitall(narrow<int>(std::ssize(requests_)), requests_.data(), statuses_.data()), statuses_,
            "MPI_Waitall");
  for (std::size_t i = 0; i < from_.size(); ++i) {
    int bytes = 0;
    check(MPI_Get_count(&statuses_[i], MPI_BYTE, &bytes), "MPI_Get_count");
    received_bytes_[static_cast<std::size_t>(from_[i])] = bytes;
    call.received(from_[i], bytes);
  }
}

void EagerMessages::begin_receives() {
  from_.clear();
  for (int rank = 0; rank < comm_.size(); ++rank) {
    if (rank == comm_.rank()) continue;
    from_.push_back(rank);
    check(MPI_Irecv(received_.data() + rank * message_bytes, static_cast<int>(message_bytes), MPI_BYTE, rank,
                    eager_tag, comm_.handle(), &requests_.emplace_back()),
          "MPI_Irecv");
  }
}

void EagerMessages::begin_send(int to, std::int64_t word, std::span<const std::byte> parcel,
                               CountedCall& call) {
  std::byte* const message = sent_.data() + to * message_bytes;
  std::memcpy(message, &word, word_bytes);
  const std::span<const std::byte> carried =
      carry(std::ssize(parcel)) ? parcel : std::span<const std::byte>();
  std::ranges::copy(carried, message + word_bytes);
  const std::int64_t bytes = word_bytes + std::ssize(carried);
  call.sent(to, bytes);
  check(MPI_Isend(message, static_cast<int>(bytes), MPI_BYTE, to, eager_tag, comm_.handle(),
                  &requests_.emplace_back()),
        "MPI_Isend");
}

std::int64_t EagerMessages::word_from(std::size_t rank) const {
  std::int64_t word = 0;
  std::memcpy(&word, received_.data() + rank * message_bytes, word_bytes);
  return word;
}

std::span<const std::byte> EagerMessages::parcel_from(std::size_t rank) const {
  return std::span(received_).subspan(rank * message_bytes + word_bytes,
                                      static_cast<std::size_t>(received_bytes_[rank] - word_bytes));
}

}  // namespace isobath
