// SPDX-License-Identifier: Apache-2.0
#include "comm/messages/messages.hpp"

#include <algorithm>

#include "base/expects.hpp"
#include "base/narrow.hpp"
#include "comm/calls/check.hpp"
#include "comm/messages/message_tag.hpp"

namespace isobath {

void Requests::take_out(int index) {
  ISOBATH_EXPECTS(index >= 0 && index < std::ssize(requests_));  // MPI_UNDEFINED: nothing was in flight
  requests_[static_cast<std::size_t>(index)] = requests_.back();
  requests_.pop_back();
}

std::optional<std::size_t> Requests::test_any() {
  if (requests_.empty()) return std::nullopt;
  int index = MPI_UNDEFINED;
  int is_complete = 0;
  check(MPI_Testany(narrow<int>(requests_.size()), requests_.data(), &index, &is_complete, MPI_STATUS_IGNORE),
        "MPI_Testany");
  if (is_complete == 0) return std::nullopt;
  take_out(index);
  return static_cast<std::size_t>(index);
}

std::size_t Requests::wait_any() {
  int index = MPI_UNDEFINED;
  check(MPI_Waitany(narrow<int>(requests_.size()), requests_.data(), &index, MPI_STATUS_IGNORE),
        "MPI_Waitany");
  take_out(index);
  return static_cast<std::size_t>(index);
}

bool Requests::test_all() {
  statuses_.resize(requests_.size());
  int are_complete = 0;
  check_all(MPI_Testall(narrow<int>(requests_.size()), requests_.data(), &are_complete, statuses_.data()),
            statuses_, "MPI_Testall");
  if (are_complete != 0) requests_.clear();
  return are_complete != 0;
}

void Requests::wait_all() {
  statuses_.resize(requests_.size());
  check_all(MPI_Waitall(narrow<int>(requests_.size()), requests_.data(), statuses_.data()), statuses_,
            "MPI_Waitall");
  requests_.clear();
}

void begin_send(std::span<const std::byte> message, int to, MessageTag tag, std::int64_t limit, MPI_Comm comm,
                Requests& requests) {
  for (std::int64_t at = 0; at < std::ssize(message); at += limit) {
    check(MPI_Isend(message.data() + at, narrow<int>(std::min(limit, std::ssize(message) - at)), MPI_BYTE, to,
                    static_cast<int>(tag), comm, requests.add()),
          "MPI_Isend");
  }
}

int begin_receive(std::span<std::byte> message, int from, MessageTag tag, std::int64_t limit, MPI_Comm comm,
                  Requests& requests) {
  int pieces = 0;
  for (std::int64_t at = 0; at < std::ssize(message); at += limit, ++pieces) {
    check(MPI_Irecv(message.data() + at, narrow<int>(std::min(limit, std::ssize(message) - at)), MPI_BYTE,
                    from, static_cast<int>(tag), comm, requests.add()),
          "MPI_Irecv");
  }
  return pieces;
}

}  // namespace isobath
