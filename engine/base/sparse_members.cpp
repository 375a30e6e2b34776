// SPDX-License-Identifier: Apache-2.0
#include "base/sparse_members.hpp"

#include <bit>

namespace isobath {

SparseMembers::SparseMembers(std::span<const Word> bits)
    : words_(bits.size()), begin_(blocks_of(words_) + 1) {
  const auto of_block = [&](std::size_t block) {
    return bits.subspan(block * block_words, std::min(block_words, bits.size() - block * block_words));
  };
#pragma omp parallel for schedule(static)
  for (std::size_t block = 0; block < num_blocks(); ++block) {
    for (const Word word : of_block(block))
      begin_[block + 1] += static_cast<std::uint32_t>(std::popcount(word));
  }
  begin_blocks();
#pragma omp parallel for schedule(static)
  for (std::size_t block = 0; block < num_blocks(); ++block) {
    std::size_t place = begin_[block];
    for_each_bit(of_block(block),
                 [&](std::size_t bit) { last_bytes_[place++] = static_cast<std::uint8_t>(bit); });
  }
}

SparseMembers::SparseMembers(std::size_t size, std::span<const std::uint32_t> members)
    : words_(words_for(size)), begin_(blocks_of(words_) + 1) {
  for (const std::uint32_t member : members) ++begin_[member / block_size + 1];
  begin_blocks();
  for (std::size_t i = 0; i < members.size(); ++i) last_bytes_[i] = static_cast<std::uint8_t>(members[i]);
}

/// From the number of members of each block, behind it.
void SparseMembers::begin_blocks() {
  for (std::size_t block = 0; block < num_blocks(); ++block) begin_[block + 1] += begin_[block];
  last_bytes_ = LargeArray<std::uint8_t>(begin_[num_blocks()]);
}

LargeArray<Word> SparseMembers::bits(std::size_t first_word, std::size_t words) const {
  LargeArray<Word> bits(words);
  const std::size_t first = first_word * word_bits;
  const std::size_t end = first + words * word_bits;
  for (std::size_t block = first / block_size; block < num_blocks() && block * block_size < end; ++block) {
    for (std::size_t place = begin_[block]; place < begin_[block + 1]; ++place) {
      const std::size_t index = block * block_size + last_bytes_[place];
      if (index >= first && index < end) set_bit(bits.span(), index - first);
    }
  }
  return bits;
}

}  // namespace isobath
