// SPDX-License-Identifier: Apache-2.0
#include "machine/binding.hpp"

#include <thread>

#include <gtest/gtest.h>

#include "machine/cpu_list.hpp"

namespace isobath {
namespace {

TEST(CpuList, IsTheNotationOfTheKernel) {
  EXPECT_EQ(cpu_list_text(std::vector<int>{}), "");
  EXPECT_EQ(cpu_list_text(std::vector<int>{3}), "3");
  EXPECT_EQ(cpu_list_text(std::vector<int>{0, 1}), "0-1");
  EXPECT_EQ(cpu_list_text(std::vector<int>{0, 1, 2, 5, 7, 8}), "0-2,5,7-8");
}

TEST(Binding, AThreadRunsWhereItWasBound) {
  const std::vector<int> allowed = allowed_cpus();
  ASSERT_FALSE(allowed.empty());
  std::thread([&] {  // a thread of its own, so that the test's other threads stay free
    ASSERT_TRUE(bind_this_thread(allowed.back()));
    EXPECT_EQ(allowed_cpus(), std::vector<int>{allowed.back()});
  })
      .join();
}

TEST(Binding, AProcessorThatDoesNotExistIsRefused) {
  EXPECT_FALSE(bind_this_thread(-1));
  EXPECT_FALSE(bind_this_thread(16383));
  EXPECT_FALSE(bind_this_thread(1 << 20));
}

TEST(Binding, EveryThreadOfATeamIsListed) {
  const std::vector<std::string> lists = cpus_of_threads(3);
  ASSERT_EQ(lists.size(), 3U);
  for (const std::string& list : lists) EXPECT_FALSE(list.empty());
}

}  // namespace
}  // namespace isobath
