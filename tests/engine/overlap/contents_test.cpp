// SPDX-License-Identifier: Apache-2.0
#include "overlap/contents.hpp"

#include <gtest/gtest.h>

#include "mpi_main.hpp"

namespace isobath::test {
namespace {

TEST(Contents, OfEveryCollectiveInBothFormsAreRightAndAFalseValueIsFound) {
  for (const OverlapCall& call : overlap_calls()) {
    for (const std::int64_t count : {1, 17}) {
      PendingCollective pending(call, world(), count);
      fill(pending, world());
      const bool is_untouched = world().any(wrong_value(pending, world()).has_value());
      const bool has_nothing_to_move =
          call.name == "barrier" || (world().size() == 1 && (call.name == "bcast" || call.name == "exscan"));
      EXPECT_EQ(is_untouched, !has_nothing_to_move) << call.name << ": nothing was done yet";
      pending.call();
      EXPECT_FALSE(wrong_value(pending, world()).has_value()) << call.name;
      fill(pending, world());
      pending.start();
      while (!pending.test()) {
      }
      EXPECT_FALSE(wrong_value(pending, world()).has_value()) << call.name;
      fill(pending, world());
      pending.start();
      pending.wait();
      EXPECT_FALSE(wrong_value(pending, world()).has_value()) << call.name;
    }
  }
}

}  // namespace
}  // namespace isobath::test
