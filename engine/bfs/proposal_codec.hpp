// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "graph/column_originals.hpp"

namespace isobath {

/// A target at its owner, and its source: the original number, counted from the first of the sender's grid
/// column; before it travels, where this can have more than 32 bits, an entry of ColumnOriginals.
struct Proposal {
  std::uint32_t target;
  std::uint32_t source;

  friend bool operator==(const Proposal&, const Proposal&) = default;
};

/// A target's position at its owner, and its parent's original number: 16 bytes.
struct WideProposal {
  std::int64_t target;
  std::int64_t parent;

  friend bool operator==(const WideProposal&, const WideProposal&) = default;
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
/// The same bytes, of sources that are entries. @param source_bits  at most 40
void pack_proposals(std::span<Proposal> proposals, const ColumnOriginals& originals, int source_bits,
                    std::vector<std::byte>& packed);
/// @throws InternalError when the bytes are no packed proposals
void unpack_proposals(std::span<const std::byte> packed, int source_bits, std::vector<Proposal>& proposals);
/// The same, of sources of any bits. @param first_original  of the sender's grid column
void unpack_proposals(std::span<const std::byte> packed, int source_bits, std::int64_t first_original,
                      std::vector<WideProposal>& proposals);

}  // namespace isobath
