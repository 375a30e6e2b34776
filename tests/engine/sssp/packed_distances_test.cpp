// SPDX-License-Identifier: Apache-2.0
#include "sssp/packed_distances.hpp"

#include <map>
#include <vector>

#include <gtest/gtest.h>

namespace isobath {
namespace {

/// Of 64 vertices: bits take 8 bytes, all distances 256.
TEST(PackedDistances, TakeTheLeastBytes) {
  struct Case {
    std::int64_t lowered;
    DistanceForm form;
    std::int64_t bytes;
  };
  for (const auto& [lowered, form, bytes] :
       {Case{0, DistanceForm::list, 0}, Case{1, DistanceForm::list, 8}, Case{2, DistanceForm::list, 16},
        Case{3, DistanceForm::bits, 20}, Case{61, DistanceForm::bits, 252}, Case{62, DistanceForm::all, 256},
        Case{64, DistanceForm::all, 256}}) {
    EXPECT_EQ(form_of_distances(lowered, 64), form) << lowered;
    EXPECT_EQ(bytes_of_distances(lowered, 64), bytes) << lowered;
  }
  EXPECT_EQ(bytes_of_distances(0, 0), 0);
  EXPECT_EQ(bytes_of_bits(33), 8);
}

std::vector<std::byte> written_one_by_one(const std::map<std::uint32_t, float>& lowered,
                                          std::int64_t vertices) {
  std::vector<std::byte> bytes(static_cast<std::size_t>(bytes_of_distances(std::ssize(lowered), vertices)));
  write_distances_of(
      std::ssize(lowered), vertices,
      [&](auto&& write) {
        for (const auto& [vertex, distance] : lowered) write(vertex, distance);
      },
      bytes.data());
  return bytes;
}

TEST(PackedDistances, AreReadAsTheyWereWritten) {
  for (const std::int64_t vertices : {1, 15, 16, 33, 100, 1000}) {
    std::vector<float> distance;
    for (std::int64_t v = 0; v < vertices; ++v) distance.push_back(static_cast<float>(v) + 0.5F);
    for (const std::uint32_t every : {1U, 2U, 3U, 31U, 200U}) {
      std::vector<std::uint16_t> lowered(static_cast<std::size_t>((vertices + 15) / 16), 0);
      std::map<std::uint32_t, float> wanted;
      for (std::uint32_t v = 0; v < vertices; v += every) {
        lowered[v / 16] = static_cast<std::uint16_t>(lowered[v / 16] | 1U << v % 16);
        wanted[v] = distance[v];
      }
      const std::int64_t count = count_lowered(lowered);
      ASSERT_EQ(count, std::ssize(wanted));
      std::vector<std::byte> bytes(static_cast<std::size_t>(bytes_of_distances(count, vertices)));
      write_distances(lowered, count, distance, bytes.data());
      const std::vector<std::byte> one_by_one = written_one_by_one(wanted, vertices);
      std::map<std::uint32_t, float> found;
      read_distances(bytes.data(), count, vertices,
                     [&](std::uint32_t vertex, float value) { found[vertex] = value; });
      if (form_of_distances(count, vertices) == DistanceForm::all) {
        ASSERT_EQ(std::ssize(found), vertices);
        for (const auto& [vertex, value] : found) EXPECT_EQ(value, distance[vertex]);
        std::map<std::uint32_t, float> also;
        read_distances(one_by_one.data(), count, vertices, [&](std::uint32_t vertex, float value) {
          if (value < unreached) also[vertex] = value;
        });
        EXPECT_EQ(also, wanted) << "others are as far as can be";
      } else {
        EXPECT_EQ(one_by_one, bytes);
        EXPECT_EQ(found, wanted) << vertices << " vertices, one in " << every;
      }
    }
  }
}

}  // namespace
}  // namespace isobath
