// SPDX-License-Identifier: Apache-2.0
#include "apps/memory_limits.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace isobath {
namespace {

TEST(MemoryLimits, AreMeasuredAndPositive) {
  const MemoryRates rates = measure_memory(std::size_t{1} << 16, 0.001);
  EXPECT_EQ(rates.bytes, std::size_t{1} << 16);
  EXPECT_GT(rates.read_bytes, 1e6);
  EXPECT_GT(rates.write_bytes, 1e6);
  EXPECT_GT(rates.random_reads, 1e5);
  EXPECT_LT(rates.read_bytes, 1e15);  // what a pass that was left out would seem to give
  EXPECT_LT(rates.random_reads, 1e14);
}

TEST(MemoryLimits, AreWrittenByName) {
  const auto json = nlohmann::json::parse(json_of(3, {{.bytes = 4096, .read_bytes = 2.5}}));
  EXPECT_EQ(json.at("threads"), 3);
  EXPECT_EQ(json.at("rates").at(0).at("bytes"), 4096);
  EXPECT_EQ(json.at("rates").at(0).at("read_bytes_per_second"), 2.5);
}

}  // namespace
}  // namespace isobath
