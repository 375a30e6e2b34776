// SPDX-License-Identifier: Apache-2.0
#include "overlap/contents.hpp"

#include <algorithm>
#include <span>
#include <string_view>

namespace isobath {
namespace {

constexpr double untouched = -1;

double sent(int rank, std::size_t place) {
  return static_cast<double>(rank + 1) * static_cast<double>(place % 97 + 1);
}

double sum_of_ranks(int first, int end, std::size_t place) {
  double sum = 0;
  for (int rank = first; rank < end; ++rank) sum += sent(rank, place);
  return sum;
}

/// What a rank should hold in its place i; absent where MPI promises nothing.
std::optional<double> expected(const PendingCollective& pending, const Communicator& comm, std::size_t i) {
  const std::string_view name = pending.name();
  const int rank = comm.rank();
  const int root = PendingCollective::root_rank;
  const auto count = static_cast<std::size_t>(pending.count());
  const auto from = static_cast<int>(i / count);  // of blocks
  const std::size_t within = i % count;
  const std::size_t own_block = static_cast<std::size_t>(rank) * count + within;
  if (name == "bcast") return sent(root, i);
  if (name == "gather" || name == "gatherv") {
    return rank == root ? std::optional(sent(from, within)) : std::nullopt;
  }
  if (name == "scatter" || name == "scatterv")
    return from == 0 ? std::optional(sent(root, own_block)) : std::nullopt;
  if (name == "allgather" || name == "allgatherv") return sent(from, within);
  if (name.starts_with("alltoall")) return sent(from, own_block);
  if (name == "reduce" && rank != root) return std::nullopt;
  if (name == "reduce" || name == "allreduce") return sum_of_ranks(0, comm.size(), i);
  if (name.starts_with("reduce_scatter")) {
    return from == 0 ? std::optional(sum_of_ranks(0, comm.size(), own_block)) : std::nullopt;
  }
  if (name == "scan") return sum_of_ranks(0, rank + 1, i);
  return rank > 0 ? std::optional(sum_of_ranks(0, rank, i)) : std::nullopt;  // exscan
}

}  // namespace

void fill(PendingCollective& pending, const Communicator& comm) {
  const std::span<double> send = pending.send();
  for (std::size_t i = 0; i < send.size(); ++i) send[i] = sent(comm.rank(), i);
  std::ranges::fill(pending.receive(), untouched);
  if (pending.name() == "bcast" && comm.rank() == PendingCollective::root_rank) {
    std::ranges::copy(send, pending.receive().begin());
  }
}

std::optional<std::size_t> wrong_value(PendingCollective& pending, const Communicator& comm) {
  if (pending.name() == "barrier") return std::nullopt;
  const std::span<const double> received = pending.receive();
  for (std::size_t i = 0; i < received.size(); ++i) {
    const std::optional<double> wanted = expected(pending, comm, i);
    if (wanted && received[i] != *wanted) return i;
  }
  return std::nullopt;
}

}  // namespace isobath
