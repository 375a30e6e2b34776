// SPDX-License-Identifier: Apache-2.0
#include "collectives/pattern.hpp"

#include <vector>

#include <gtest/gtest.h>

namespace isobath {
namespace {

constexpr std::int64_t elements = 700;  // longer than two periods

std::vector<std::byte> written(ElementType type, const SentBlock& block, Stamps stamps) {
  std::vector<std::byte> buffer(static_cast<std::size_t>((block.offset + block.count) * bytes_of(type)));
  Pattern(type, Operation::sum).write(buffer, block, stamps);
  return buffer;
}

TEST(Pattern, EveryElementIsTheOneThatItsFunctionNames) {
  for (int number = 0; number < 11; ++number) {
    const auto type = static_cast<ElementType>(number);
    const SentBlock block{.offset = 3, .count = elements, .source = 2, .destination = 5};
    const std::vector<std::byte> buffer = written(type, block, {.first = 9, .rest = 4});
    const Pattern pattern(type, Operation::sum);
    EXPECT_EQ(value_at(buffer, type, 3), pattern.sent_value(block, 0, 9));
    for (std::int64_t k = 1; k < elements; ++k) {
      ASSERT_EQ(value_at(buffer, type, 3 + k), pattern.sent_value(block, k, 4)) << name_of(type) << k;
    }
    const ExpectedBlock expected{.offset = 3, .count = elements, .source = 2, .destination = 5};
    EXPECT_FALSE(pattern.fault(buffer, expected, {.first = 9, .rest = 4}));
  }
}

TEST(Pattern, EachCorruptedByteIsNoticed) {
  const ElementType type = ElementType::int32;
  const Pattern pattern(type, Operation::sum);
  std::vector<std::byte> buffer = written(type, {.count = elements, .source = 1}, {.first = 1, .rest = 1});
  const ExpectedBlock expected{.count = elements, .source = 1};
  for (std::size_t at = 0; at < buffer.size(); ++at) {
    buffer[at] ^= std::byte{1};
    const std::optional<std::string> fault = pattern.fault(buffer, expected, {.first = 1, .rest = 1});
    ASSERT_TRUE(fault) << at;
    EXPECT_NE(fault->find("element " + std::to_string(at / 4) + " "), std::string::npos) << *fault;
    buffer[at] ^= std::byte{1};
  }
  EXPECT_FALSE(pattern.fault(buffer, expected, {.first = 1, .rest = 1}));
}

TEST(Pattern, SomebodyElsesBlockAnOldOneAndAShiftedOneAreNoticed) {
  for (const ElementType type : {ElementType::plain_byte, ElementType::double_precision}) {
    const Pattern pattern(type, Operation::sum);
    const Stamps now{.first = 8, .rest = 8};
    const ExpectedBlock expected{.count = elements, .source = 1, .destination = 2};
    EXPECT_FALSE(
        pattern.fault(written(type, {.count = elements, .source = 1, .destination = 2}, now), expected, now));
    EXPECT_TRUE(
        pattern.fault(written(type, {.count = elements, .source = 0, .destination = 2}, now), expected, now));
    EXPECT_TRUE(
        pattern.fault(written(type, {.count = elements, .source = 1, .destination = 3}, now), expected, now));
    const Stamps old{.first = 7, .rest = 7};
    EXPECT_TRUE(
        pattern.fault(written(type, {.count = elements, .source = 1, .destination = 2}, old), expected, now));
    std::vector<std::byte> shifted =
        written(type, {.count = elements + 1, .source = 1, .destination = 2}, now);
    shifted.erase(shifted.begin(), shifted.begin() + bytes_of(type));
    EXPECT_TRUE(pattern.fault(shifted, expected, now));
    std::vector<std::byte> empty(static_cast<std::size_t>(elements * bytes_of(type)));
    poison(empty);
    EXPECT_TRUE(pattern.fault(empty, expected, now));
  }
}

TEST(Pattern, TheStampAloneTellsRepetitionsApart) {
  const Pattern pattern(ElementType::plain_byte, Operation::sum);
  std::vector<std::byte> buffer =
      written(ElementType::plain_byte, {.count = elements}, {.first = 3, .rest = 0});
  EXPECT_TRUE(pattern.fault(buffer, {.count = elements}, {.first = 4, .rest = 0}));
  pattern.write_stamp(buffer, {.count = elements}, 4);
  EXPECT_FALSE(pattern.fault(buffer, {.count = elements}, {.first = 4, .rest = 0}));
}

TEST(Pattern, ReductionsOfAllRanksAreExactInEveryType) {
  for (int number = 0; number < 11; ++number) {
    const auto type = static_cast<ElementType>(number);
    for (int which = 0; which < 10; ++which) {
      const auto operation = static_cast<Operation>(which);
      if (!is_defined(operation, type)) continue;
      const Pattern pattern(type, operation);
      const ExpectedBlock all{
          .kind = ExpectedBlock::Kind::combined, .count = elements, .first_index = 40, .end_rank = 6};
      std::vector<std::byte> buffer(static_cast<std::size_t>(elements * bytes_of(type)));
      for (std::int64_t k = 0; k < elements; ++k) {
        std::int64_t value = 0;
        for (int rank = 0; rank < 6; ++rank) {
          const SentBlock block{.count = elements, .source = rank, .first_index = 40, .is_combined = true};
          const std::int64_t mine = pattern.sent_value(block, k, 5);
          value = rank == 0 ? mine : combined(operation, value, mine);
        }
        put_value(buffer, type, k, value);
      }
      EXPECT_FALSE(pattern.fault(buffer, all, {.first = 5, .rest = 5}))
          << name_of(type) << name_of(operation);
      ExpectedBlock fewer = all;
      fewer.end_rank = 5;
      EXPECT_TRUE(pattern.fault(buffer, fewer, {.first = 5, .rest = 5}))
          << name_of(type) << name_of(operation);
    }
  }
}

TEST(Pattern, WhatNobodyMayWriteIsWatched) {
  std::vector<std::byte> buffer(64);
  poison(buffer);
  const Pattern pattern(ElementType::plain_byte, Operation::bor);
  const ExpectedBlock untouched{.kind = ExpectedBlock::Kind::untouched, .count = 64};
  EXPECT_FALSE(pattern.fault(buffer, untouched, {}));
  buffer[17] = std::byte{0};
  EXPECT_TRUE(pattern.fault(buffer, untouched, {}));
}

}  // namespace
}  // namespace isobath
