// SPDX-License-Identifier: Apache-2.0
#include "base/arena.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "base/error.hpp"

namespace isobath {
namespace {

constexpr std::size_t huge_page = std::size_t{2} << 20;

bool all_zero(const LargeArray<unsigned char>& array) {
  return std::all_of(array.begin(), array.end(), [](unsigned char byte) { return byte == 0; });
}

TEST(LargeArray, IsZeroedAndWritable) {
  for (const std::size_t size : {std::size_t{1}, std::size_t{4095}, std::size_t{4096}, huge_page - 1,
                                 huge_page, huge_page + 1, 3 * huge_page + 12345}) {
    LargeArray<unsigned char> array(size);
    ASSERT_EQ(array.size(), size);
    EXPECT_TRUE(all_zero(array)) << size;
    std::fill(array.begin(), array.end(), static_cast<unsigned char>(0xAB));
    EXPECT_EQ(array[0], 0xAB);
    EXPECT_EQ(array[size - 1], 0xAB);
  }
}

TEST(LargeArray, IsAlignedToHugePagesWhereItIsLarge) {
  std::vector<LargeArray<std::uint64_t>> arrays;  // several at once: one alone may be aligned by chance
  for (std::size_t i = 0; i < 8; ++i) {
    arrays.emplace_back(huge_page / 8 * (i + 1) + i);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(arrays.back().data()) % huge_page, 0U);
  }
  const LargeArray<char> small(100);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(small.data()) % 4096, 0U);
}

TEST(LargeArray, OfNothingIsEmpty) {
  const LargeArray<int> none(0);
  EXPECT_EQ(none.size(), 0U);
  EXPECT_EQ(none.data(), nullptr);
  EXPECT_TRUE(none.span().empty());
  EXPECT_EQ(LargeArray<int>().size(), 0U);
}

TEST(LargeArray, MovesWithoutCopying) {
  LargeArray<int> first(1000);
  first[999] = 7;
  const int* const address = first.data();
  LargeArray<int> second = std::move(first);
  EXPECT_EQ(second.data(), address);
  EXPECT_EQ(second[999], 7);
  EXPECT_EQ(first.size(), 0U);  // NOLINT(bugprone-use-after-move): empty is what is promised
  LargeArray<int> third(5);
  third = std::move(second);
  EXPECT_EQ(third.size(), 1000U);
  EXPECT_EQ(third.span()[999], 7);
}

TEST(LargeArray, KeepsWhatItIsShrunkTo) {
  for (const std::size_t size :
       {std::size_t{1}, std::size_t{5000}, huge_page - 1, huge_page, 5 * huge_page}) {
    for (const std::size_t kept : {std::size_t{0}, std::size_t{1}, size / 2, size - 1, size}) {
      LargeArray<unsigned char> array(size);
      std::fill(array.begin(), array.end(), static_cast<unsigned char>(1));
      array.shrink(size + 1);  // nothing to give back
      EXPECT_EQ(array.size(), size);
      array.shrink(kept);
      ASSERT_EQ(array.size(), kept);
      EXPECT_EQ(std::count(array.begin(), array.end(), 1), static_cast<std::ptrdiff_t>(kept));
    }
  }
}

TEST(LargeArray, GivesWhatItIsShrunkByBackToTheSystem) {
  const auto mapped = [](const unsigned char* address) {
    return msync(const_cast<unsigned char*>(address), 1, MS_ASYNC) == 0;
  };
  LargeArray<unsigned char> array(3 * huge_page);
  const unsigned char* const begin = array.data();
  array.shrink(huge_page + 1);
  EXPECT_TRUE(mapped(begin + huge_page));
  EXPECT_FALSE(mapped(begin + 2 * huge_page));
}

TEST(Arena, RefusesWhatNoMachineHas) {
  try {
    LargeArray<char> array(std::size_t{1} << 60);
    FAIL() << "mapped " << array.size() << " bytes";
  } catch (const EnvironmentError& error) {
    EXPECT_NE(std::string(error.what()).find("the system refused 1152921504606846976 bytes"),
              std::string::npos);
  }
}

TEST(Arena, GivesWholePagesBackAndTheyReadAsZero) {
  LargeArray<unsigned char> array(4 * huge_page);
  std::fill(array.begin(), array.end(), static_cast<unsigned char>(1));

  arena::release_pages(array.data() + 100, 3 * huge_page);  // holds the second and third page whole

  for (std::size_t i = 0; i < array.size(); ++i) {
    ASSERT_EQ(array[i], i / huge_page == 1 || i / huge_page == 2 ? 0 : 1) << i;
  }
  array[huge_page] = 9;  // and can be written again
  EXPECT_EQ(array[huge_page], 9);
}

TEST(Arena, ReleasesNothingWhereNoPageIsWhole) {
  LargeArray<unsigned char> array(2 * huge_page);
  std::fill(array.begin(), array.end(), static_cast<unsigned char>(1));
  arena::release_pages(array.data() + 1, huge_page);
  arena::release_pages(array.data() + 1, 0);
  EXPECT_TRUE(std::all_of(array.begin(), array.end(), [](unsigned char byte) { return byte == 1; }));
}

TEST(Arena, SaysHowManyHugePagesWereAskedForAndGiven) {
  const arena::HugePages before = arena::huge_pages();
  LargeArray<unsigned char> array(8 * huge_page);
  std::fill(array.begin(), array.end(), static_cast<unsigned char>(1));
  const arena::HugePages after = arena::huge_pages();
  EXPECT_GE(after.requested_bytes - before.requested_bytes, static_cast<std::int64_t>(8 * huge_page));
  EXPECT_GE(after.obtained_bytes, 0);
  EXPECT_LE(after.obtained_bytes - before.obtained_bytes,
            after.requested_bytes);  // the machine decides how many
}

/// Whether a large array that is written lies on small pages alone, once huge pages are forgone.
bool lies_on_small_pages() {
  arena::forgo_huge_pages();
  LargeArray<unsigned char> array(8 * huge_page);
  std::fill(array.begin(), array.end(), static_cast<unsigned char>(1));
  return arena::huge_pages().obtained_bytes == 0 && array[5 * huge_page] == 1;
}

TEST(ArenaDeathTest, HugePagesCanBeForgone) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");  // in a process of its own, which alone does without them
  EXPECT_EXIT(std::exit(lies_on_small_pages() ? 0 : 1), testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace isobath
