// SPDX-License-Identifier: Apache-2.0
#include "comm/exchange/exchange_hop.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "base/expects.hpp"
#include "base/narrow.hpp"
#include "comm/calls/check.hpp"

namespace isobath::exchanges {

const HopCalls alltoall_calls = {CallKind::alltoall, "MPI_Alltoall", &MPI_Alltoall, CallKind::alltoallv,
                                 "MPI_Alltoallv",    &MPI_Alltoallv, true};

namespace {

constexpr std::int64_t alignment = 16;

constexpr std::int64_t aligned(std::int64_t bytes) { return (bytes + alignment - 1) / alignment * alignment; }

std::size_t place_of(int rank, const std::vector<int>& members) {
  const auto found = std::find(members.begin(), members.end(), rank);
  ISOBATH_EXPECTS(found != members.end());
  return static_cast<std::size_t>(found - members.begin());
}

}  // namespace

std::vector<int> all_ranks(const Communicator& comm) {
  std::vector<int> ranks(static_cast<std::size_t>(comm.size()));
  std::iota(ranks.begin(), ranks.end(), 0);
  return ranks;
}

Hop::Hop(const Communicator& comm, MPI_Comm handle, std::vector<int> members, const HopCalls& calls)
    : comm_(comm),
      handle_(handle),
      members_(std::move(members)),
      own_(place_of(comm.rank(), members_)),
      calls_(calls),
      longest_parcel_(comm.limit().bytes_per_call / std::ssize(members_) / alignment * alignment),
      large_(calls.have_large_counts && comm.limit().prefer_large_counts ? large_count_calls() : nullptr),
      pieces_(piece_calls(comm.limit().bytes_per_call)),
      send_counts_(members_.size()),
      send_offsets_(members_.size()),
      receive_counts_(members_.size()),
      receive_offsets_(members_.size()),
      ints_(4 * members_.size()) {}

void Hop::run(std::span<const std::span<const std::byte>> outgoing, PhaseObserver& observer) {
  ISOBATH_EXPECTS(outgoing.size() == members_.size());
  observer.phase(Phase::count);
  exchange_counts(outgoing);
  observer.phase(Phase::fold);
  exchange_parcels(outgoing);
}

std::span<const std::byte> Hop::from(std::size_t member) const {
  return arrivals_.bytes().subspan(static_cast<std::size_t>(receive_offsets_[member]),
                                   static_cast<std::size_t>(receive_counts_[member]));
}

void Hop::hand_over(const Exchange::Arrived& arrived) const {
  for (std::size_t m = 0; m < members_.size(); ++m) {
    if (receive_counts_[m] != 0) arrived(members_[m], from(m));
  }
}

void Hop::exchange_counts(std::span<const std::span<const std::byte>> outgoing) {
  any_is_long_ = false;
  for (std::size_t m = 0; m < members_.size(); ++m) {
    send_counts_[m] = m == own_ ? 0 : std::ssize(outgoing[m]);
    any_is_long_ = any_is_long_ || send_counts_[m] > longest_parcel_;
  }
  if (any_is_long_) {
    for (std::int64_t& count : send_counts_) count = ~count;  // a negative number, also of none
  }
  {
    CountedCall call = comm_.counted(calls_.counts_kind, calls_.counts_name);
    for (std::size_t m = 0; m < members_.size(); ++m) {
      if (m == own_) continue;
      call.sent(members_[m], sizeof(std::int64_t));
      call.received(members_[m], sizeof(std::int64_t));
    }
    call.kept(sizeof(std::int64_t));
    check(calls_.counts(send_counts_.data(), 1, MPI_INT64_T, receive_counts_.data(), 1, MPI_INT64_T, handle_),
          calls_.counts_name);
  }
  if (any_is_long_) {
    for (std::int64_t& count : send_counts_) count = ~count;
  }
  for (std::int64_t& count : receive_counts_) {
    if (count >= 0) continue;
    any_is_long_ = true;
    count = ~count;
  }
}

/// Offsets from the lowest of their addresses, so that nothing is copied. Returns that address.
const std::byte* Hop::lay_out_parcels(std::span<const std::span<const std::byte>> outgoing) {
  const auto address = [&](std::size_t m) { return reinterpret_cast<std::uintptr_t>(outgoing[m].data()); };
  std::size_t first = own_;
  for (std::size_t m = 0; m < members_.size(); ++m) {
    if (send_counts_[m] != 0 && (first == own_ || address(m) < address(first))) first = m;
  }
  for (std::size_t m = 0; m < members_.size(); ++m) {
    send_offsets_[m] = send_counts_[m] == 0 ? 0 : static_cast<std::int64_t>(address(m) - address(first));
  }
  return first == own_ ? nullptr : outgoing[first].data();
}

std::byte* Hop::lay_out_arrivals() {
  std::int64_t end = 0;
  for (std::size_t m = 0; m < members_.size(); ++m) {
    receive_offsets_[m] = end;
    end += aligned(receive_counts_[m]);
  }
  return arrivals_.at_least(static_cast<std::size_t>(end));
}

void Hop::exchange_parcels(std::span<const std::span<const std::byte>> outgoing) {
  const std::byte* const send = lay_out_parcels(outgoing);
  std::byte* const receive = lay_out_arrivals();
  CountedCall call = comm_.counted(calls_.parcels_kind, calls_.parcels_name);
  for (std::size_t m = 0; m < members_.size(); ++m) {
    if (m == own_) continue;
    call.sent(members_[m], send_counts_[m]);
    call.received(members_[m], receive_counts_[m]);
  }
  call.kept(std::ssize(outgoing[own_]));
  if (large_ != nullptr) {
    large_->alltoallv({send, send_counts_, send_offsets_}, {receive, receive_counts_, receive_offsets_},
                      handle_);
  } else if (any_is_long_) {
    pieces_->alltoallv({send, send_counts_, send_offsets_}, {receive, receive_counts_, receive_offsets_},
                       handle_);
  } else {
    call_with_ints(send, receive, outgoing);
  }
}

void Hop::call_with_ints(const std::byte* send, std::byte* receive,
                         std::span<const std::span<const std::byte>> outgoing) {
  const std::int64_t farthest = *std::max_element(send_offsets_.begin(), send_offsets_.end());
  if (farthest > std::numeric_limits<int>::max()) {  // short parcels, but far apart: bring them together
    std::int64_t end = 0;
    for (std::size_t m = 0; m < members_.size(); ++m) {
      send_offsets_[m] = end;
      end += send_counts_[m];
    }
    std::byte* const packed = packed_.at_least(static_cast<std::size_t>(end));
    for (std::size_t m = 0; m < members_.size(); ++m) {
      if (m != own_) std::copy(outgoing[m].begin(), outgoing[m].end(), packed + send_offsets_[m]);
    }
    send = packed;
  }
  const std::size_t size = members_.size();
  int* const all[] = {ints_.data(), ints_.data() + size, ints_.data() + 2 * size, ints_.data() + 3 * size};
  for (std::size_t m = 0; m < size; ++m) {
    all[0][m] = narrow<int>(send_counts_[m]);
    all[1][m] = narrow<int>(send_offsets_[m]);
    all[2][m] = narrow<int>(receive_counts_[m]);
    all[3][m] = narrow<int>(receive_offsets_[m]);
  }
  check(calls_.parcels(send, all[0], all[1], MPI_BYTE, receive, all[2], all[3], MPI_BYTE, handle_),
        calls_.parcels_name);
}

}  // namespace isobath::exchanges
