// SPDX-License-Identifier: Apache-2.0
#include "graph/sort_row.hpp"

#include <algorithm>
#include <cstdint>
#include <random>
#include <span>
#include <vector>

#include <gtest/gtest.h>

namespace isobath {
namespace {

std::vector<std::uint32_t> sorted_unique(std::vector<std::uint32_t> keys) {
  std::sort(keys.begin(), keys.end());
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  return keys;
}

bool is_permuted(std::vector<std::uint32_t> row, std::span<const std::uint32_t> sorted) {
  std::sort(row.begin(), row.end());
  return std::equal(row.begin(), row.end(), sorted.begin());
}

/// Both ways; the sorter is dirty from the row before.
void expect_sorted(const std::vector<std::uint32_t>& row, int key_bits, RowSorter& sorter) {
  constexpr std::uint32_t not_of_the_row = 0xDEADBEEF;
  const auto count = static_cast<std::uint32_t>(row.size());
  std::vector<std::uint32_t> keys = row;
  keys.push_back(not_of_the_row);
  const std::vector<std::uint32_t> expected = sorted_unique(row);
  const std::uint32_t left = sorter.sort_unique(keys.data(), count);
  ASSERT_EQ(left, expected.size()) << count << " keys of " << key_bits << " bits";
  ASSERT_TRUE(std::equal(expected.begin(), expected.end(), keys.begin()))
      << count << " keys of " << key_bits << " bits";
  ASSERT_EQ(keys.back(), not_of_the_row);
  std::vector<std::uint32_t> with_copies = row;
  with_copies.push_back(not_of_the_row);
  sorter.sort(with_copies.data(), count);
  ASSERT_TRUE(std::is_sorted(with_copies.begin(), with_copies.end() - 1)) << count << " keys";
  ASSERT_TRUE(is_permuted(row, with_copies)) << count << " keys";
  ASSERT_EQ(with_copies.back(), not_of_the_row);
}

std::vector<std::uint32_t> random_keys(std::mt19937_64& draw, std::size_t count, int key_bits) {
  std::vector<std::uint32_t> keys(count);
  for (std::uint32_t& key : keys) key = static_cast<std::uint32_t>(draw() >> (64 - key_bits));
  return keys;
}

TEST(SortUnique, EqualsTheStandardLibraryAtEveryLengthAndWidth) {
  std::mt19937_64 draw(1);
  for (int key_bits = 1; key_bits <= 32; ++key_bits) {
    RowSorter sorter(key_bits);
    for (std::size_t count = 0; count <= 140; ++count) {
      ASSERT_NO_FATAL_FAILURE(expect_sorted(random_keys(draw, count, key_bits), key_bits, sorter));
    }
    for (const std::size_t count : {255U, 256U, 257U, 1000U, 4096U, 4097U, 20000U}) {
      ASSERT_NO_FATAL_FAILURE(expect_sorted(random_keys(draw, count, key_bits), key_bits, sorter));
    }
  }
}

TEST(SortUnique, SortsRowsInEveryOrder) {
  RowSorter three(3);
  RowSorter seventeen(17);
  RowSorter all(32);
  for (const std::uint32_t count : {1U, 2U, 39U, 40U, 41U, 63U, 64U, 65U, 300U, 70000U}) {
    std::vector<std::uint32_t> keys(count);
    for (std::uint32_t i = 0; i < count; ++i) keys[i] = i;
    expect_sorted(keys, 17, seventeen);
    std::reverse(keys.begin(), keys.end());
    expect_sorted(keys, 17, seventeen);
    for (std::uint32_t i = 0; i < count; ++i) keys[i] = i / 2;
    expect_sorted(keys, 17, seventeen);
    expect_sorted(std::vector<std::uint32_t>(count, 5), 3, three);
    expect_sorted(std::vector<std::uint32_t>(count, 0xFFFFFFFF), 32, all);
    for (std::uint32_t i = 0; i < count; ++i) keys[i] = i % 2 == 0 ? 0U : 0xFFFFFFFFU;
    expect_sorted(keys, 32, all);
  }
}

}  // namespace
}  // namespace isobath
