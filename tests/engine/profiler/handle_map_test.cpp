// SPDX-License-Identifier: Apache-2.0
// The map of handles against the standard library's, whatever is inserted and erased in which order.
#include "profiler/handle_map.hpp"

#include <map>
#include <random>

#include <gtest/gtest.h>

namespace isobath::profiler {
namespace {

TEST(HandleMap, KnowsWhatAStandardMapKnows) {
  std::mt19937_64 draw(5);
  HandleMap<int> handles(100000);
  std::map<std::uintptr_t, int> expected;
  for (int step = 0; step < 30000; ++step) {
    const std::uintptr_t key = 0x7F0000001000 + draw() % 700 * 64;  // handles are addresses, or small numbers
    if (draw() % 3 == 0) {
      handles.erase(key);
      expected.erase(key);
    } else {
      handles.insert(key, step);
      expected[key] = step;
    }
    ASSERT_EQ(handles.size(), expected.size());
    if (step % 97 != 0) continue;
    for (std::uintptr_t k = 0; k < 700; ++k) {
      const int* const known = handles.find(0x7F0000001000 + k * 64);
      const auto at = expected.find(0x7F0000001000 + k * 64);
      ASSERT_EQ(known != nullptr, at != expected.end());
      if (known != nullptr) {
        ASSERT_EQ(*known, at->second);
      }
    }
  }
  EXPECT_EQ(handles.left_out(), 0);
}

TEST(HandleMap, CountsWhatDoesNotFit) {
  HandleMap<int> handles(3);
  for (std::uintptr_t key = 1; key <= 5; ++key) handles.insert(key, static_cast<int>(key));
  EXPECT_EQ(handles.size(), 3U);
  EXPECT_EQ(handles.left_out(), 2);
  EXPECT_EQ(handles.find(4), nullptr);
  handles.insert(2, 20);  // replaced, not added
  EXPECT_EQ(*handles.find(2), 20);
  EXPECT_EQ(handles.left_out(), 2);
  handles.erase(1);
  handles.insert(6, 6);
  EXPECT_EQ(*handles.find(6), 6);
}

}  // namespace
}  // namespace isobath::profiler
