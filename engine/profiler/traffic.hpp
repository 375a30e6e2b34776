// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace isobath::profiler {

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
