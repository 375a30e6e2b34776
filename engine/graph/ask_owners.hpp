// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/arena.hpp"
#include "base/placed_bits.hpp"
#include "base/sparse_members.hpp"
#include "comm/communicator.hpp"

namespace isobath {

/// Who asks for everything, of which there may be 2^32 and more: no array says so.
class AllAsked {
 public:
  explicit AllAsked(std::size_t count) : count_(count) {}
  std::size_t count() const { return count_; }

 private:
  std::size_t count_;
};

/// A number of each vertex of a grid row or column, from the ranks that keep those of their own: of the
/// vertices that are asked for alone. Every rank asks for what it likes, all of them or none.
///
/// Collective over `line`, in as many steps as it has ranks: in each a rank asks one owner by a bit for each
/// of its vertices, and answers one other with the numbers of the bits that are set, in order. Both ends know
/// both lengths, and beside what is asked for a rank holds one question and one answer.
///
/// @param asked  by position in the line
/// @param first  position of the first vertex of every rank of the line, and the end
/// @param own    numbers of the own vertices
/// @param told   the numbers that were asked for, in order: as many as bits are set
void ask_owners(const Communicator& line, const PlacedBits& asked, std::span<const std::size_t> first,
                std::span<const std::uint32_t> own, std::span<std::uint32_t> told);
void ask_owners(const Communicator& line, const SparseMembers& asked, std::span<const std::size_t> first,
                std::span<const std::uint32_t> own, std::span<std::uint32_t> told);
void ask_owners(const Communicator& line, const AllAsked& asked, std::span<const std::size_t> first,
                std::span<const std::uint32_t> own, std::span<std::uint32_t> told);

/// Of those asked for below `index`, which may be the end: how many there are.
inline std::size_t asked_before(const PlacedBits& asked, std::size_t index) {
  return index < asked.bits().size() * word_bits ? asked.members_below(index) : asked.count();
}
inline std::size_t asked_before(const SparseMembers& asked, std::size_t index) {
  return asked.members_below(index);
}
inline std::size_t asked_before(const AllAsked& asked, std::size_t index) {
  return std::min(index, asked.count());
}

}  // namespace isobath
