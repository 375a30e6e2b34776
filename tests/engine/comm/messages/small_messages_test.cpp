// SPDX-License-Identifier: Apache-2.0
#include "comm/messages/small_messages.hpp"

#include <cstring>
#include <vector>

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "comm/bare/progress_thread.hpp"
#include "mpi_main.hpp"

namespace isobath::test {
namespace {

struct Numbered {
  std::int64_t from;
  std::int64_t number;
};

TEST(SmallMessages, ArriveWholeAndInOrderFromEachRank) {
  constexpr std::int64_t each = 200;
  SmallMessages messages(world(), 4);
  const int others = world().size() - 1;
  for (std::int64_t number = 0; number < each; ++number) {
    for (int to = 0; to < world().size(); ++to) {
      if (to == world().rank()) continue;
      const Numbered one{.from = world().rank(), .number = number};
      messages.send(to, std::as_bytes(std::span(&one, 1)));
    }
  }
  std::vector<std::int64_t> next(static_cast<std::size_t>(world().size()), 0);
  for (std::int64_t i = 0; i < each * others; ++i) {
    const SmallMessages::Arrived arrived = messages.receive();
    Numbered one{};
    ASSERT_EQ(arrived.bytes.size(), sizeof one);
    std::memcpy(&one, arrived.bytes.data(), sizeof one);
    EXPECT_EQ(one.from, arrived.source);
    EXPECT_EQ(one.number, next[static_cast<std::size_t>(arrived.source)]++);
  }
  while (!messages.all_sent()) {
  }
  EXPECT_FALSE(messages.poll().has_value());
  world().barrier();
}

TEST(SmallMessages, MayBeEmptyAndMayNotBeLong) {
  SmallMessages messages(world(), 1);
  const std::vector<std::byte> long_one(257);
  EXPECT_THROW(messages.send((world().rank() + 1) % std::max(2, world().size()), long_one), InternalError);
  if (world().size() == 1) return;
  messages.send((world().rank() + 1) % world().size(), {});
  EXPECT_TRUE(messages.receive().bytes.empty());
  world().barrier();
}

TEST(ProgressThread, NeedsALevelThatTheTestsDoNotAskFor) {
  EXPECT_THROW(ProgressThread(world(), std::nullopt), MpiError);
}

}  // namespace
}  // namespace isobath::test
