// SPDX-License-Identifier: Apache-2.0
#include "record/heartbeat.hpp"

#include <unistd.h>

#include <cstring>

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "file_tree.hpp"

namespace isobath {
namespace {

/// The value at a byte offset of the file, as any other program reads it.
template <class T>
T at(const FileTree& tree, std::size_t offset) {
  const std::string bytes = tree.read("heartbeat");
  T value{};
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

std::string text_at(const FileTree& tree, std::size_t offset, std::size_t length) {
  const std::string bytes = tree.read("heartbeat").substr(offset, length);
  return bytes.substr(0, bytes.find('\0'));
}

TEST(Heartbeat, TheFileHasTheDocumentedLayout) {
  const FileTree tree;
  Heartbeat first(tree.path("heartbeat"), 0, 2);
  Heartbeat second(tree.path("heartbeat"), 1, 2);
  second.search(5);
  second.level(3);
  second.phase(Phase::bottom_up);
  second.cell("cell 1 of 2, blocking allreduce of 8 B");
  second.call_begins("MPI_Allgatherv");

  EXPECT_EQ(tree.read("heartbeat").size(), 64U + 2 * 256);
  EXPECT_EQ(tree.read("heartbeat").substr(0, 8), std::string("ISOBHB2\0", 8));
  EXPECT_EQ(at<std::uint32_t>(tree, 8), 2U);
  EXPECT_EQ(at<std::uint32_t>(tree, 12), 0U);
  EXPECT_EQ(at<std::uint32_t>(tree, 64 + 8), 0U);
  EXPECT_EQ(at<std::int32_t>(tree, 64 + 16), -1);
  EXPECT_EQ(text_at(tree, 64 + 32, 24), "start");

  const std::size_t slot = 64 + 256;
  EXPECT_EQ(at<std::uint64_t>(tree, slot), 5U);  // start, search, level, phase, cell
  EXPECT_EQ(at<std::uint32_t>(tree, slot + 8), 1U);
  EXPECT_EQ(at<std::uint32_t>(tree, slot + 12), static_cast<std::uint32_t>(getpid()));
  EXPECT_EQ(at<std::int32_t>(tree, slot + 16), 5);
  EXPECT_EQ(at<std::int32_t>(tree, slot + 20), 3);
  EXPECT_EQ(at<std::uint32_t>(tree, slot + 24), static_cast<std::uint32_t>(Doing::waiting));
  EXPECT_EQ(text_at(tree, slot + 32, 24), "bottom_up");
  EXPECT_EQ(text_at(tree, slot + 56, 32), "MPI_Allgatherv");
  EXPECT_EQ(text_at(tree, slot + 88, 112), "cell 1 of 2, blocking allreduce of 8 B");
}

TEST(Heartbeat, WhatIsCompleteIsProgressAndAskingInVainIsNot) {
  Heartbeat heartbeat;
  const std::uint64_t before = heartbeat.state().progress;
  for (int i = 0; i < 1000; ++i) {  // a rank that polls
    heartbeat.call_begins("MPI_Testsome");
    heartbeat.call_ends(false);
  }
  EXPECT_EQ(heartbeat.state().progress, before);
  EXPECT_EQ(heartbeat.state().doing, Doing::asking);
  heartbeat.call_begins("MPI_Barrier");
  heartbeat.rests();
  EXPECT_EQ(heartbeat.state().progress, before);
  EXPECT_EQ(heartbeat.state().doing, Doing::resting);

  heartbeat.call_ends(true);
  EXPECT_EQ(heartbeat.state().progress, before + 1);
  EXPECT_EQ(heartbeat.state().doing, Doing::computing);
  EXPECT_EQ(heartbeat.state().last_call, "MPI_Barrier");
  heartbeat.phase(Phase::fold);
  heartbeat.search(2);
  heartbeat.level(1);
  heartbeat.cell("a case");
  EXPECT_EQ(heartbeat.state().progress, before + 5);
}

TEST(Heartbeat, AStateSaysWhereARankIs) {
  Heartbeat heartbeat;
  EXPECT_EQ(heartbeat.state().where(), "phase start");
  heartbeat.search(3);
  heartbeat.level(2);
  heartbeat.phase(Phase::top_down);
  heartbeat.call_begins("MPI_Testsome");
  EXPECT_EQ(heartbeat.state().where(), "phase top_down, search 3, level 2, last call MPI_Testsome");
  Heartbeat benchmark;
  benchmark.cell(std::string(500, 'x'));
  EXPECT_EQ(benchmark.state().where(), "measuring " + std::string(111, 'x')) << "cut, not overrun";
}

TEST(Heartbeat, AStopThatTheLauncherWritesIsSeen) {
  const FileTree tree;
  std::string page(64 + 256, '\0');  // made by the launcher, before the run
  std::memcpy(page.data(), "ISOBHB2\0", 8);
  page[8] = 1;
  tree.write("heartbeat", page);
  const Heartbeat heartbeat(tree.path("heartbeat"), 0, 1);
  EXPECT_FALSE(heartbeat.stop_requested());

  FILE* const file = fopen(tree.path("heartbeat").c_str(), "r+b");
  ASSERT_NE(file, nullptr);
  fseek(file, 12, SEEK_SET);
  fputc(1, file);
  fclose(file);

  EXPECT_TRUE(heartbeat.stop_requested());
}

TEST(Heartbeat, AnotherFileOrAnotherRankCountIsRefused) {
  const FileTree tree;
  tree.write("heartbeat", "this is something that somebody wants to keep");
  EXPECT_THROW(Heartbeat(tree.path("heartbeat"), 0, 1), EnvironmentError);
  EXPECT_EQ(tree.read("heartbeat"), "this is something that somebody wants to keep");
  {
    const Heartbeat two(tree.path("other"), 0, 2);
  }
  EXPECT_THROW(Heartbeat(tree.path("other"), 0, 3), EnvironmentError);
  EXPECT_THROW(Heartbeat("/nonexistent/heartbeat", 0, 1), EnvironmentError);
}

TEST(Heartbeat, WithoutAFileTheSlotIsInMemory) {
  Heartbeat heartbeat(4);
  heartbeat.phase(Phase::emit);
  EXPECT_EQ(heartbeat.current_phase(), Phase::emit);
  EXPECT_EQ(heartbeat.state().phase, "emit");
  EXPECT_EQ(heartbeat.rank(), 4);
  EXPECT_FALSE(heartbeat.stop_requested());
}

}  // namespace
}  // namespace isobath
