// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/arena.hpp"
#include "collectives/case.hpp"

namespace isobath {

/// What a call finds in the caches.
enum class BufferMode {
  warm,      // the same buffers every time, of whose contents only the stamps change
  offcache,  // others every time, until they are twice as large as the last cache
  dirty,     // written anew just before each call, and read just after
};
std::string_view name_of(BufferMode mode);
/// @throws UsageError
BufferMode parse_buffer_mode(std::string_view name);

/// Pairs of a send and a receive buffer of one rank, filled and checked as its layout says. Behind every
/// receive buffer lies a guard that nobody may write.
class BufferSets {
 public:
  /// Memory comes from the system at first touch: here. @throws EnvironmentError
  BufferSets(Layout layout, Pattern pattern, ElementType type, int sets);

  /// Bytes of one set with its guard and rounding.
  static std::int64_t bytes_of_set(const Layout& layout, ElementType type);

  int sets() const { return static_cast<int>(sets_); }
  /// The arguments of a call on one set.
  BareArguments arguments(int set);
  /// Everything is written, for repetition `stamp`; what is to be received is wiped out.
  void fill(int set, std::int64_t stamp);
  /// Only the first element of every block.
  void stamp(int set, std::int64_t stamp);
  /// What is wrong after the call; nothing where all is right.
  std::optional<std::string> fault(int set) const;
  /// The memory of one receive buffer, for tests that corrupt it.
  std::span<std::byte> receive_bytes(int set);

 private:
  std::span<std::byte> send_bytes(int set);
  std::span<const std::byte> received(int set) const;
  std::span<std::byte> sent_from(int set);

  Layout layout_;
  Pattern pattern_;
  ElementType type_;
  std::size_t sets_;
  std::size_t send_stride_;
  std::size_t receive_stride_;
  std::vector<Stamps> stamps_;
  LargeArray<std::byte> send_;
  LargeArray<std::byte> receive_;
};

/// Sets that rotate: of bytes_of_set each, twice the last cache (shared by the ranks of a node) in all.
int sets_for(BufferMode mode, std::int64_t bytes_of_set, std::int64_t cache_bytes, int ranks_of_node);

}  // namespace isobath
