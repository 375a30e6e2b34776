// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace isobath {

/// The Ethernet addresses behind ports. Behind each is one node, which has one: that of its latest frame.
class Addresses {
 public:
  explicit Addresses(std::size_t ports) : address_of_(ports, unknown) {}

  /// The sender of a frame stands behind the port that it came from.
  void learn(std::size_t port, std::span<const std::byte> ethernet);

  /// Where a frame is to go; nothing where it is for everybody, or nobody knows.
  std::optional<std::size_t> port_for(std::span<const std::byte> ethernet) const;

 private:
  static constexpr std::uint64_t unknown = 0;  // no interface has this address
  std::vector<std::uint64_t> address_of_;
};

}  // namespace isobath
