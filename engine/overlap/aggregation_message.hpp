// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "base/expects.hpp"

namespace isobath {

/// What an aggregation tree does with the pieces of an operation.
enum class TreeOperation : std::uint8_t { allreduce, reduce, bcast, barrier, stop };

/// What elements are, and how two of them become one.
enum class TreeType : std::uint8_t { float64, int64, located };
enum class TreeOperator : std::uint8_t {
  sum,
  min,
  max,
  bit_or,
  bit_and,
  bit_xor,
  min_location,
  max_location
};

/// An element of minloc and maxloc. Of equal values the lower place wins.
struct Located {
  double value;
  std::int64_t place;
  friend bool operator==(const Located&, const Located&) = default;
};

constexpr std::size_t bytes_of(TreeType type) { return type == TreeType::located ? 16 : 8; }

/// The first 16 bytes of every message.
struct PieceHeader {
  std::uint32_t operation = 0;  // number of the operation, the same on all ranks
  std::uint32_t piece = 0;
  std::uint32_t root_rank = 0;  // of reduce and bcast
  TreeOperation kind = TreeOperation::barrier;
  TreeOperator combine = TreeOperator::sum;
  TreeType type = TreeType::float64;
  std::uint8_t tree = 0;
};
static_assert(sizeof(PieceHeader) == 16);

/// A whole message has at most 256 bytes, as in SHARP's protocol; the rest is payload.
inline constexpr std::size_t most_message_bytes = 256;
inline constexpr std::size_t most_payload_bytes = most_message_bytes - sizeof(PieceHeader);
static_assert(most_payload_bytes % 16 == 0);  // whole elements of every type

/// Messages for a vector of so many bytes; one, empty, for none.
constexpr std::int64_t pieces_for(std::int64_t bytes) {
  const auto most = static_cast<std::int64_t>(most_payload_bytes);
  return bytes == 0 ? 1 : (bytes + most - 1) / most;
}

/// A header and its payload.
class PieceMessage {
 public:
  PieceMessage(const PieceHeader& header, std::span<const std::byte> payload)
      : size_(sizeof(PieceHeader) + payload.size()) {
    ISOBATH_EXPECTS(payload.size() <= most_payload_bytes);
    std::memcpy(bytes_.data(), &header, sizeof header);
    if (!payload.empty()) std::memcpy(bytes_.data() + sizeof header, payload.data(), payload.size());
  }
  std::span<const std::byte> bytes() const { return std::span(bytes_).first(size_); }

 private:
  std::array<std::byte, most_message_bytes> bytes_;
  std::size_t size_;
};

inline PieceHeader header_of(std::span<const std::byte> message) {
  ISOBATH_EXPECTS(message.size() >= sizeof(PieceHeader) && message.size() <= most_message_bytes);
  PieceHeader header;
  std::memcpy(&header, message.data(), sizeof header);
  return header;
}
inline std::span<const std::byte> payload_of(std::span<const std::byte> message) {
  return message.subspan(sizeof(PieceHeader));
}

}  // namespace isobath
