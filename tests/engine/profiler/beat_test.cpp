// SPDX-License-Identifier: Apache-2.0
#include "profiler/beat.hpp"

#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "record/file_tree.hpp"
#include "record/heartbeat.hpp"

namespace isobath::profiler {
namespace {

// Who watches a run reads both pages in one way.
static_assert(sizeof(BeatHeader) == sizeof(HeartbeatHeader) && sizeof(BeatSlot) == sizeof(HeartbeatSlot));
static_assert(offsetof(BeatHeader, ranks) == offsetof(HeartbeatHeader, ranks));
static_assert(offsetof(BeatSlot, rank) == offsetof(HeartbeatSlot, rank));
static_assert(offsetof(BeatSlot, pid) == offsetof(HeartbeatSlot, pid));
static_assert(offsetof(BeatSlot, search) == offsetof(HeartbeatSlot, search));
static_assert(offsetof(BeatSlot, doing) == offsetof(HeartbeatSlot, doing));
static_assert(offsetof(BeatSlot, last_call) == offsetof(HeartbeatSlot, last_call));

/// The page that a beat of rank 3 shows, read as a heartbeat of the engine.
class ShownBeat {
 public:
  ShownBeat() { beat_.open(tree_.root().string(), 3); }

  Beat& beat() { return beat_; }
  std::string file() const { return "beat-3-" + std::to_string(getpid()) + ".bin"; }
  HeartbeatHeader header() const { return part<HeartbeatHeader>(0); }
  HeartbeatSlot slot() const { return part<HeartbeatSlot>(sizeof(HeartbeatHeader)); }
  std::string last_call() const { return slot().last_call; }
  Doing doing() const { return static_cast<Doing>(slot().doing); }

 private:
  template <class Part>
  Part part(std::size_t offset) const {
    const std::string bytes = tree_.read(file());
    EXPECT_EQ(bytes.size(), sizeof(HeartbeatHeader) + sizeof(HeartbeatSlot));
    Part found{};
    if (bytes.size() >= offset + sizeof found) std::memcpy(&found, bytes.data() + offset, sizeof found);
    return found;
  }

  FileTree tree_;
  Beat beat_;
};

TEST(Beat, IsAHeartbeatOfOneRank) {
  ShownBeat shown;
  EXPECT_EQ(std::string_view(shown.header().magic, 8), heartbeat_magic);
  EXPECT_EQ(shown.header().ranks, 1U);
  EXPECT_EQ(shown.header().stop_requested, 0U);
  EXPECT_EQ(shown.slot().rank, 3U);
  EXPECT_EQ(shown.slot().pid, static_cast<std::uint32_t>(getpid()));
  EXPECT_EQ(shown.slot().search, -1);
  EXPECT_EQ(shown.slot().progress, 0U);
  EXPECT_EQ(shown.doing(), Doing::computing);
  EXPECT_EQ(shown.last_call(), "");
}

TEST(Beat, ShowsTheCallAndWhetherItCameToAnEnd) {
  ShownBeat shown;
  shown.beat().call_begins(CallId::allreduce);
  EXPECT_EQ(shown.last_call(), "MPI_Allreduce");
  EXPECT_EQ(shown.doing(), Doing::waiting);
  EXPECT_EQ(shown.slot().progress, 0U);
  shown.beat().call_ends(true);
  EXPECT_EQ(shown.last_call(), "MPI_Allreduce") << "the last one, also between calls";
  EXPECT_EQ(shown.doing(), Doing::computing);
  EXPECT_EQ(shown.slot().progress, 1U);
  shown.beat().call_begins(CallId::recv);
  EXPECT_EQ(shown.last_call(), "MPI_Recv") << "nothing of the longer name before is left";
  shown.beat().call_ends(false);
  EXPECT_EQ(shown.doing(), Doing::asking);
  EXPECT_EQ(shown.slot().progress, 1U) << "who asked in vain made none";
}

TEST(Beat, ShowsCallsThatAreNotCounted) {
  ShownBeat shown;
  shown.beat().call_begins("MPI_Finalize");
  EXPECT_EQ(shown.last_call(), "MPI_Finalize");
  const std::string longest(31, 'x');
  shown.beat().call_begins((longest + "cut").c_str());
  EXPECT_EQ(shown.last_call(), longest) << "a name that has no room is cut, and ends";
}

TEST(Beat, IsSeenByNobodyWhereThereIsNoFolder) {
  const FileTree tree;
  Beat beat;
  beat.open(tree.path("missing"), 0);
  beat.call_begins(CallId::send);
  beat.call_ends(true);
  Beat never_opened;
  never_opened.call_begins(CallId::send);
  EXPECT_TRUE(std::filesystem::is_empty(tree.root()));
}

}  // namespace
}  // namespace isobath::profiler
