// SPDX-License-Identifier: Apache-2.0
#include "overlap/contents.hpp"

#include <gtest/gtest.h>

#include "mpi_main.hpp"

namespace isobath::test {
namespace {

TEST(Contents, OfEveryCollectiveInBothFormsAreRightAndAFalseValueIsFound) {
  for (const std::string_view name : overlap_collectives()) {
    for (const std::int64_t count : {1, 17}) {
      PendingCollective pending(parse_overlap_collective(name), world(), count);
      fill(pending, world());
      const bool is_untouched = world().any(wrong_value(pending, world()).has_value());
      const bool has_nothing_to_move =
          name == "barrier" || (world().size() == 1 && (name == "bcast" || name == "exscan"));
      EXPECT_EQ(is_untouched, !has_nothing_to_move) << name << ": nothing was done yet";
      pending.call();
      EXPECT_FALSE(wrong_value(pending, world()).has_value()) << name;
      fill(pending, world());
      pending.start();
      while (!pending.test()) {
      }
      EXPECT_FALSE(wrong_value(pending, world()).has_value()) << name;
      fill(pending, world());
      pending.start();
      pending.wait();
      EXPECT_FALSE(wrong_value(pending, world()).has_value()) << name;
    }
  }
}

}  // namespace
}  // namespace isobath::test
