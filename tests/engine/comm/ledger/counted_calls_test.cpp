// SPDX-License-Identifier: Apache-2.0
// What is counted beside what the MPI library is asked: its functions are called through ours here.
#include <mpi.h>

#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "comm/all_ranks.hpp"
#include "comm/ledger/ledger.hpp"
#include "mpi_main.hpp"

namespace {
std::int64_t calls_made = 0;
}

extern "C" {
int MPI_Bcast(void* buffer, int count, MPI_Datatype type, int root, MPI_Comm comm) {
  ++calls_made;
  return PMPI_Bcast(buffer, count, type, root, comm);
}
int MPI_Allreduce(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  ++calls_made;
  return PMPI_Allreduce(send, receive, count, type, op, comm);
}
int MPI_Allgather(const void* send, int send_count, MPI_Datatype send_type, void* receive, int receive_count,
                  MPI_Datatype receive_type, MPI_Comm comm) {
  ++calls_made;
  return PMPI_Allgather(send, send_count, send_type, receive, receive_count, receive_type, comm);
}
int MPI_Allgatherv(const void* send, int send_count, MPI_Datatype send_type, void* receive,
                   const int counts[], const int offsets[], MPI_Datatype receive_type, MPI_Comm comm) {
  ++calls_made;
  return PMPI_Allgatherv(send, send_count, send_type, receive, counts, offsets, receive_type, comm);
}
int MPI_Sendrecv(const void* send, int send_count, MPI_Datatype send_type, int to, int send_tag,
                 void* receive, int receive_count, MPI_Datatype receive_type, int from, int receive_tag,
                 MPI_Comm comm, MPI_Status* status) {
  ++calls_made;
  return PMPI_Sendrecv(send, send_count, send_type, to, send_tag, receive, receive_count, receive_type, from,
                       receive_tag, comm, status);
}
#if ISOBATH_TEST_LARGE_COUNTS
int MPI_Bcast_c(void* buffer, MPI_Count count, MPI_Datatype type, int root, MPI_Comm comm) {
  ++calls_made;
  return PMPI_Bcast_c(buffer, count, type, root, comm);
}
int MPI_Allreduce_c(const void* send, void* receive, MPI_Count count, MPI_Datatype type, MPI_Op op,
                    MPI_Comm comm) {
  ++calls_made;
  return PMPI_Allreduce_c(send, receive, count, type, op, comm);
}
int MPI_Allgather_c(const void* send, MPI_Count send_count, MPI_Datatype send_type, void* receive,
                    MPI_Count receive_count, MPI_Datatype receive_type, MPI_Comm comm) {
  ++calls_made;
  return PMPI_Allgather_c(send, send_count, send_type, receive, receive_count, receive_type, comm);
}
int MPI_Allgatherv_c(const void* send, MPI_Count send_count, MPI_Datatype send_type, void* receive,
                     const MPI_Count counts[], const MPI_Aint offsets[], MPI_Datatype receive_type,
                     MPI_Comm comm) {
  ++calls_made;
  return PMPI_Allgatherv_c(send, send_count, send_type, receive, counts, offsets, receive_type, comm);
}
int MPI_Sendrecv_c(const void* send, MPI_Count send_count, MPI_Datatype send_type, int to, int send_tag,
                   void* receive, MPI_Count receive_count, MPI_Datatype receive_type, int from,
                   int receive_tag, MPI_Comm comm, MPI_Status* status) {
  ++calls_made;
  return PMPI_Sendrecv_c(send, send_count, send_type, to, send_tag, receive, receive_count, receive_type,
                         from, receive_tag, comm, status);
}
#endif
}

namespace isobath::test {
namespace {

class CountedCalls : public testing::TestWithParam<CountLimit> {
 protected:
  CountedCalls() : comm_(world().handle(), GetParam()) { comm_.keep(&ledger_); }

  /// Calls are counted as they are made: one by one, where nothing is longer than the limit.
  template <class Operation>
  void expect_calls(std::int64_t expected, const char* what, Operation&& operation) {
    ledger_.clear();
    ledger_.begin(RunPart::search);
    const std::int64_t counted_before = comm_.traffic().calls;
    const std::int64_t made_before = calls_made;
    operation();
    const std::int64_t made = calls_made - made_before;
    ledger_.end();
    CallTotals totals;
    for (const LedgerCell& cell : ledger_.cells()) totals += cell.totals;
    EXPECT_EQ(made, comm_.size() == 1 ? 0 : expected) << what;
    EXPECT_EQ(comm_.traffic().calls - counted_before, made) << what;
    EXPECT_EQ(totals.calls, made) << what;
  }
  const Communicator& comm() const { return comm_; }
  int next() const { return (comm_.rank() + 1) % comm_.size(); }
  int previous() const { return (comm_.rank() + comm_.size() - 1) % comm_.size(); }

 private:
  std::vector<int> one_node_ = std::vector<int>(static_cast<std::size_t>(world().size()));
  Ledger ledger_{{.rank = world().rank(), .node_of_rank = one_node_, .buckets = {}, .clock = {}}};
  Communicator comm_;
};

INSTANTIATE_TEST_SUITE_P(Limits, CountedCalls,
                         testing::Values(CountLimit{},
                                         CountLimit{.bytes_per_call = 4096, .prefer_large_counts = false}),
                         [](const auto& instance) { return name_of(instance.param); });

TEST_P(CountedCalls, AreThoseThatAreMade) {
  std::vector<std::int64_t> values(3);
  expect_calls(1, "sum", [&] { comm().sum(values); });
  expect_calls(1, "broadcast", [&] { comm().broadcast(std::span<std::int64_t>(values), 0); });
  expect_calls(2, "text", [&] { comm().allgather(std::string("text")); });
  expect_calls(2, "allgatherv", [&] { comm().allgatherv<std::int64_t>(values); });
  expect_calls(1, "ring", [&] {
    std::vector<std::int64_t> in(3);
    comm().send_receive<std::int64_t>(values, next(), in, previous());
  });
}

TEST_P(CountedCalls, AreNotThoseThatHaveNothingToDo) {
  const std::vector<std::int64_t> none(static_cast<std::size_t>(comm().size()));
  expect_calls(0, "sum", [&] { comm().sum(std::span<double>()); });
  expect_calls(0, "broadcast", [&] { comm().broadcast(std::span<std::int64_t>(), comm().size() - 1); });
  expect_calls(0, "allgatherv", [&] { comm().allgatherv<int>({}, none, {}); });
  expect_calls(1, "allgatherv of counts that turn out 0", [&] { comm().allgatherv<std::uint16_t>({}); });
  expect_calls(1, "no text", [&] { comm().allgather(std::string()); });
  expect_calls(1, "broadcast of no text", [&] { comm().broadcast(std::string(), 0); });
  expect_calls(0, "ring", [&] { comm().send_receive<int>({}, next(), {}, previous()); });
  expect_calls(0, "to itself", [&] {
    const std::vector<int> out(3);
    std::vector<int> in(3);
    comm().send_receive<int>(out, comm().rank(), in, comm().rank());
  });
}

TEST_P(CountedCalls, OfRanksWithoutBytesAreMadeWithTheOthers) {
  const int last = comm().size() - 1;
  std::vector<std::int64_t> counts(static_cast<std::size_t>(comm().size()));
  counts.back() = 2;
  const std::vector<int> mine(comm().rank() == last ? 2 : 0);
  std::vector<int> all(2);
  expect_calls(1, "allgatherv", [&] { comm().allgatherv<int>(mine, counts, all); });
  const std::int64_t takes_part = comm().rank() == last || previous() == last ? 1 : 0;
  expect_calls(takes_part, "ring", [&] {
    std::vector<int> in(previous() == last ? 2 : 0);
    comm().send_receive<int>(mine, next(), in, previous());
  });
}

}  // namespace
}  // namespace isobath::test
