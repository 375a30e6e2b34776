// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace isobath::profiler {

// What the recorder adds up: bytes by size, by peer and communicator, and by call.

/// Buckets of sizes in bytes: four per octave, so that sizes whose three highest bits agree are together (0,
/// 1, 2, ..., 7, 8-9, 10-11, ...). IPM keeps the same three bits; mpiP's powers of two are sums of them.
inline constexpr std::size_t num_size_buckets = 248;

constexpr std::size_t size_bucket(std::int64_t bytes) {
  if (bytes < 4) return bytes < 0 ? 0 : static_cast<std::size_t>(bytes);
  const auto value = static_cast<std::uint64_t>(bytes);
  const auto octave = static_cast<unsigned>(std::bit_width(value)) - 1;
  return 4 * (octave - 1) + ((value >> (octave - 2)) & 3);
}

/// The smallest size of a bucket.
constexpr std::int64_t bucket_begin(std::size_t bucket) {
  if (bucket < 4) return static_cast<std::int64_t>(bucket);
  const std::size_t octave = bucket / 4 + 1;
  return static_cast<std::int64_t>((4 + bucket % 4) << (octave - 2));
}

/// What a size is the size of.
enum class SizeMeaning : unsigned char {
  call_total,   // all that a rank sends to others in one call
  per_peer,     // what it sends to one of them
  own_segment,  // what a collective keeps at its rank
  argument,  // count times type size as the arguments say; of several counts the own one (what IPM records)
};
inline constexpr std::array<std::string_view, 4> size_meaning_names = {"call_total", "per_peer",
                                                                       "own_segment", "argument"};

struct SizeCount {
  std::int64_t count = 0;
  std::int64_t bytes = 0;
  double nanoseconds = 0;
};

/// The sizes of one call, all meanings.
using CallSizes = std::array<std::array<SizeCount, num_size_buckets>, size_meaning_names.size()>;

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

/// What one call sends and receives: filled by the counting functions, one object for each thread, used again
/// by each call. Ranks are those of the communicator. A message of no bytes is none.
class Traffic {
 public:
  static constexpr int everybody = -1;  // every other rank of the communicator
  struct Item {
    int communicator;
    int peer;
    std::int64_t bytes;
    bool is_sent;
  };

  void clear() {
    items_.clear();
    kept_ = 0;
    argument_ = -1;
    scanned_ = 0;
    receives_unknown_ = 0;
  }
  void sent(int communicator, int peer, std::int64_t bytes) {
    if (bytes > 0) items_.push_back({communicator, peer, bytes, true});
  }
  void received(int communicator, int peer, std::int64_t bytes) {
    if (bytes > 0) items_.push_back({communicator, peer, bytes, false});
  }
  /// Something came, but the library does not say how much and from whom.
  void received_unknown() { ++receives_unknown_; }
  void kept(std::int64_t bytes) { kept_ += bytes; }
  /// What the arguments alone say, as the classic profilers count.
  void argument(std::int64_t bytes) { argument_ = bytes; }
  /// So many counts were looked at.
  void scanned(std::int64_t counts) { scanned_ += counts; }
  void add(const Traffic& other) {
    items_.insert(items_.end(), other.items_.begin(), other.items_.end());
    kept_ += other.kept_;
    if (other.argument_ >= 0) argument_ = (argument_ < 0 ? 0 : argument_) + other.argument_;
  }

  const std::vector<Item>& items() const { return items_; }
  std::int64_t kept() const { return kept_; }
  bool has_argument() const { return argument_ >= 0; }
  std::int64_t argument() const { return argument_; }
  std::int64_t scanned() const { return scanned_; }
  std::int64_t receives_unknown() const { return receives_unknown_; }

 private:
  std::vector<Item> items_;
  std::int64_t kept_ = 0;
  std::int64_t argument_ = -1;
  std::int64_t scanned_ = 0;
  std::int64_t receives_unknown_ = 0;
};

}  // namespace isobath::profiler
