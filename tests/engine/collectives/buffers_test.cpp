// SPDX-License-Identifier: Apache-2.0
#include "collectives/buffers.hpp"

#include <cstring>

#include <gtest/gtest.h>

#include "base/error.hpp"

namespace isobath {
namespace {

constexpr ElementType element = ElementType::int16;

/// A rank that sends 100 elements to itself.
Layout layout() {
  Layout made;
  made.send_elements = 100;
  made.receive_elements = 100;
  made.sent = {{.count = 100, .source = 3}};
  made.expected = {{.count = 100, .source = 3}};
  return made;
}

void deliver(BufferSets& buffers, int set) {
  const BareArguments arguments = buffers.arguments(set);
  std::memcpy(arguments.receive, arguments.send, 200);
}

TEST(BufferSets, AreRightWhenWhatWasSentHasArrivedAndOnlyThen) {
  BufferSets buffers(layout(), Pattern(element, Operation::sum), element, 3);
  for (int set = 0; set < 3; ++set) {
    EXPECT_TRUE(buffers.fault(set)) << "nothing has arrived yet";
    deliver(buffers, set);
    EXPECT_FALSE(buffers.fault(set)) << buffers.fault(set).value_or("");
  }
  buffers.stamp(1, 7);
  EXPECT_TRUE(buffers.fault(1)) << "the repetition before";
  EXPECT_FALSE(buffers.fault(2));
  deliver(buffers, 1);
  EXPECT_FALSE(buffers.fault(1));
  buffers.fill(1, 8);
  EXPECT_TRUE(buffers.fault(1)) << "wiped out";
}

TEST(BufferSets, NoticeEveryCorruptedByteAndTheGuard) {
  BufferSets buffers(layout(), Pattern(element, Operation::sum), element, 1);
  deliver(buffers, 0);
  for (std::size_t at = 0; at < 264; ++at) {
    buffers.receive_bytes(0)[at] ^= std::byte{4};
    const std::optional<std::string> fault = buffers.fault(0);
    ASSERT_TRUE(fault) << at;
    EXPECT_EQ(fault->find("behind the 200 bytes") != std::string::npos, at >= 200) << *fault;
    buffers.receive_bytes(0)[at] ^= std::byte{4};
  }
  EXPECT_FALSE(buffers.fault(0));
}

TEST(BufferSets, OffCacheOnesAreTwiceTheCacheInAll) {
  EXPECT_EQ(sets_for(BufferMode::warm, 8192, 1 << 20, 2), 1);
  EXPECT_EQ(sets_for(BufferMode::dirty, 8192, 1 << 20, 2), 1);
  EXPECT_GE(sets_for(BufferMode::offcache, 8192, 1 << 20, 2) * 2 * 8192, 2 << 20);
  EXPECT_EQ(sets_for(BufferMode::offcache, std::int64_t{1} << 30, 1 << 20, 1), 2) << "at least one other";
}

TEST(BufferSets, ModesHaveNames) {
  for (const char* name : {"warm", "offcache", "dirty"}) EXPECT_EQ(name_of(parse_buffer_mode(name)), name);
  EXPECT_THROW(parse_buffer_mode("hot"), UsageError);
}

}  // namespace
}  // namespace isobath
