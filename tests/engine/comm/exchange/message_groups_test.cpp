// SPDX-License-Identifier: Apache-2.0
// Messages that threads group or list, and what arrives of them, in which order.
#include "comm/exchange/message_groups.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "base/threads.hpp"
#include "comm/exchange/message_lists.hpp"
#include "mpi_main.hpp"

namespace isobath {
namespace {

struct Numbered {
  std::int32_t from;
  std::int32_t to;
  std::int64_t number;
  friend bool operator==(const Numbered&, const Numbered&) = default;
};

/// Rank r has 5 r + 3 messages; number k goes to rank k (r + 2) mod P, so that some ranks get none of some.
int num_messages(int rank) { return 5 * rank + 3; }
Numbered message(int rank, int number, int ranks) { return {rank, number * (rank + 2) % ranks, number}; }

/// What this rank gets, by sender and in the sender's order; without its own where they stay.
std::vector<Numbered> expected(const Communicator& comm, bool with_own) {
  std::vector<Numbered> found;
  for (int rank = 0; rank < comm.size(); ++rank) {
    if (rank == comm.rank() && !with_own) continue;
    for (int k = 0; k < num_messages(rank); ++k) {
      const Numbered one = message(rank, k, comm.size());
      if (one.to == comm.rank()) found.push_back(one);
    }
  }
  return found;
}

class MessagesOf : public ::testing::TestWithParam<OwnMessages> {};

TEST_P(MessagesOf, ArriveBySenderInItsOrder) {
  const Communicator& world = test::world();
  MessageGroups groups(world, GetParam());
  for (int time = 0; time < 2; ++time) {  // counts of the first time are forgotten
    std::vector<Numbered> grouped;
#pragma omp parallel
    {
      const auto [first, end] = static_share(num_messages(world.rank()), thread_id(), num_threads());
      const auto visit = [&, first = first, end = end](auto&& act) {
        for (std::int64_t k = first; k < end; ++k)
          act(message(world.rank(), static_cast<int>(k), world.size()));
      };
      groups.group(
          [&](std::span<std::int64_t> at) {
            visit([&](const Numbered& one) { ++at[static_cast<std::size_t>(one.to)]; });
          },
          [&](std::size_t count) { grouped.resize(count); },
          [&](std::span<std::int64_t> at) {
            visit([&](const Numbered& one) {
              grouped[static_cast<std::size_t>(at[static_cast<std::size_t>(one.to)]++)] = one;
            });
          });
    }
    ASSERT_EQ(std::ssize(grouped), num_messages(world.rank()));
    const auto own = static_cast<std::size_t>(groups.counts()[static_cast<std::size_t>(world.rank())]);
    std::vector<Numbered> room;
    const std::span<const Numbered> arrived =
        groups.send(std::span<const Numbered>(grouped), [&](std::size_t count) {
          room.resize(count);
          return std::span(room);
        });

    const bool travel = GetParam() == OwnMessages::travel;
    EXPECT_EQ(std::vector(arrived.begin(), arrived.end()), expected(world, travel));
    if (travel) continue;
    for (const Numbered& one : std::span(grouped).last(own)) EXPECT_EQ(one.to, world.rank());
  }
}

/// Two goes: first a third of the messages, then the others.
TEST_P(MessagesOf, ArriveBehindEachOtherInSeveralGoes) {
  const Communicator& world = test::world();
  const bool travel = GetParam() == OwnMessages::travel;
  const std::vector<Numbered> all = expected(world, travel);
  std::vector<std::int64_t> next;  // of every sender, and the end
  for (int rank = 0; rank <= world.size(); ++rank) {
    next.push_back(std::ranges::count_if(all, [&](const Numbered& each) { return each.from < rank; }));
  }
  const std::vector<std::int64_t> ends(next.begin() + 1, next.end());
  next.pop_back();
  MessageGroups groups(world, GetParam());
  std::vector<Numbered> arrived(all.size());
  const int third = num_messages(world.rank()) / 3;
  for (const auto& [first, end] : {std::pair(0, third), std::pair(third, num_messages(world.rank()))}) {
    std::vector<Numbered> grouped;
    groups.group(
        [&](std::span<std::int64_t> at) {
          for (int k = first; k < end; ++k)
            ++at[static_cast<std::size_t>(message(world.rank(), k, world.size()).to)];
        },
        [&](std::size_t count) { grouped.resize(count); },
        [&](std::span<std::int64_t> at) {
          for (int k = first; k < end; ++k) {
            const Numbered each = message(world.rank(), k, world.size());
            grouped[static_cast<std::size_t>(at[static_cast<std::size_t>(each.to)]++)] = each;
          }
        });
    groups.send_more(std::span<const Numbered>(grouped), std::span(arrived), next);
  }
  EXPECT_EQ(arrived, all);
  EXPECT_EQ(next, ends);
}

INSTANTIATE_TEST_SUITE_P(All, MessagesOf, ::testing::Values(OwnMessages::travel, OwnMessages::stay));

TEST(MessageLists, ArriveBySenderAndThreadOnce) {
  const Communicator& world = test::world();
  MessageLists<Numbered> lists(world, 2);
  // The second thread's messages are added first, and arrive behind the first one's.
  for (const std::size_t thread : {std::size_t{1}, std::size_t{0}}) {
    for (int k = static_cast<int>(thread) * 2; k < (thread == 0 ? 2 : num_messages(world.rank())); ++k) {
      const Numbered one = message(world.rank(), k, world.size());
      lists.add(one.to, one, thread);
    }
  }

  EXPECT_EQ(lists.send(), expected(world, true));
  EXPECT_EQ(lists.send(), std::vector<Numbered>());
}

}  // namespace
}  // namespace isobath
