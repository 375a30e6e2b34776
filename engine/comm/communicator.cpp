// SPDX-License-Identifier: Apache-2.0
#include "comm/communicator.hpp"

#include <algorithm>
#include <cstring>
#include <exception>
#include <limits>
#include <numeric>
#include <utility>

#include "base/expects.hpp"
#include "comm/calls/calls.hpp"
#include "comm/calls/check.hpp"
#include "comm/environment.hpp"

namespace isobath {

CallWatcher::~CallWatcher() = default;
CallLedger::~CallLedger() = default;

namespace {

std::shared_ptr<const Calls> calls_for(const CountLimit& limit) {
  ISOBATH_EXPECTS(limit.bytes_per_call >= 1 && limit.bytes_per_call <= std::numeric_limits<int>::max());
  if (limit.prefer_large_counts) {
    if (std::shared_ptr<const Calls> calls = large_count_calls()) return calls;
  }
  return piece_calls(limit.bytes_per_call);
}

std::vector<std::int64_t> in_bytes(const std::vector<std::int64_t>& elements, std::size_t element) {
  std::vector<std::int64_t> bytes(elements.size());
  std::transform(elements.begin(), elements.end(), bytes.begin(),
                 [element](std::int64_t count) { return count * static_cast<std::int64_t>(element); });
  return bytes;
}

/// True when all parcels of a side lie inside its buffer.
bool inside(const std::vector<std::int64_t>& counts, const std::vector<std::int64_t>& offsets,
            std::size_t bytes, std::size_t element) {
  const auto end = static_cast<std::int64_t>(bytes / element);
  for (std::size_t r = 0; r < counts.size(); ++r) {
    if (counts[r] < 0 || offsets[r] < 0 || counts[r] > end - offsets[r]) return false;
  }
  return true;
}

void copy_bytes(std::byte* to, const std::byte* from, std::size_t bytes) {
  if (bytes != 0 && to != from) std::memmove(to, from, bytes);
}

std::vector<std::int64_t> prefix_sums(std::span<const std::int64_t> counts) {
  std::vector<std::int64_t> offsets(counts.size());
  std::exclusive_scan(counts.begin(), counts.end(), offsets.begin(), std::int64_t{0});
  return offsets;
}

}  // namespace

Communicator::Communicator(MPI_Comm comm, CountLimit limit) : limit_(limit), calls_(calls_for(limit)) {
  MPI_Comm duplicate = MPI_COMM_NULL;
  check(MPI_Comm_dup(comm, &duplicate), "MPI_Comm_dup");
  adopt(duplicate);
}

Communicator::Communicator(MPI_Comm owned, const Communicator& parent)
    : limit_(parent.limit_), calls_(parent.calls_), watcher_(parent.watcher_) {
  adopt(owned);
  keep(parent.ledger_);
}

void Communicator::adopt(MPI_Comm owned) {
  handle_ = owned;
  check(MPI_Comm_set_errhandler(handle_, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
  check(MPI_Comm_rank(handle_, &rank_), "MPI_Comm_rank");
  check(MPI_Comm_size(handle_, &size_), "MPI_Comm_size");
  world_ranks_ = world_ranks_of(handle_, size_);
}

Communicator::Communicator(Communicator&& other) noexcept { *this = std::move(other); }

Communicator& Communicator::operator=(Communicator&& other) noexcept {
  if (this == &other) return *this;
  release();
  handle_ = std::exchange(other.handle_, MPI_COMM_NULL);
  rank_ = std::exchange(other.rank_, 0);
  size_ = std::exchange(other.size_, 1);
  limit_ = other.limit_;
  calls_ = std::move(other.calls_);
  watcher_ = std::exchange(other.watcher_, nullptr);
  ledger_ = std::exchange(other.ledger_, nullptr);
  ledger_id_ = other.ledger_id_;
  world_ranks_ = std::exchange(other.world_ranks_, {0});
  traffic_ = std::exchange(other.traffic_, Traffic{});
  return *this;
}

Communicator::~Communicator() { release(); }

void Communicator::release() noexcept {
  if (handle_ == MPI_COMM_NULL || std::uncaught_exceptions() > 0) return;
  int finalized = 0;
  MPI_Finalized(&finalized);
  if (finalized == 0) MPI_Comm_free(&handle_);
  handle_ = MPI_COMM_NULL;
}

Communicator Communicator::split(int colour, int key) const {
  ISOBATH_EXPECTS(colour >= 0);
  if (handle_ == MPI_COMM_NULL) return Communicator();
  const Waiting waiting(watcher_, "MPI_Comm_split");
  MPI_Comm part = MPI_COMM_NULL;
  check(MPI_Comm_split(handle_, colour, key, &part), "MPI_Comm_split");
  return Communicator(part, *this);
}

void Communicator::abort(ExitCode code) const { abort_all_ranks(code); }

void Communicator::keep(CallLedger* ledger) {
  ledger_ = ledger;
  if (ledger_ != nullptr) ledger_id_ = ledger_->communicator(world_ranks_);
}

/// The same bytes to every other rank, and as many from each.
void Communicator::count_all(CountedCall& call, std::int64_t bytes_each) const {
  for (int peer = 0; peer < size_; ++peer) {
    if (peer == rank_) continue;
    call.sent(peer, bytes_each);
    call.received(peer, bytes_each);
  }
  call.kept(bytes_each);
}

void Communicator::barrier() const {
  if (is_alone()) return;
  const CountedCall call = counted(CallKind::barrier, "MPI_Barrier");
  check(MPI_Barrier(handle_), "MPI_Barrier");
}

template <class T>
void Communicator::reduce(std::span<T> values, MPI_Datatype type, MPI_Op operation) const {
  if (is_alone() || values.empty()) return;
  CountedCall call = counted(CallKind::allreduce, "MPI_Allreduce");
  count_all(call, static_cast<std::int64_t>(values.size_bytes()));
  calls_->allreduce(std::as_writable_bytes(values).data(), static_cast<std::int64_t>(values.size()),
                    sizeof(T), type, operation, handle_);
}

void Communicator::sum(std::span<std::int64_t> values) const { reduce(values, MPI_INT64_T, MPI_SUM); }
void Communicator::min(std::span<std::int64_t> values) const { reduce(values, MPI_INT64_T, MPI_MIN); }
void Communicator::max(std::span<std::int64_t> values) const { reduce(values, MPI_INT64_T, MPI_MAX); }
void Communicator::sum(std::span<double> values) const { reduce(values, MPI_DOUBLE, MPI_SUM); }
void Communicator::min(std::span<double> values) const { reduce(values, MPI_DOUBLE, MPI_MIN); }
void Communicator::max(std::span<double> values) const { reduce(values, MPI_DOUBLE, MPI_MAX); }

void Communicator::broadcast_bytes(std::span<std::byte> values, int root_rank) const {
  ISOBATH_EXPECTS(root_rank >= 0 && root_rank < size_);
  if (is_alone() || values.empty()) return;
  CountedCall call = counted(CallKind::bcast, "MPI_Bcast");
  if (rank_ == root_rank) {
    for (int peer = 0; peer < size_; ++peer) {
      if (peer != rank_) call.sent(peer, std::ssize(values));
    }
  } else {
    call.received(root_rank, std::ssize(values));
  }
  calls_->broadcast(values, root_rank, handle_);
}

std::string Communicator::broadcast(std::string text, int root_rank) const {
  text.resize(broadcast(text.size(), root_rank));
  broadcast(std::span<char>(text), root_rank);
  return text;
}

void Communicator::allgather_bytes(std::span<const std::byte> mine, std::span<std::byte> all) const {
  copy_bytes(all.data() + static_cast<std::size_t>(rank_) * mine.size(), mine.data(), mine.size());
  if (is_alone()) return;
  CountedCall call = counted(CallKind::allgather, "MPI_Allgather");
  count_all(call, std::ssize(mine));
  calls_->allgather(all.data(), static_cast<std::int64_t>(mine.size()), handle_);
}

std::vector<std::string> Communicator::allgather(const std::string& text) const {
  const std::vector<std::int64_t> lengths = allgather(static_cast<std::int64_t>(text.size()));
  const std::vector<std::int64_t> offsets = prefix_sums(lengths);
  std::string all(static_cast<std::size_t>(offsets.back() + lengths.back()), '\0');
  allgatherv<char>(text, lengths, all);
  std::vector<std::string> texts(lengths.size());
  for (std::size_t r = 0; r < texts.size(); ++r) {
    texts[r] = all.substr(static_cast<std::size_t>(offsets[r]), static_cast<std::size_t>(lengths[r]));
  }
  return texts;
}

void Communicator::allgatherv_bytes(std::span<const std::byte> mine, std::span<const std::int64_t> counts,
                                    std::size_t element, std::span<std::byte> all) const {
  ISOBATH_EXPECTS(std::ssize(counts) == size_);
  std::vector<std::int64_t> bytes(counts.size());
  std::int64_t before = 0;
  std::int64_t total = 0;
  for (int r = 0; r < size_; ++r) {
    const std::int64_t own = counts[static_cast<std::size_t>(r)] * static_cast<std::int64_t>(element);
    ISOBATH_EXPECTS(own >= 0);
    bytes[static_cast<std::size_t>(r)] = own;
    if (r < rank_) before += own;
    total += own;
  }
  ISOBATH_EXPECTS(std::ssize(mine) == bytes[static_cast<std::size_t>(rank_)] && std::ssize(all) >= total);
  copy_bytes(all.data() + before, mine.data(), mine.size());
  if (is_alone() || total == 0) return;  // the counts are the same everywhere, so all ranks leave here
  CountedCall call = counted(CallKind::allgatherv, "MPI_Allgatherv");
  for (int peer = 0; peer < size_; ++peer) {
    if (peer == rank_) continue;
    call.sent(peer, std::ssize(mine));
    call.received(peer, bytes[static_cast<std::size_t>(peer)]);
  }
  call.kept(std::ssize(mine));
  calls_->allgatherv(all.data(), bytes, handle_);
}

ExchangeCounts Communicator::exchange_counts(std::span<const std::int64_t> send_counts) const {
  ISOBATH_EXPECTS(std::ssize(send_counts) == size_);
  ExchangeCounts counts;
  counts.send_counts.assign(send_counts.begin(), send_counts.end());
  counts.receive_counts = counts.send_counts;
  if (!is_alone()) {
    CountedCall call = counted(CallKind::alltoall, "MPI_Alltoall");
    count_all(call, sizeof(std::int64_t));
    check(MPI_Alltoall(counts.send_counts.data(), 1, MPI_INT64_T, counts.receive_counts.data(), 1,
                       MPI_INT64_T, handle_),
          "MPI_Alltoall");
  }
  counts.send_offsets = prefix_sums(counts.send_counts);
  counts.receive_offsets = prefix_sums(counts.receive_counts);
  counts.receive_total = counts.receive_offsets.back() + counts.receive_counts.back();
  return counts;
}

void Communicator::alltoallv_bytes(std::span<const std::byte> send, const ExchangeCounts& counts,
                                   std::size_t element, std::span<std::byte> receive) const {
  const auto size = static_cast<std::size_t>(size_);
  const auto own = static_cast<std::size_t>(rank_);
  ISOBATH_EXPECTS(counts.send_counts.size() == size && counts.send_offsets.size() == size);
  ISOBATH_EXPECTS(counts.receive_counts.size() == size && counts.receive_offsets.size() == size);
  ISOBATH_EXPECTS(inside(counts.send_counts, counts.send_offsets, send.size(), element));
  ISOBATH_EXPECTS(inside(counts.receive_counts, counts.receive_offsets, receive.size(), element));
  ISOBATH_EXPECTS(counts.send_counts[own] == counts.receive_counts[own]);
  const std::vector<std::int64_t> send_bytes = in_bytes(counts.send_counts, element);
  const std::vector<std::int64_t> send_offsets = in_bytes(counts.send_offsets, element);
  const std::vector<std::int64_t> receive_bytes = in_bytes(counts.receive_counts, element);
  const std::vector<std::int64_t> receive_offsets = in_bytes(counts.receive_offsets, element);
  if (is_alone()) {
    copy_bytes(receive.data() + receive_offsets[0], send.data() + send_offsets[0],
               static_cast<std::size_t>(send_bytes[0]));
    return;
  }
  CountedCall call = counted(CallKind::alltoallv, "MPI_Alltoallv");
  for (int peer = 0; peer < size_; ++peer) {
    const auto r = static_cast<std::size_t>(peer);
    if (peer == rank_) {
      call.kept(send_bytes[r]);
    } else {
      call.sent(peer, send_bytes[r]);
      call.received(peer, receive_bytes[r]);
    }
  }
  calls_->alltoallv({send.data(), send_bytes, send_offsets}, {receive.data(), receive_bytes, receive_offsets},
                    handle_);
}

void Communicator::send_receive_bytes(std::span<const std::byte> send, int to, std::span<std::byte> receive,
                                      int from) const {
  ISOBATH_EXPECTS(to >= 0 && to < size_ && from >= 0 && from < size_);
  ISOBATH_EXPECTS((to == rank_) == (from == rank_));  // else one side of a message would be missing
  if (to == rank_) {
    ISOBATH_EXPECTS(send.size() == receive.size());
    copy_bytes(receive.data(), send.data(), send.size());
    return;
  }
  if (send.empty() && receive.empty()) return;
  CountedCall call = counted(CallKind::sendrecv, "MPI_Sendrecv");
  call.sent(to, std::ssize(send));
  call.received(from, std::ssize(receive));
  calls_->send_receive(send, to, receive, from, handle_);
}

}  // namespace isobath
