// SPDX-License-Identifier: Apache-2.0
#include "comm/communicator.hpp"

#include <mpi.h>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "comm/calls/calls.hpp"
#include "comm/calls/check.hpp"
#include "comm/environment.hpp"
#include "mpi_main.hpp"

namespace isobath::test {
namespace {

static_assert(!Transferable<std::string> && !Transferable<int*> && !Transferable<std::span<int>>);
static_assert(Transferable<std::int64_t> && Transferable<Traffic>);
static_assert(!std::is_copy_constructible_v<Communicator> && !std::is_copy_assignable_v<Communicator>);
static_assert(std::is_nothrow_move_constructible_v<Communicator>);

TEST(Communicator, AloneNeedsNoMpi) {
  Communicator alone;
  EXPECT_EQ(alone.rank(), 0);
  EXPECT_EQ(alone.size(), 1);
  alone.barrier();
  EXPECT_EQ(alone.sum(std::int64_t{5}), 5);
  EXPECT_EQ(alone.broadcast(7, 0), 7);
  EXPECT_EQ(alone.broadcast(std::string("text"), 0), "text");
  EXPECT_EQ(alone.allgather(std::string("text")), std::vector<std::string>{"text"});
  const std::vector<int> values = {1, 2, 3};
  EXPECT_EQ(alone.allgatherv<int>(values), values);
  EXPECT_EQ(alone.alltoallv<int>(values, std::vector<std::int64_t>{3}), values);
  std::vector<int> received(3);
  alone.send_receive<int>(values, 0, received, 0);
  EXPECT_EQ(received, values);
  EXPECT_EQ(alone.split(0, 0).size(), 1);
  EXPECT_EQ(alone.traffic().calls, 0);
  EXPECT_EQ(alone.traffic().bytes_sent, 0);
  EXPECT_EQ(alone.traffic().messages, 0);
}

TEST(Communicator, SplitsByColourInTheOrderOfKeys) {
  const Communicator half = world().split(world().rank() % 2, -world().rank());
  const std::vector<int> members = half.allgather(world().rank());
  std::vector<int> expected;
  for (int r = world().size() - 1; r >= 0; --r) {
    if (r % 2 == world().rank() % 2) expected.push_back(r);
  }
  EXPECT_EQ(members, expected);
  EXPECT_EQ(half.sum(std::int64_t{1}), half.size());
}

TEST(Communicator, HandsItsLimitToItsParts) {
  const Communicator pieces(world().handle(), {.bytes_per_call = 24, .prefer_large_counts = false});
  const Communicator part = pieces.split(0, world().rank());
  EXPECT_EQ(part.limit().bytes_per_call, 24);
  EXPECT_FALSE(part.limit().prefer_large_counts);
}

TEST(Communicator, MovesWithItsTraffic) {
  const std::int64_t calls_each = world().size() == 1 ? 0 : 1;
  Communicator first(world().handle());
  first.barrier();
  Communicator second = std::move(first);
  second.barrier();
  EXPECT_EQ(second.traffic().calls, calls_each * 2);
  EXPECT_EQ(second.size(), world().size());
  first = Communicator(world().handle());
  EXPECT_EQ(first.sum(std::int64_t{1}), world().size());
  second = std::move(first);
  EXPECT_EQ(second.sum(std::int64_t{1}), world().size());
  EXPECT_EQ(second.traffic().calls, calls_each * 2);  // the first's two, not its own former ones
}

TEST(Communicator, DuplicatesSoThatMessagesMeetNobodyElses) {
  const Communicator other(world().handle());
  int relation = MPI_UNEQUAL;
  ASSERT_EQ(MPI_Comm_compare(other.handle(), world().handle(), &relation), MPI_SUCCESS);
  EXPECT_EQ(relation, MPI_CONGRUENT);
}

TEST(Communicator, LeavesItsHandleWhileAnExceptionPasses) {
  const auto thrown_on_one_rank = [] {
    const Communicator part = world().split(0, world().rank());
    if (world().rank() == 0) throw std::runtime_error("only here");
  };
  if (world().rank() == 0) {
    EXPECT_THROW(thrown_on_one_rank(), std::runtime_error);
  } else {
    EXPECT_NO_THROW(thrown_on_one_rank());
  }
  EXPECT_EQ(world().sum(std::int64_t{1}), world().size());  // nobody hangs in freeing
}

/// The text of the MpiError that `operation` throws; a failure where it throws none.
template <class Operation>
std::string mpi_error_of(Operation&& operation) {
  try {
    operation();
  } catch (const MpiError& error) {
    EXPECT_EQ(error.code(), ExitCode::environment);
    return error.what();
  }
  ADD_FAILURE() << "no MpiError";
  return "";
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(MpiErrors, CarryTheCallAndTheClass) {
  check(MPI_SUCCESS, "MPI_Bcast");
  const std::string text = mpi_error_of([] { check(MPI_ERR_ROOT, "MPI_Bcast"); });
  EXPECT_TRUE(contains(text, "MPI_Bcast failed with MPI_ERR_ROOT: ")) << text;
  EXPECT_FALSE(contains(text, "\n")) << text;
}

TEST(MpiErrors, ReturnFromRealCalls) {
  const std::string null_text = mpi_error_of([] { Communicator comm(MPI_COMM_NULL); });
  EXPECT_TRUE(contains(null_text, "MPI_Comm_dup failed with MPI_ERR_COMM: ")) << null_text;

  std::byte value{};
  const int nobody = world().size();
  const std::string text =
      mpi_error_of([&] { piece_calls(100)->broadcast(std::span(&value, 1), nobody, world().handle()); });
  EXPECT_TRUE(contains(text, "MPI_Bcast failed with MPI_ERR_ROOT: ")) << text;
  if (const auto large = large_count_calls()) {
    const std::string large_text =
        mpi_error_of([&] { large->broadcast(std::span(&value, 1), nobody, world().handle()); });
    EXPECT_TRUE(contains(large_text, "MPI_Bcast_c failed with MPI_ERR_ROOT: ")) << large_text;
  }
  EXPECT_EQ(world().sum(std::int64_t{1}), world().size());
}

TEST(MpiErrors, SayWhatBefellTheFirstRequestThatFailed) {
  std::vector<MPI_Status> statuses(4);
  const int errors[] = {MPI_SUCCESS, MPI_ERR_PENDING, MPI_ERR_TRUNCATE, MPI_ERR_TAG};
  for (std::size_t i = 0; i < statuses.size(); ++i) statuses[i].MPI_ERROR = errors[i];
  check_all(MPI_SUCCESS, statuses, "MPI_Waitall");  // the statuses mean nothing then
  const std::string one = mpi_error_of([&] { check_all(MPI_ERR_IN_STATUS, statuses, "MPI_Waitall"); });
  EXPECT_TRUE(contains(one, "MPI_Waitall failed with MPI_ERR_TRUNCATE: ")) << one;
  const std::string whole = mpi_error_of([&] { check_all(MPI_ERR_REQUEST, statuses, "MPI_Waitall"); });
  EXPECT_TRUE(contains(whole, "MPI_Waitall failed with MPI_ERR_REQUEST: ")) << whole;
}

TEST(Preconditions, AreCheckedBeforeAnythingIsSent) {
  const Communicator& comm = world();
  const auto size = static_cast<std::size_t>(comm.size());
  const Traffic before = comm.traffic();
  std::vector<int> buffer(size);
  EXPECT_THROW(comm.broadcast(1, comm.size()), InternalError);
  EXPECT_THROW(comm.broadcast(1, -1), InternalError);
  const std::vector<std::int64_t> ones(size, 1);
  const std::vector<std::int64_t> too_few(size - 1, 1);
  const std::span<const int> one(buffer.data(), 1);
  EXPECT_THROW(comm.allgatherv<int>(one, too_few, buffer), InternalError);
  EXPECT_THROW(comm.allgatherv<int>({}, ones, buffer), InternalError);
  EXPECT_THROW(comm.allgatherv<int>(one, ones, std::span<int>(buffer).first(size - 1)), InternalError);
  EXPECT_THROW(comm.exchange_counts(too_few), InternalError);

  ExchangeCounts counts = {
      .send_counts = ones, .send_offsets = ones, .receive_counts = ones, .receive_offsets = ones};
  counts.send_offsets.assign(size, 0);
  EXPECT_THROW(comm.alltoallv<int>(buffer, counts, {}), InternalError);
  counts.receive_offsets.assign(size, static_cast<std::int64_t>(size));
  EXPECT_THROW(comm.alltoallv<int>(buffer, counts, buffer), InternalError);
  counts.receive_offsets.assign(size, 0);
  counts.receive_counts[static_cast<std::size_t>(comm.rank())] = 0;
  EXPECT_THROW(comm.alltoallv<int>(buffer, counts, buffer), InternalError);

  EXPECT_THROW(comm.send_receive<int>(buffer, comm.size(), buffer, 0), InternalError);
  if (comm.size() > 1) {
    const int next = (comm.rank() + 1) % comm.size();
    EXPECT_THROW(comm.send_receive<int>(buffer, next, buffer, comm.rank()), InternalError);
  }
  EXPECT_THROW(comm.split(-1, 0), InternalError);
  EXPECT_THROW(Communicator(comm.handle(), {.bytes_per_call = 0}), InternalError);
  EXPECT_THROW(Communicator(comm.handle(), {.bytes_per_call = std::int64_t{1} << 31}), InternalError);
  EXPECT_EQ((comm.traffic() - before).calls, 0);
}

class Recorder final : public CallWatcher {
 public:
  void entered(const char* call) noexcept override { calls.emplace_back(call); }
  void rests() noexcept override {}
  void completed() noexcept override {}
  void left(bool is_complete) noexcept override { ended += is_complete ? 1 : 0; }
  std::vector<std::string> calls;
  std::size_t ended = 0;
};

TEST(CallWatcher, IsToldOfEveryCall) {
  Recorder recorder;
  Communicator comm(world().handle());
  comm.watch(&recorder);
  comm.barrier();
  comm.sum(std::int64_t{1});
  comm.broadcast(1, 0);
  comm.allgather(1);
  const std::vector<std::int64_t> ones(static_cast<std::size_t>(comm.size()), 1);
  const std::vector<int> values(ones.size());
  comm.allgatherv<int>(std::span(values).first(1));
  comm.alltoallv<int>(values, ones);
  std::vector<int> received(ones.size());
  comm.send_receive<int>(values, (comm.rank() + 1) % comm.size(), received,
                         (comm.rank() + comm.size() - 1) % comm.size());
  comm.split(0, 0).barrier();
  const std::vector<std::string> expected = {
      "MPI_Barrier",  "MPI_Allreduce", "MPI_Bcast",    "MPI_Allgather",  "MPI_Allgather", "MPI_Allgatherv",
      "MPI_Alltoall", "MPI_Alltoallv", "MPI_Sendrecv", "MPI_Comm_split", "MPI_Barrier"};
  if (comm.size() > 1) {
    EXPECT_EQ(recorder.calls, expected);
  } else {
    EXPECT_EQ(recorder.calls, std::vector<std::string>{"MPI_Comm_split"});  // alone, nothing else asks MPI
  }
  EXPECT_EQ(recorder.ended, recorder.calls.size());
}

TEST(MpiIdentity, SaysWhatTheBuildFound) {
  const MpiIdentity identity = mpi_identity();
  EXPECT_FALSE(identity.library_version.empty());
  EXPECT_EQ(identity.library_version.find('\n'), std::string::npos);
  EXPECT_EQ(identity.standard_version, std::to_string(MPI_VERSION) + "." + std::to_string(MPI_SUBVERSION));
  const std::string& level = identity.thread_level;
  EXPECT_TRUE(level == "funneled" || level == "serialized" || level == "multiple") << level;
  EXPECT_EQ(identity.large_counts, ISOBATH_TEST_LARGE_COUNTS != 0);
  EXPECT_EQ(identity.standard_abi, ISOBATH_TEST_STANDARD_ABI != 0);
}

}  // namespace
}  // namespace isobath::test
