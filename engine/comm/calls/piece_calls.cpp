// SPDX-License-Identifier: Apache-2.0
#include <mpi.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/narrow.hpp"
#include "comm/calls/calls.hpp"
#include "comm/calls/check.hpp"
#include "comm/messages/message_tag.hpp"
#include "comm/messages/messages.hpp"

namespace isobath {

Calls::~Calls() = default;

namespace {

// Operations follow each other on every pair of ranks, and messages of a pair stay in order: one tag will do.
constexpr int piece_tag = static_cast<int>(MessageTag::pieces);

/// MPI counts of 31 bits, offsets included, hold for whole buffers only up to the limit. Beyond it data goes
/// between pairs of ranks, whose addresses know no such bound. Both partners of a pair know its length and
/// cut it alike, so the number of pieces needs no agreement, and a rank without data passes through.
class PieceCalls final : public Calls {
 public:
  explicit PieceCalls(std::int64_t bytes_per_call) : limit_(bytes_per_call) {}

  void broadcast(std::span<std::byte> values, int root_rank, MPI_Comm comm) const override {
    const auto bytes = static_cast<std::int64_t>(values.size());
    for (std::int64_t at = 0; at < bytes; at += limit_) {
      check(MPI_Bcast(values.data() + at, piece(bytes, at), MPI_BYTE, root_rank, comm), "MPI_Bcast");
    }
  }

  void allreduce(std::byte* values, std::int64_t count, std::size_t element, MPI_Datatype type,
                 MPI_Op operation, MPI_Comm comm) const override {
    const auto size = static_cast<std::int64_t>(element);
    const std::int64_t per_call = std::max<std::int64_t>(1, limit_ / size);
    for (std::int64_t at = 0; at < count; at += per_call) {
      const int elements = narrow<int>(std::min(per_call, count - at));
      check(MPI_Allreduce(MPI_IN_PLACE, values + at * size, elements, type, operation, comm),
            "MPI_Allreduce");
    }
  }

  void allgather(std::byte* all, std::int64_t bytes_each, MPI_Comm comm) const override {
    const int size = size_of(comm);
    if (bytes_each <= limit_ / size) {
      check(MPI_Allgather(MPI_IN_PLACE, 0, MPI_BYTE, all, narrow<int>(bytes_each), MPI_BYTE, comm),
            "MPI_Allgather");
      return;
    }
    pass_around(all, std::vector<std::int64_t>(static_cast<std::size_t>(size), bytes_each), comm);
  }

  void allgatherv(std::byte* all, std::span<const std::int64_t> bytes, MPI_Comm comm) const override {
    std::int64_t total = 0;
    for (const std::int64_t count : bytes) total += count;
    if (total > limit_) {
      pass_around(all, bytes, comm);
      return;
    }
    std::vector<int> counts(bytes.size());
    std::vector<int> offsets(bytes.size());
    int offset = 0;
    for (std::size_t r = 0; r < bytes.size(); ++r) {
      counts[r] = narrow<int>(bytes[r]);
      offsets[r] = offset;
      offset += counts[r];
    }
    check(MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_BYTE, all, counts.data(), offsets.data(), MPI_BYTE, comm),
          "MPI_Allgatherv");
  }

  /// In rounds, one piece per pair in each, until this rank's longest pair is done. A rank in round k waits
  /// only for partners that reach round k too, so the ranks in the earliest round can always go on.
  void alltoallv(const SendParcels& send, const ReceiveParcels& receive, MPI_Comm comm) const override {
    const int size = size_of(comm);
    const int rank = rank_of(comm);
    std::copy_n(send.of(rank), send.bytes(rank), receive.of(rank));
    std::int64_t longest = 0;
    for (int r = 0; r < size; ++r) {
      if (r != rank) longest = std::max({longest, send.bytes(r), receive.bytes(r)});
    }
    std::vector<MPI_Request> requests;
    std::vector<MPI_Status> statuses;
    for (std::int64_t at = 0; at < longest; at += limit_) {
      requests.clear();
      for (int step = 1; step < size; ++step) {
        const int from = (rank + size - step) % size;
        if (at >= receive.bytes(from)) continue;
        check(MPI_Irecv(receive.of(from) + at, piece(receive.bytes(from), at), MPI_BYTE, from, piece_tag,
                        comm, &requests.emplace_back()),
              "MPI_Irecv");
      }
      for (int step = 1; step < size; ++step) {  // every rank begins with another one
        const int to = (rank + step) % size;
        if (at >= send.bytes(to)) continue;
        check(MPI_Isend(send.of(to) + at, piece(send.bytes(to), at), MPI_BYTE, to, piece_tag, comm,
                        &requests.emplace_back()),
              "MPI_Isend");
      }
      statuses.resize(requests.size());
      check_all(MPI_Waitall(narrow<int>(requests.size()), requests.data(), statuses.data()), statuses,
                "MPI_Waitall");
    }
  }

  void send_receive(std::span<const std::byte> send, int to, std::span<std::byte> receive, int from,
                    MPI_Comm comm) const override {
    const auto out = static_cast<std::int64_t>(send.size());
    const auto in = static_cast<std::int64_t>(receive.size());
    for (std::int64_t at = 0; at < std::max(out, in); at += limit_) {
      const bool sends = at < out;
      const bool receives = at < in;
      check(MPI_Sendrecv(sends ? send.data() + at : nullptr, sends ? piece(out, at) : 0, MPI_BYTE,
                         sends ? to : MPI_PROC_NULL, piece_tag, receives ? receive.data() + at : nullptr,
                         receives ? piece(in, at) : 0, MPI_BYTE, receives ? from : MPI_PROC_NULL, piece_tag,
                         comm, MPI_STATUS_IGNORE),
            "MPI_Sendrecv");
    }
  }

 private:
  /// Bytes of the piece that begins at `at`.
  int piece(std::int64_t bytes, std::int64_t at) const { return narrow<int>(std::min(limit_, bytes - at)); }

  /// Allgather in a ring: in each step every rank hands on the piece that it got in the step before.
  void pass_around(std::byte* all, std::span<const std::int64_t> bytes, MPI_Comm comm) const {
    const int size = size_of(comm);
    const int rank = rank_of(comm);
    std::vector<std::span<std::byte>> pieces;
    for (const std::int64_t count : bytes) {
      pieces.emplace_back(all, static_cast<std::size_t>(count));
      all += count;
    }
    for (int step = 0; step + 1 < size; ++step) {
      const auto handed_on = static_cast<std::size_t>((rank + size - step) % size);
      const auto arriving = static_cast<std::size_t>((rank + size - step - 1) % size);
      send_receive(pieces[handed_on], (rank + 1) % size, pieces[arriving], (rank + size - 1) % size, comm);
    }
  }

  static int size_of(MPI_Comm comm) {
    int size = 0;
    check(MPI_Comm_size(comm, &size), "MPI_Comm_size");
    return size;
  }
  static int rank_of(MPI_Comm comm) {
    int rank = 0;
    check(MPI_Comm_rank(comm, &rank), "MPI_Comm_rank");
    return rank;
  }

  std::int64_t limit_;
};

}  // namespace

std::shared_ptr<const Calls> piece_calls(std::int64_t bytes_per_call) {
  return std::make_shared<PieceCalls>(bytes_per_call);
}

}  // namespace isobath
