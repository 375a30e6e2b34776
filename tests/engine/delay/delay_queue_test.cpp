// SPDX-License-Identifier: Apache-2.0
#include "delay/delay_queue.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

namespace isobath {
namespace {

constexpr std::int64_t latency = 200;
constexpr std::size_t limit = 3;

/// A frame that is known again by its content and length.
std::vector<std::byte> frame(int content, std::size_t size = 64) {
  return std::vector<std::byte>(size, static_cast<std::byte>(content));
}

/// Sender, due time, content and length of what goes on at a time.
using Sent = std::vector<std::tuple<std::size_t, std::int64_t, int, std::size_t>>;

Sent sent_at(DelayQueue& queue, std::int64_t now) {
  Sent sent;
  queue.send_due(now, [&sent](std::size_t sender, std::int64_t due, std::span<const std::byte> bytes) {
    sent.emplace_back(sender, due, std::to_integer<int>(bytes.back()), bytes.size());
  });
  return sent;
}

TEST(DelayQueue, NothingWaitsInTheBeginning) {
  DelayQueue queue(2, latency, limit);

  EXPECT_EQ(queue.next_due(), std::nullopt);
  EXPECT_EQ(sent_at(queue, 1'000'000), Sent{});
}

TEST(DelayQueue, AFrameGoesOnAfterTheLatencyAndNotBefore) {
  DelayQueue queue(2, latency, limit);
  EXPECT_TRUE(queue.push(1, 1000, frame(7, 1514)));

  EXPECT_EQ(queue.next_due(), 1200);
  EXPECT_EQ(sent_at(queue, 1199), Sent{});
  EXPECT_EQ(sent_at(queue, 1200), (Sent{{1, 1200, 7, 1514}}));
  EXPECT_EQ(queue.next_due(), std::nullopt);
}

TEST(DelayQueue, FramesOfASenderGoOnInTheOrderInWhichTheyCame) {
  DelayQueue queue(1, latency, 100);
  for (int i = 0; i < 100; ++i) EXPECT_TRUE(queue.push(0, 10 * i, frame(i)));

  const Sent first = sent_at(queue, latency + 500);
  const Sent others = sent_at(queue, latency + 5000);

  ASSERT_EQ(first.size(), 51U);
  ASSERT_EQ(others.size(), 49U);
  for (int i = 0; i < 51; ++i) EXPECT_EQ(std::get<2>(first[static_cast<std::size_t>(i)]), i);
  for (int i = 51; i < 100; ++i) EXPECT_EQ(std::get<2>(others[static_cast<std::size_t>(i - 51)]), i);
}

TEST(DelayQueue, AClockThatIsSetBackLetsNoFrameOvertake) {
  DelayQueue queue(1, latency, limit);
  queue.push(0, 1000, frame(1));
  queue.push(0, 400, frame(2));

  EXPECT_EQ(sent_at(queue, 1199), Sent{});
  EXPECT_EQ(sent_at(queue, 1200), (Sent{{0, 1200, 1, 64}, {0, 1200, 2, 64}}));
}

TEST(DelayQueue, OfSeveralSendersThatGoesFirstWhichIsDueFirst) {
  DelayQueue queue(3, latency, limit);
  // Read port by port, as sockets are.
  queue.push(0, 30, frame(3));
  queue.push(0, 50, frame(5));
  queue.push(1, 10, frame(1));
  queue.push(1, 40, frame(4));
  queue.push(2, 20, frame(2));

  EXPECT_EQ(queue.next_due(), 210);
  EXPECT_EQ(sent_at(queue, 245), (Sent{{1, 210, 1, 64}, {2, 220, 2, 64}, {0, 230, 3, 64}, {1, 240, 4, 64}}));
  EXPECT_EQ(queue.next_due(), 250);
}

TEST(DelayQueue, BeyondItsLimitFramesOfASenderAreLostAndOthersAreNot) {
  DelayQueue queue(2, latency, limit);
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(queue.push(0, i, frame(i)));

  EXPECT_FALSE(queue.push(0, 3, frame(3)));
  EXPECT_TRUE(queue.push(1, 3, frame(9)));
  EXPECT_EQ(sent_at(queue, 1000).size(), 4U);
  EXPECT_TRUE(queue.push(0, 1000, frame(4)));  // there is room again
}

TEST(DelayQueue, WhatIsLongerThanAFrameIsLost) {
  DelayQueue queue(1, latency, limit);

  EXPECT_TRUE(queue.push(0, 0, frame(1, largest_frame)));
  EXPECT_FALSE(queue.push(0, 0, frame(2, largest_frame + 1)));
  EXPECT_EQ(sent_at(queue, 1000), (Sent{{0, 200, 1, largest_frame}}));
}

}  // namespace
}  // namespace isobath
