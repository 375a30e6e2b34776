// SPDX-License-Identifier: Apache-2.0
#include "comm/collective_arguments.hpp"

#include <string>

#include "base/narrow.hpp"

namespace isobath {
namespace {

using A = CollectiveArguments;

/// In alphabetical groups: what moves, then what sums. Both calls of a line take the same arguments.
constexpr OverlapCall calls[] = {
    {"barrier", false, false, [](A& a) { return MPI_Barrier(a.comm); },
     [](A& a, MPI_Request* r) { return MPI_Ibarrier(a.comm, r); }},
    {"bcast", false, false,
     [](A& a) { return MPI_Bcast(a.receive.data(), a.count, MPI_DOUBLE, a.root_rank, a.comm); },
     [](A& a, MPI_Request* r) {
       return MPI_Ibcast(a.receive.data(), a.count, MPI_DOUBLE, a.root_rank, a.comm, r);
     }},
    {"gather", true, false,
     [](A& a) {
       return MPI_Gather(a.send.data(), a.count, MPI_DOUBLE, a.receive.data(), a.count, MPI_DOUBLE,
                         a.root_rank, a.comm);
     },
     [](A& a, MPI_Request* r) {
       return MPI_Igather(a.send.data(), a.count, MPI_DOUBLE, a.receive.data(), a.count, MPI_DOUBLE,
                          a.root_rank, a.comm, r);
     }},
    {"gatherv", true, false,
     [](A& a) {
       return MPI_Gatherv(a.send.data(), a.count, MPI_DOUBLE, a.receive.data(), a.counts.data(),
                          a.offsets.data(), MPI_DOUBLE, a.root_rank, a.comm);
     },
     [](A& a, MPI_Request* r) {
       return MPI_Igatherv(a.send.data(), a.count, MPI_DOUBLE, a.receive.data(), a.counts.data(),
                           a.offsets.data(), MPI_DOUBLE, a.root_rank, a.comm, r);
     }},
    {"scatter", true, false,
     [](A& a) {
       return MPI_Scatter(a.send.data(), a.count, MPI_DOUBLE, a.receive.data(), a.count, MPI_DOUBLE,
                          a.root_rank, a.comm);
     },
     [](A& a, MPI_Request* r) {
       return MPI_Iscatter(a.send.data(), a.count, MPI_DOUBLE, a.receive.data(), a.count, MPI_DOUBLE,
                           a.root_rank, a.comm, r);
     }},
    {"scatterv", true, false,
     [](A& a) {
       return MPI_Scatterv(a.send.data(), a.counts.data(), a.offsets.data(), MPI_DOUBLE, a.receive.data(),
                           a.count, MPI_DOUBLE, a.root_rank, a.comm);
     },
     [](A& a, MPI_Request* r) {
       return MPI_Iscatterv(a.send.data(), a.counts.data(), a.offsets.data(), MPI_DOUBLE, a.receive.data(),
                            a.count, MPI_DOUBLE, a.root_rank, a.comm, r);
     }},
    {"allgather", true, false,
     [](A& a) {
       return MPI_Allgather(a.send.data(), a.count, MPI_DOUBLE, a.receive.data(), a.count, MPI_DOUBLE,
                            a.comm);
     },
     [](A& a, MPI_Request* r) {
       return MPI_Iallgather(a.send.data(), a.count, MPI_DOUBLE, a.receive.data(), a.count, MPI_DOUBLE,
                             a.comm, r);
     }},
    {"allgatherv", true, false,
     [](A& a) {
       return MPI_Allgatherv(a.send.data(), a.count, MPI_DOUBLE, a.receive.data(), a.counts.data(),
                             a.offsets.data(), MPI_DOUBLE, a.comm);
     },
     [](A& a, MPI_Request* r) {
       return MPI_Iallgatherv(a.send.data(), a.count, MPI_DOUBLE, a.receive.data(), a.counts.data(),
                              a.offsets.data(), MPI_DOUBLE, a.comm, r);
     }},
    {"alltoall", true, false,
     [](A& a) {
       return MPI_Alltoall(a.send.data(), a.count, MPI_DOUBLE, a.receive.data(), a.count, MPI_DOUBLE, a.comm);
     },
     [](A& a, MPI_Request* r) {
       return MPI_Ialltoall(a.send.data(), a.count, MPI_DOUBLE, a.receive.data(), a.count, MPI_DOUBLE, a.comm,
                            r);
     }},
    {"alltoallv", true, false,
     [](A& a) {
       return MPI_Alltoallv(a.send.data(), a.counts.data(), a.offsets.data(), MPI_DOUBLE, a.receive.data(),
                            a.counts.data(), a.offsets.data(), MPI_DOUBLE, a.comm);
     },
     [](A& a, MPI_Request* r) {
       return MPI_Ialltoallv(a.send.data(), a.counts.data(), a.offsets.data(), MPI_DOUBLE, a.receive.data(),
                             a.counts.data(), a.offsets.data(), MPI_DOUBLE, a.comm, r);
     }},
    {"alltoallw", true, false,
     [](A& a) {
       return MPI_Alltoallw(a.send.data(), a.counts.data(), a.byte_offsets.data(), a.types.data(),
                            a.receive.data(), a.counts.data(), a.byte_offsets.data(), a.types.data(), a.comm);
     },
     [](A& a, MPI_Request* r) {
       return MPI_Ialltoallw(a.send.data(), a.counts.data(), a.byte_offsets.data(), a.types.data(),
                             a.receive.data(), a.counts.data(), a.byte_offsets.data(), a.types.data(), a.comm,
                             r);
     }},
    {"reduce", false, true,
     [](A& a) {
       return MPI_Reduce(a.send.data(), a.receive.data(), a.count, MPI_DOUBLE, MPI_SUM, a.root_rank, a.comm);
     },
     [](A& a, MPI_Request* r) {
       return MPI_Ireduce(a.send.data(), a.receive.data(), a.count, MPI_DOUBLE, MPI_SUM, a.root_rank, a.comm,
                          r);
     }},
    {"allreduce", false, true,
     [](A& a) {
       return MPI_Allreduce(a.send.data(), a.receive.data(), a.count, MPI_DOUBLE, MPI_SUM, a.comm);
     },
     [](A& a, MPI_Request* r) {
       return MPI_Iallreduce(a.send.data(), a.receive.data(), a.count, MPI_DOUBLE, MPI_SUM, a.comm, r);
     }},
    {"reduce_scatter", true, true,
     [](A& a) {
       return MPI_Reduce_scatter(a.send.data(), a.receive.data(), a.counts.data(), MPI_DOUBLE, MPI_SUM,
                                 a.comm);
     },
     [](A& a, MPI_Request* r) {
       return MPI_Ireduce_scatter(a.send.data(), a.receive.data(), a.counts.data(), MPI_DOUBLE, MPI_SUM,
                                  a.comm, r);
     }},
    {"reduce_scatter_block", true, true,
     [](A& a) {
       return MPI_Reduce_scatter_block(a.send.data(), a.receive.data(), a.count, MPI_DOUBLE, MPI_SUM, a.comm);
     },
     [](A& a, MPI_Request* r) {
       return MPI_Ireduce_scatter_block(a.send.data(), a.receive.data(), a.count, MPI_DOUBLE, MPI_SUM, a.comm,
                                        r);
     }},
    {"scan", false, true,
     [](A& a) { return MPI_Scan(a.send.data(), a.receive.data(), a.count, MPI_DOUBLE, MPI_SUM, a.comm); },
     [](A& a, MPI_Request* r) {
       return MPI_Iscan(a.send.data(), a.receive.data(), a.count, MPI_DOUBLE, MPI_SUM, a.comm, r);
     }},
    {"exscan", false, true,
     [](A& a) { return MPI_Exscan(a.send.data(), a.receive.data(), a.count, MPI_DOUBLE, MPI_SUM, a.comm); },
     [](A& a, MPI_Request* r) {
       return MPI_Iexscan(a.send.data(), a.receive.data(), a.count, MPI_DOUBLE, MPI_SUM, a.comm, r);
     }},
};

}  // namespace

std::span<const OverlapCall> overlap_calls() { return calls; }

const OverlapCall& overlap_call(std::string_view name) {
  std::string all;
  for (const OverlapCall& call : calls) {
    if (call.name == name) return call;
    all += (all.empty() ? "" : ", ") + std::string(call.name);
  }
  throw UsageError("collective '" + std::string(name) + "' is unknown; choose one of " + all);
}

CollectiveArguments arguments_of(const OverlapCall& call, const Communicator& comm, std::int64_t count) {
  CollectiveArguments arguments;
  const auto ranks = static_cast<std::size_t>(comm.size());
  const std::int64_t all = call.moves_blocks ? count * comm.size() : count;
  narrow<int>(all * std::int64_t{sizeof(double)}, "a buffer's bytes");
  arguments.count = narrow<int>(count);
  arguments.send.resize(static_cast<std::size_t>(all));
  arguments.receive.resize(static_cast<std::size_t>(all));
  arguments.counts.assign(ranks, arguments.count);
  arguments.types.assign(ranks, MPI_DOUBLE);
  for (int rank = 0; rank < comm.size(); ++rank) {
    arguments.offsets.push_back(rank * arguments.count);
    arguments.byte_offsets.push_back(rank * arguments.count * static_cast<int>(sizeof(double)));
  }
  arguments.comm = comm.handle();
  return arguments;
}

}  // namespace isobath
