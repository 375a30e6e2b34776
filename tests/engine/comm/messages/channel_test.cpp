// SPDX-License-Identifier: Apache-2.0
#include "comm/messages/channel.hpp"

#include <algorithm>
#include <chrono>
#include <random>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "base/threads.hpp"
#include "comm/ledger/wait_kinds.hpp"
#include "mpi_main.hpp"

namespace isobath {
namespace {

struct Record {
  std::int32_t round;
  std::int32_t source;
  std::int64_t number;
  friend auto operator<=>(const Record&, const Record&) = default;
};

/// How many records go from one rank to another in a round: often none, sometimes several messages.
std::int64_t records_of(int round, int from, int to) {
  std::mt19937 draw(static_cast<unsigned>(round * 10007 + from * 101 + to));
  const unsigned kind = draw() % 4;
  if (kind == 0) return 0;
  return static_cast<std::int64_t>(draw() % (kind == 1 ? 3 : kind == 2 ? 300 : 2000));
}

/// What has to arrive in a round at `to`, ascending.
std::vector<Record> expected_at(int round, int to, int ranks) {
  std::vector<Record> records;
  for (int from = 0; from < ranks; ++from) {
    if (from == to) continue;
    for (std::int64_t k = 0; k < records_of(round, from, to); ++k) records.push_back({round, from, k});
  }
  return records;
}

void expect_messages(const Traffic& traffic, int rounds, const Communicator& comm) {
  Traffic expected;
  for (int round = 0; round < rounds; ++round) {
    for (int other = 0; other < comm.size(); ++other) {
      if (other == comm.rank()) continue;
      const auto out = records_of(round, comm.rank(), other) * static_cast<std::int64_t>(sizeof(Record));
      expected.bytes_sent += out;
      expected.messages += (out + 4095) / 4096;
      expected.bytes_received +=
          records_of(round, other, comm.rank()) * static_cast<std::int64_t>(sizeof(Record));
    }
  }
  EXPECT_EQ(traffic.bytes_sent, expected.bytes_sent);
  EXPECT_EQ(traffic.messages, expected.messages);
  EXPECT_EQ(traffic.bytes_received, expected.bytes_received);
}

/// Rounds follow each other without any other communication, and ranks are late in turn: what a fast rank
/// sends for the next round must not be taken for this one.
void go_through_rounds(const Communicator& comm, int rounds) {
  Channel channel(comm, sizeof(Record), 1);
  const Traffic before = comm.traffic();
  for (int round = 0; round < rounds; ++round) {
    if (round % comm.size() == comm.rank()) std::this_thread::sleep_for(std::chrono::milliseconds(3));
    std::vector<Record> arrived;
    const auto take = [&](int source, std::span<const std::byte> bytes) {
      ASSERT_EQ(bytes.size() % sizeof(Record), 0U);
      std::vector<Record> records(bytes.size() / sizeof(Record));
      std::memcpy(records.data(), bytes.data(), bytes.size());
      for (const Record& record : records) EXPECT_EQ(record.source, source);
      arrived.insert(arrived.end(), records.begin(), records.end());
    };
    channel.open();
    for (int to = 0; to < comm.size(); ++to) {
      if (to == comm.rank()) continue;
      for (std::int64_t k = 0; k < records_of(round, comm.rank(), to); ++k) {
        channel.put(0, to, Record{round, comm.rank(), k});
        if (k % 100 == 0) channel.progress(take);
        while (channel.is_crowded()) channel.progress(take);
      }
    }
    channel.close(take);
    std::ranges::sort(arrived);
    EXPECT_EQ(arrived, expected_at(round, comm.rank(), comm.size())) << "round " << round;
  }
  expect_messages(comm.traffic() - before, rounds, comm);
}

TEST(Channel, DeliversEveryRecordInItsRound) { go_through_rounds(test::world(), 30); }

TEST(Channel, IsCountedAsWaitsome) {
  test::WaitKinds waits;
  Communicator comm(test::world().handle());
  comm.watch(&waits);
  comm.keep(&waits);
  go_through_rounds(comm, 12);  // somebody is late in each
  const std::pair<std::string, std::string> waitsome = {"MPI_Waitsome", "waitsome"};
  EXPECT_EQ(waits.found.contains(waitsome), comm.size() > 1);
  waits.found.erase(waitsome);
  EXPECT_TRUE(waits.found.empty());
}

/// Limits that cut messages, and records.
TEST(Channel, DeliversThemInPieces) {
  for (const std::int64_t limit : {4095, 40, 16, 5}) {
    const Communicator comm(test::world().handle(), {.bytes_per_call = limit, .prefer_large_counts = false});
    go_through_rounds(comm, limit < 100 ? 3 : 12);
  }
}

/// Any thread puts, one communicates. The number of messages does not depend on how many put.
TEST(Channel, TakesRecordsFromSeveralThreads) {
  const Communicator comm = test::world().split(0, test::world().rank());
  constexpr int team = 3;
  constexpr int rounds = 8;
  Channel channel(comm, sizeof(Record), team);
  const Traffic before = comm.traffic();
  for (int round = 0; round < rounds; ++round) {
    std::vector<Record> arrived;
    const auto take = [&](int, std::span<const std::byte> bytes) {
      const std::size_t first = arrived.size();
      arrived.resize(first + bytes.size() / sizeof(Record));
      std::memcpy(arrived.data() + first, bytes.data(), bytes.size());
    };
    channel.open();
    std::atomic<int> done = 0;
#pragma omp parallel num_threads(team)
    {
      const int me = thread_id();
      for (int to = 0; to < comm.size(); ++to) {
        if (to == comm.rank()) continue;
        for (std::int64_t k = me; k < records_of(round, comm.rank(), to); k += num_threads()) {
          channel.put(me, to, Record{round, comm.rank(), k});
          while (channel.is_crowded()) {
            if (me == 0) channel.progress(take);
            std::this_thread::yield();
          }
        }
      }
      ++done;
      while (me == 0 && done < num_threads()) {
        if (!channel.progress(take)) std::this_thread::yield();
      }
    }
    channel.close(take);
    std::ranges::sort(arrived);
    EXPECT_EQ(arrived, expected_at(round, comm.rank(), comm.size())) << "round " << round;
  }
  expect_messages(comm.traffic() - before, rounds, comm);
}

/// Threads that wait while it is crowded make the memory no larger than that, however late the one that sends
/// is: what each of them fills, and the one message that each may have begun to hand over, come on top.
TEST(Channel, HoldsNoMoreMessagesThanItSays) {
  const Communicator comm = test::world().split(0, test::world().rank());
  constexpr int team = 3;
  constexpr std::int64_t per_message = coalesced_bytes / sizeof(Record);
  Channel channel(comm, sizeof(Record), team);
  const std::int64_t others = comm.size() - 1;
  const std::int64_t bound = channel.most_unsent() + 1 + team + team * others + others;
  const std::int64_t records = others == 0 ? 0 : 2 * bound * per_message / others;  // of a thread to a rank
  for (int round = 0; round < 3; ++round) {
    std::int64_t arrived = 0;
    const auto take = [&](int, std::span<const std::byte> bytes) {
      arrived += std::ssize(bytes) / static_cast<std::int64_t>(sizeof(Record));
    };
    channel.open();
    std::atomic<int> done = 0;
#pragma omp parallel num_threads(team)
    {
      const int me = thread_id();
      const int writers = num_threads() - 1;
      if (me == 0) {
        while (done < writers && !channel.is_crowded()) std::this_thread::yield();
        while (done < writers) {
          if (!channel.progress(take)) std::this_thread::yield();
        }
      } else {
        for (std::int64_t k = 0; k < records; ++k) {
          for (int step = 1; step < comm.size(); ++step) {
            while (channel.is_crowded()) std::this_thread::yield();
            channel.put(me, (comm.rank() + step) % comm.size(), Record{round, comm.rank(), k});
          }
        }
        ++done;
      }
    }
    channel.close(take);
    EXPECT_EQ(arrived, others * (team - 1) * records);
    EXPECT_LE(channel.messages_held(), bound) << "round " << round;
  }
}

class Asked final : public CallWatcher {
 public:
  void entered(const char* /*call*/) noexcept override {}
  void rests() noexcept override {}
  void completed() noexcept override { ++found; }
  void left(bool is_complete) noexcept override { ++(is_complete ? complete : in_vain); }
  int found = 0;
  int complete = 0;
  int in_vain = 0;
};

/// A watchdog must not take a rank that asks again and again for one that makes progress.
TEST(Channel, SaysWhetherItFoundSomething) {
  if (test::world().size() == 1) GTEST_SKIP() << "alone, MPI is not asked";
  Communicator comm(test::world().handle());
  Asked asked;
  Channel channel(comm, sizeof(Record), 1);
  const auto nothing = [](int, std::span<const std::byte>) {};
  channel.open();
  comm.watch(&asked);

  for (int i = 0; i < 100; ++i) channel.progress(nothing);

  EXPECT_EQ(asked.in_vain, 100) << "nobody has sent anything";
  EXPECT_EQ(asked.complete, 0);
  EXPECT_EQ(asked.found, 0);
  comm.barrier();
  EXPECT_EQ(asked.complete, 1);
  channel.close(nothing);
  EXPECT_GT(asked.found, 0);
  EXPECT_GT(asked.complete, 1);
  EXPECT_EQ(asked.in_vain, 100);
}

}  // namespace
}  // namespace isobath
