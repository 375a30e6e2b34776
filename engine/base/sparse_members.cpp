// SPDX-License-Identifier: Apache-2.0
#include "base/sparse_members.hpp"

#include <bit>
#include <utility>

#include "base/expects.hpp"
#include "base/narrow.hpp"

namespace isobath {

SparseMembers::SparseMembers(std::span<const Word> bits) {
  Builder builder(bits.size());
  builder.append(bits);
  *this = builder.take();
}

SparseMembers::SparseMembers(std::size_t size, std::span<const std::size_t> members)
    : words_(words_for(size)), begin_(blocks_of(words_) + 1), last_bytes_(members.size()) {
  for (const std::size_t member : members) ++begin_[member / block_size + 1];
  begin_blocks(0, num_blocks());
  for (std::size_t i = 0; i < members.size(); ++i) last_bytes_[i] = static_cast<std::uint8_t>(members[i]);
}

/// From the number of members of each block, behind it. Those before the first have begun.
void SparseMembers::begin_blocks(std::size_t first, std::size_t end) {
  std::uint64_t members = begin_[first];
  for (std::size_t block = first; block < end; ++block) {
    begin_[block + 1] = static_cast<std::uint32_t>(members += begin_[block + 1]);
  }
  narrow<std::uint32_t>(members, "vertices that a rank names");
}

SparseMembers::Builder::Builder(std::size_t words) {
  members_.words_ = words;
  members_.begin_ = LargeArray<std::uint32_t>(blocks_of(words) + 1);
}

void SparseMembers::Builder::append(std::span<const Word> bits) {
  const std::size_t first = blocks_;
  const std::size_t end = first + blocks_of(bits.size());
  const std::size_t end_word = first * block_words + bits.size();
  ISOBATH_EXPECTS(end_word == members_.words_ || (end_word < members_.words_ && end_word % block_words == 0));
  LargeArray<std::uint32_t>& begin = members_.begin_;
  const auto of_block = [&](std::size_t block) {
    const std::size_t at = (block - first) * block_words;
    return bits.subspan(at, std::min(block_words, bits.size() - at));
  };
#pragma omp parallel for schedule(static)
  for (std::size_t block = first; block < end; ++block) {
    for (const Word word : of_block(block))
      begin[block + 1] += static_cast<std::uint32_t>(std::popcount(word));
  }
  members_.begin_blocks(first, end);
  LargeArray<std::uint8_t> last_bytes(begin[end] - begin[first]);
#pragma omp parallel for schedule(static)
  for (std::size_t block = first; block < end; ++block) {
    std::size_t place = begin[block] - begin[first];
    for_each_bit(of_block(block),
                 [&](std::size_t bit) { last_bytes[place++] = static_cast<std::uint8_t>(bit); });
  }
  appended_.push_back(std::move(last_bytes));
  blocks_ = end;
}

SparseMembers SparseMembers::Builder::take() {
  ISOBATH_EXPECTS(blocks_ == members_.num_blocks());
  LargeArray<std::uint8_t>& all = members_.last_bytes_;
  if (appended_.size() == 1) {
    all = std::move(appended_.front());
    return std::move(members_);
  }
  all = LargeArray<std::uint8_t>(members_.begin_[blocks_]);
  std::size_t at = 0;
  for (LargeArray<std::uint8_t>& part : appended_) {
#pragma omp parallel for schedule(static)
    for (std::size_t i = 0; i < part.size(); ++i) all[at + i] = part[i];
    at += part.size();
    part = {};  // so that no more than one part is there twice
  }
  return std::move(members_);
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
