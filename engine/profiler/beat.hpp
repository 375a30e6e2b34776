// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "profiler/call_id.hpp"

namespace isobath::profiler {

// A page that shows what this rank does, in a file of the profile's folder: who started the program sees in
// it which rank hangs, and in which call. The layout is that of the engine's heartbeat
// (record/heartbeat.hpp), of one rank, which stands in a file that nothing of the engine need be linked for.

struct BeatHeader {
  char magic[8];
  std::uint32_t ranks;
  std::uint32_t stop_requested;
  char zeros[48];
};

struct BeatSlot {
  std::uint64_t progress;  // complete calls; one that asked in vain is none
  std::uint32_t rank;
  std::uint32_t pid;
  std::int32_t search;
  std::int32_t level;
  std::uint32_t doing;  // 0 computes, 1 in a call, 2 asked in vain
  std::uint32_t zero;
  char phase[24];
  char last_call[32];
  char zeros[168];
};

static_assert(sizeof(BeatHeader) == 64 && sizeof(BeatSlot) == 256);
static_assert(offsetof(BeatSlot, doing) == 24 && offsetof(BeatSlot, last_call) == 56);

/// Any thread may tell of its calls; where several do at once, one of them shows.
class Beat {
 public:
  /// Makes the file; where that is not possible nobody sees what this rank does.
  void open(const std::string& folder, int rank);

  void call_begins(CallId call);
  /// The same for one that is not counted. @param name  such as "MPI_Finalize"
  void call_begins(const char* name);
  void call_ends(bool is_complete);

 private:
  BeatSlot hidden_{};
  BeatSlot* slot_ = &hidden_;
};

}  // namespace isobath::profiler
