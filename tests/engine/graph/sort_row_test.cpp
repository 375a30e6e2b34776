// SPDX-License-Identifier: Apache-2.0
#include "graph/sort_row.hpp"

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace isobath {
namespace {

std::vector<std::uint32_t> sorted_unique(std::vector<std::uint32_t> keys) {
  std::sort(keys.begin(), keys.end());
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  return keys;
}

void expect_sorted(std::vector<std::uint32_t> keys, int key_bits, std::vector<std::uint32_t>& scratch) {
  const std::vector<std::uint32_t> expected = sorted_unique(keys);
  const std::size_t count = keys.size();
  keys.push_back(0xDEADBEEF);  // not the row's any more
  const std::uint32_t left = sort_unique(keys.data(), static_cast<std::uint32_t>(count), key_bits, scratch);
  ASSERT_EQ(left, expected.size()) << count << " keys of " << key_bits << " bits";
  ASSERT_TRUE(std::equal(expected.begin(), expected.end(), keys.begin()))
      << count << " keys of " << key_bits << " bits";
  ASSERT_EQ(keys.back(), 0xDEADBEEF);
}

std::vector<std::uint32_t> random_keys(std::mt19937_64& draw, std::size_t count, int key_bits) {
  std::vector<std::uint32_t> keys(count);
  for (std::uint32_t& key : keys) key = static_cast<std::uint32_t>(draw() >> (64 - key_bits));
  return keys;
}

TEST(SortUnique, EqualsTheStandardLibraryAtEveryLengthAndWidth) {
  std::mt19937_64 draw(1);
  std::vector<std::uint32_t> scratch;  // one for all: it is dirty from the row before
  for (int key_bits = 1; key_bits <= 32; ++key_bits) {
    for (std::size_t count = 0; count <= 140; ++count) {
      ASSERT_NO_FATAL_FAILURE(expect_sorted(random_keys(draw, count, key_bits), key_bits, scratch));
    }
    for (const std::size_t count : {255U, 256U, 257U, 1000U, 4096U, 4097U, 20000U}) {
      ASSERT_NO_FATAL_FAILURE(expect_sorted(random_keys(draw, count, key_bits), key_bits, scratch));
    }
  }
}

TEST(SortUnique, SortsRowsInEveryOrder) {
  std::vector<std::uint32_t> scratch;
  for (const std::uint32_t count : {1U, 2U, 39U, 40U, 41U, 63U, 64U, 65U, 300U, 70000U}) {
    std::vector<std::uint32_t> keys(count);
    for (std::uint32_t i = 0; i < count; ++i) keys[i] = i;
    expect_sorted(keys, 17, scratch);
    std::reverse(keys.begin(), keys.end());
    expect_sorted(keys, 17, scratch);
    for (std::uint32_t i = 0; i < count; ++i) keys[i] = i / 2;
    expect_sorted(keys, 17, scratch);
    expect_sorted(std::vector<std::uint32_t>(count, 5), 3, scratch);
    expect_sorted(std::vector<std::uint32_t>(count, 0xFFFFFFFF), 32, scratch);
    for (std::uint32_t i = 0; i < count; ++i) keys[i] = i % 2 == 0 ? 0U : 0xFFFFFFFFU;
    expect_sorted(keys, 32, scratch);
  }
}

}  // namespace
}  // namespace isobath
