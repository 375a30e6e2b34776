// SPDX-License-Identifier: Apache-2.0
// Compiled where the MPI library has large-count calls (MPI 4).
#include <mpi.h>

#include <vector>

#include "comm/calls/calls.hpp"
#include "comm/calls/check.hpp"

namespace isobath {
namespace {

std::vector<MPI_Count> counts_of(std::span<const std::int64_t> values) {
  return {values.begin(), values.end()};
}
std::vector<MPI_Aint> offsets_of(std::span<const std::int64_t> values) {
  return {values.begin(), values.end()};
}

class LargeCountCalls final : public Calls {
 public:
  void broadcast(std::span<std::byte> values, int root_rank, MPI_Comm comm) const override {
    check(MPI_Bcast_c(values.data(), static_cast<MPI_Count>(values.size()), MPI_BYTE, root_rank, comm),
          "MPI_Bcast_c");
  }

  void allreduce(std::byte* values, std::int64_t count, std::size_t /*element*/, MPI_Datatype type,
                 MPI_Op operation, MPI_Comm comm) const override {
    check(MPI_Allreduce_c(MPI_IN_PLACE, values, count, type, operation, comm), "MPI_Allreduce_c");
  }

  void allgather(std::byte* all, std::int64_t bytes_each, MPI_Comm comm) const override {
    check(MPI_Allgather_c(MPI_IN_PLACE, 0, MPI_BYTE, all, bytes_each, MPI_BYTE, comm), "MPI_Allgather_c");
  }

  void allgatherv(std::byte* all, std::span<const std::int64_t> bytes, MPI_Comm comm) const override {
    const std::vector<MPI_Count> counts = counts_of(bytes);
    std::vector<MPI_Aint> offsets(counts.size());
    MPI_Aint offset = 0;
    for (std::size_t r = 0; r < counts.size(); ++r) {
      offsets[r] = offset;
      offset += static_cast<MPI_Aint>(bytes[r]);
    }
    check(MPI_Allgatherv_c(MPI_IN_PLACE, 0, MPI_BYTE, all, counts.data(), offsets.data(), MPI_BYTE, comm),
          "MPI_Allgatherv_c");
  }

  void alltoallv(const SendParcels& send, const ReceiveParcels& receive, MPI_Comm comm) const override {
    const std::vector<MPI_Count> send_counts = counts_of(send.counts);
    const std::vector<MPI_Count> receive_counts = counts_of(receive.counts);
    const std::vector<MPI_Aint> send_offsets = offsets_of(send.offsets);
    const std::vector<MPI_Aint> receive_offsets = offsets_of(receive.offsets);
    check(MPI_Alltoallv_c(send.base, send_counts.data(), send_offsets.data(), MPI_BYTE, receive.base,
                          receive_counts.data(), receive_offsets.data(), MPI_BYTE, comm),
          "MPI_Alltoallv_c");
  }

  void send_receive(std::span<const std::byte> send, int to, std::span<std::byte> receive, int from,
                    MPI_Comm comm) const override {
    constexpr int tag = 1;
    const int target = send.empty() ? MPI_PROC_NULL : to;
    const int source = receive.empty() ? MPI_PROC_NULL : from;
    check(MPI_Sendrecv_c(send.data(), static_cast<MPI_Count>(send.size()), MPI_BYTE, target, tag,
                         receive.data(), static_cast<MPI_Count>(receive.size()), MPI_BYTE, source, tag, comm,
                         MPI_STATUS_IGNORE),
          "MPI_Sendrecv_c");
  }
};

}  // namespace

std::shared_ptr<const Calls> large_count_calls() { return std::make_shared<LargeCountCalls>(); }

}  // namespace isobath
