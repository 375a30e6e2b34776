// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace isobath::profiler {

/// Bytes and messages that went to one rank and came from it.
struct PeerTraffic {
  std::int64_t bytes_sent = 0;
  std::int64_t messages = 0;
  std::int64_t bytes_received = 0;
};

/// A communicator as the profiler knows it; it outlives the handle.
struct Communicator {
  int rank = 0;
  int size = 1;  // of the own group
  bool is_inter = false;
  /// Ranks in MPI_COMM_WORLD of those one talks to: the own group, of an intercommunicator the other one. -1
  /// for ranks of another program.
  std::vector<int> peers;
  /// Equal on all its ranks, and for no other communicator: a hash of its ranks, and how many of the same
  /// ranks in the same order were there before. Known without a message.
  std::uint64_t hash = 0;
  int occurrence = 0;
  bool knows_neighbours = false;
  std::vector<int> sources;       // neighbours in a process topology, as ranks of this communicator
  std::vector<int> destinations;  // -1: none there
  /// What every other rank got alike, so that a broadcast to a thousand ranks costs one addition.
  PeerTraffic each;

  bool has_self() const { return !is_inter; }
  std::int64_t others() const { return static_cast<std::int64_t>(peers.size()) - (has_self() ? 1 : 0); }
};

}  // namespace isobath::profiler
