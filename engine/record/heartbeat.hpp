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
// and how long it has been doing it, while the run itself spends a few stores. Little endian, offsets as the
// structs say.

struct HeartbeatHeader {
  char magic[8];
  std::uint32_t ranks;
  std::uint32_t stop_requested;  // set to 1 by whoever wants the run to end after the current search
  char zeros[48];
};

struct HeartbeatSlot {
  std::uint64_t sequence;    // bumped after each change
  double monotonic_seconds;  // CLOCK_MONOTONIC of the last change
  std::uint32_t rank;
  std::uint32_t pid;
  std::int32_t search;  // -1 outside searches
  std::int32_t level;
  char phase[24];
  char waiting_in[32];  // name of an MPI call, or empty
  char zeros[40];
};

static_assert(sizeof(HeartbeatHeader) == 64 && sizeof(HeartbeatSlot) == 128);
static_assert(offsetof(HeartbeatHeader, ranks) == 8 && offsetof(HeartbeatHeader, stop_requested) == 12);
static_assert(offsetof(HeartbeatSlot, monotonic_seconds) == 8 && offsetof(HeartbeatSlot, search) == 24 &&
              offsetof(HeartbeatSlot, phase) == 32 && offsetof(HeartbeatSlot, waiting_in) == 56);

inline constexpr std::string_view heartbeat_magic{"ISOBHB1\0", 8};

/// This rank's slot of the heartbeat file. Without a file the slot is in memory, so that callers need not
/// ask.
class Heartbeat {
 public:
  /// A slot in memory only.
  explicit Heartbeat(int rank = 0);
  /// Maps `path`, creating it where it does not exist; every rank does so.
  /// @throws EnvironmentError when that fails, or when the file is no heartbeat file of this many ranks
  Heartbeat(const std::string& path, int rank, int ranks);
  Heartbeat(const Heartbeat&) = delete;
  Heartbeat& operator=(const Heartbeat&) = delete;
  ~Heartbeat();

  // Each of these costs a few stores and one reading of the clock, or none where the caller has just read it.
  void phase(Phase begun) { phase(begun, clock()); }
  void phase(Phase begun, double now);
  void search(int index);
  void level(int level);
  /// The MPI call this rank is about to wait in; empty afterwards.
  void waiting_in(std::string_view call);

  Phase current_phase() const { return current_phase_; }
  /// True once somebody has asked for the run to stop.
  bool stop_requested() const;

  const HeartbeatSlot& slot() const { return *slot_; }

 private:
  static double clock();
  void begin(int rank);
  void changed(double now);

  HeartbeatSlot own_slot_{};
  HeartbeatHeader own_header_{};
  HeartbeatSlot* slot_ = &own_slot_;
  HeartbeatHeader* header_ = &own_header_;
  void* mapped_ = nullptr;
  std::size_t mapped_bytes_ = 0;
  Phase current_phase_ = Phase::start;
};

}  // namespace isobath
