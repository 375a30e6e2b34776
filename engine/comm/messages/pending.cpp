// SPDX-License-Identifier: Apache-2.0
#include "comm/messages/pending.hpp"

#include <algorithm>
#include <cstring>

#include "base/expects.hpp"
#include "base/narrow.hpp"
#include "comm/calls/check.hpp"

namespace isobath {

void PendingTransfer::start_bytes(std::span<const std::byte> send, int to, std::span<std::byte> receive,
                                  int from) {
  ISOBATH_EXPECTS(requests_.empty());
  ISOBATH_EXPECTS((to == comm_->rank()) == (from == comm_->rank()));
  if (to == comm_->rank()) {
    ISOBATH_EXPECTS(send.size() == receive.size());
    if (!send.empty() && receive.data() != send.data()) {
      std::memmove(receive.data(), send.data(), send.size());
    }
    return;
  }
  from_ = from;
  arriving_ = std::ssize(receive);
  const std::int64_t limit = comm_->limit().bytes_per_call;
  for (std::int64_t at = 0; at < std::ssize(receive); at += limit) {
    CountedCall call = comm_->counted(CallKind::irecv, "MPI_Irecv");
    check(MPI_Irecv(receive.data() + at, narrow<int>(std::min(limit, std::ssize(receive) - at)), MPI_BYTE,
                    from, tag_, comm_->handle(), &requests_.emplace_back()),
          "MPI_Irecv");
  }
  for (std::int64_t at = 0; at < std::ssize(send); at += limit) {
    CountedCall call = comm_->counted(CallKind::isend, "MPI_Isend");
    if (at == 0) call.sent(to, std::ssize(send));  // one message, however many pieces
    check(MPI_Isend(send.data() + at, narrow<int>(std::min(limit, std::ssize(send) - at)), MPI_BYTE, to, tag_,
                    comm_->handle(), &requests_.emplace_back()),
          "MPI_Isend");
  }
}

void PendingTransfer::wait() {
  if (requests_.empty()) return;
  CountedCall call = comm_->counted(CallKind::waitall, "MPI_Waitall");
  statuses_.resize(requests_.size());
  check_all(MPI_Waitall(narrow<int>(std::ssize(requests_)), requests_.data(), statuses_.data()), statuses_,
            "MPI_Waitall");
  call.received(from_, arriving_);
  requests_.clear();
}

}  // namespace isobath
