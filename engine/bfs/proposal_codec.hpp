// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace isobath {

/// A target at its owner, and the original number of the source, counted from the first of the sender's grid
/// column.
struct Proposal {
  std::uint32_t target;
  std::uint32_t source;

  friend bool operator==(const Proposal&, const Proposal&) = default;
};

// Lists of ascending numbers as differences: 7 bits to a byte, lowest first, the top bit says that more
// follow. After the first number, differences are less one, since no number comes twice.

/// Bytes that pack_ascending appends.
std::size_t packed_size(std::span<const std::uint32_t> ascending);
void pack_ascending(std::span<const std::uint32_t> ascending, std::vector<std::byte>& packed);
/// Appends what one list of pack_ascending held. @throws InternalError when the bytes end inside a number
void unpack_ascending(std::span<const std::byte> packed, std::vector<std::uint32_t>& numbers);

/// Proposals of one rank for one owner: how many (7 bits to a byte), the targets as an ascending list, then
/// the sources in `source_bits` bits each, lowest bit first, the last byte filled with zeros. Nothing for no
/// proposals.
///
/// @param proposals  are put into the order of their targets, which are distinct
void pack_proposals(std::span<Proposal> proposals, int source_bits, std::vector<std::byte>& packed);
/// @throws InternalError when the bytes are no packed proposals
void unpack_proposals(std::span<const std::byte> packed, int source_bits, std::vector<Proposal>& proposals);

}  // namespace isobath
