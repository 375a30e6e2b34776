// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>

namespace isobath {

inline constexpr std::int64_t nanoseconds_per_second = 1'000'000'000;

/// What a packet socket writes before each frame: which sums the kernel has yet to compute, and whether it is
/// in pieces. It goes on as it came, so that no sum is computed between two nodes of one machine.
inline constexpr std::size_t frame_header = 10;

/// A network interface whose frames are read and written past the network stack (packet(7)).
class Port {
 public:
  /// @throws EnvironmentError where the system does not give it
  explicit Port(const std::string& interface);
  Port(const Port&) = delete;
  Port& operator=(const Port&) = delete;
  ~Port();

  /// Becomes readable when frames wait.
  int descriptor() const { return descriptor_; }

  /// Reads what has come, with its header and the time at which it came (now_nanoseconds).
  void read(const std::function<void(std::int64_t arrived, std::span<const std::byte> frame)>& keep);

  /// Sends a frame with its header. Returns false where the system has no room for it: it is lost.
  bool send(std::span<const std::byte> frame);

  /// Frames that were lost since it was asked last, because nobody read.
  std::int64_t lost();

 private:
  struct Batch;
  int descriptor_ = -1;
  std::unique_ptr<Batch> batch_;
};

}  // namespace isobath
