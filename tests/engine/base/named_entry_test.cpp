// SPDX-License-Identifier: Apache-2.0
#include "base/named_entry.hpp"

#include <array>

#include <gtest/gtest.h>

namespace isobath {
namespace {

struct Entry {
  std::string_view name;
  int value;
};
constexpr std::array<Entry, 2> table = {{{"first", 1}, {"last", 2}}};

static_assert(are_named(table, std::array<std::string_view, 2>{"last", "first"}));
static_assert(!are_named(table, std::array<std::string_view, 3>{"first", "last", "listed"}),
              "a listed name has no entry");
static_assert(!are_named(table, std::array<std::string_view, 1>{"first"}), "an entry is not listed");

TEST(EntryNamed, IsTheOneOfThatName) {
  EXPECT_EQ(entry_named(table, "first", "thing").value, 1);
  EXPECT_EQ(entry_named(table, "last", "thing").value, 2);
}

TEST(EntryNamed, IsNeverAnotherOne) {
  for (const std::string_view name : {"", "listed", "fir", "lastly"}) {
    EXPECT_THROW(entry_named(table, name, "thing"), UsageError) << name;
  }
  try {
    entry_named(table, "listed", "thing");
  } catch (const UsageError& error) {
    EXPECT_STREQ(error.what(), "there is no thing 'listed'; there are first, last");
  }
}

}  // namespace
}  // namespace isobath
