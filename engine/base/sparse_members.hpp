// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/arena.hpp"
#include "base/bitmap.hpp"

namespace isobath {

/// A set of few of many indices. Like PlacedBits, so that arrays have an entry for each member alone, but
/// what it takes is by member: of every 256 indices where their members begin, and of a member the last
/// byte. That is 1/64 byte an index and one a member; PlacedBits has 3/16 byte an index, which is more
/// where fewer than a sixth are members.
///
/// Indices may be any number, members fewer than 2^32: whoever brings more is refused (RefusedError).
class SparseMembers {
 public:
  class Builder;

  /// Indices of a block. Whoever brings bits a part after the other brings whole blocks.
  static constexpr std::size_t block_size = 256;

  SparseMembers() = default;
  /// @param bits  of the indices: those of members are set
  explicit SparseMembers(std::span<const Word> bits);
  /// @param size     indices that there are
  /// @param members  ascending
  SparseMembers(std::size_t size, std::span<const std::size_t> members);

  std::size_t count() const { return last_bytes_.size(); }
  /// All indices as bits.
  std::size_t words() const { return words_; }
  /// Of any index, and the end.
  std::size_t members_below(std::size_t index) const {
    const std::size_t block = index / block_size;
    return block < num_blocks() ? find(block, index % block_size) : count();
  }
  /// Where a member stands among the members; count() of any other index.
  std::size_t place_of(std::size_t index) const {
    const std::size_t block = index / block_size;
    const std::size_t place = find(block, index % block_size);
    return place < begin_[block + 1] && last_bytes_[place] == index % block_size ? place : count();
  }
  /// Asks memory for what the others read, in two steps.
  void prefetch_block(std::size_t index) const { __builtin_prefetch(begin_.data() + index / block_size); }
  void prefetch_members(std::size_t index) const {
    __builtin_prefetch(last_bytes_.data() + begin_[index / block_size]);
  }

  /// Some of these words.
  LargeArray<Word> bits(std::size_t first_word, std::size_t words) const;

 private:
  static constexpr std::size_t block_words = block_size / word_bits;

  void begin_blocks(std::size_t first, std::size_t end);
  static std::size_t blocks_of(std::size_t words) { return (words + block_words - 1) / block_words; }
  std::size_t num_blocks() const { return begin_.size() == 0 ? 0 : begin_.size() - 1; }
  /// The first member of a block that is not below `last_byte`, or the end of the block.
  std::size_t find(std::size_t block, std::size_t last_byte) const {
    const std::uint8_t* const members = last_bytes_.data();
    return static_cast<std::size_t>(
        std::lower_bound(members + begin_[block], members + begin_[block + 1], last_byte) - members);
  }

  std::size_t words_ = 0;
  LargeArray<std::uint32_t> begin_;      // of the members of each block, and the end
  LargeArray<std::uint8_t> last_bytes_;  // of each member
};

/// Made from the bits of some indices after the other, so that those of all are never there at a time.
class SparseMembers::Builder {
 public:
  /// @param words  of all indices as bits
  explicit Builder(std::size_t words);

  /// @param bits  of the next indices: whole blocks, but for the last ones of all
  void append(std::span<const Word> bits);
  /// Of those appended.
  std::size_t count() const { return members_.begin_[blocks_]; }
  /// When all are appended; then this is used up.
  SparseMembers take();

 private:
  SparseMembers members_;                           // without last bytes
  std::size_t blocks_ = 0;                          // appended
  std::vector<LargeArray<std::uint8_t>> appended_;  // last bytes
};

}  // namespace isobath
