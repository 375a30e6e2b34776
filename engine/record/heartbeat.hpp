// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/phase.hpp"

namespace isobath {

// The heartbeat file: a page that every rank maps, so that whoever looks at it knows what each rank is doing,
// and whether it makes progress, while the run itself spends a few stores and reads no clock. A call that
// asks for messages and finds none is no progress: a rank that only asks looks as silent as it is. Little
// endian, offsets as the structs say.

struct HeartbeatHeader {
  char magic[8];
  std::uint32_t ranks;
  std::uint32_t stop_requested;  // set to 1 by whoever wants the run to end after the current search
  char zeros[48];
};

/// What a rank was doing when it last told.
enum class Doing : std::uint32_t {
  computing = 0,
  waiting = 1,  // in a call that ends when its messages are complete
  asking = 2,   // the last call asked for messages and found none
  resting = 3,  // waits for orders of other ranks: it makes no progress of its own
};

struct HeartbeatSlot {
  std::uint64_t progress;  // bumped by each phase, level, search and cell that begins, and each complete call
  std::uint32_t rank;
  std::uint32_t pid;
  std::int32_t search;  // -1 outside searches
  std::int32_t level;
  std::uint32_t doing;
  std::uint32_t zero;
  char phase[24];
  char last_call[32];  // name of an MPI call; empty before the first
  char cell[112];      // what a benchmark measures now; empty elsewhere
  char zeros[56];
};

static_assert(sizeof(HeartbeatHeader) == 64 && sizeof(HeartbeatSlot) == 256);
static_assert(offsetof(HeartbeatHeader, ranks) == 8 && offsetof(HeartbeatHeader, stop_requested) == 12);
static_assert(offsetof(HeartbeatSlot, rank) == 8 && offsetof(HeartbeatSlot, search) == 16 &&
              offsetof(HeartbeatSlot, doing) == 24 && offsetof(HeartbeatSlot, phase) == 32 &&
              offsetof(HeartbeatSlot, last_call) == 56 && offsetof(HeartbeatSlot, cell) == 88);

inline constexpr std::string_view heartbeat_magic{"ISOBHB2\0", 8};

/// A slot as it is at one moment.
struct HeartbeatState {
  std::uint64_t progress = 0;
  int search = -1;
  int level = 0;
  Doing doing = Doing::computing;
  std::string phase;
  std::string last_call;
  std::string cell;

  /// "phase top_down, search 3, level 2, last call MPI_Testsome"
  std::string where() const;
};

/// This rank's slot of the heartbeat file. Without a file the slot is in memory, so that callers need not
/// ask.
class Heartbeat {
 public:
  /// A slot in memory only.
  explicit Heartbeat(int rank = 0);
  /// Maps `path`, creating it where it does not exist; every rank does so. Without a path the slot is in
  /// memory.
  /// @throws EnvironmentError when that fails, or when the file is no heartbeat file of this many ranks
  Heartbeat(const std::string& path, int rank, int ranks);
  Heartbeat(const Heartbeat&) = delete;
  Heartbeat& operator=(const Heartbeat&) = delete;
  ~Heartbeat();

  // Each of these costs a few stores.
  void phase(Phase begun);
  void search(int index);
  void level(int level);
  /// What a benchmark measures from now on; cut where it is too long.
  void cell(std::string_view description);
  /// This rank is about to make an MPI call. @param call  stays valid
  void call_begins(const char* call);
  /// Something that was waited for is complete.
  void progressed();
  /// The call has returned. @param is_complete  false where it only asked, and found nothing
  void call_ends(bool is_complete);
  /// From now on until anything else is told this rank waits for orders.
  void rests();

  Phase current_phase() const { return current_phase_; }
  /// True once somebody has asked for the run to stop.
  bool stop_requested() const;
  int rank() const { return static_cast<int>(slot_->rank); }
  /// Of any thread.
  HeartbeatState state() const;

 private:
  void begin(int rank);
  void set_doing(Doing doing);

  HeartbeatSlot own_slot_{};
  HeartbeatHeader own_header_{};
  HeartbeatSlot* slot_ = &own_slot_;
  HeartbeatHeader* header_ = &own_header_;
  void* mapped_ = nullptr;
  std::size_t mapped_bytes_ = 0;
  Phase current_phase_ = Phase::start;
  const char* last_call_ = nullptr;  // whose name the slot holds
};

}  // namespace isobath
