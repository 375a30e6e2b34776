// SPDX-License-Identifier: Apache-2.0
#include "bfs/hybrid/bits_or_lists.hpp"

#include <algorithm>

#include "bfs/proposal_codec.hpp"

namespace isobath {

/// Decides by counts, since a list takes a byte for each at the least; and again when it is packed.
BitsOrLists::Form BitsOrLists::pack(const Piece& own, const ListRule& rule) {
  const std::size_t num_set = count_bits(own.now);
  const auto num_new = static_cast<std::int64_t>(num_set - count_bits(own.before));
  const auto num_unset = static_cast<std::int64_t>(own.count - num_set);
  const bool lists_new = num_new <= (rule.prefers_new ? rule.most_bytes : num_unset);
  if ((lists_new ? num_new : num_unset) > rule.most_bytes) return Form::bits;
  listed_.clear();
  for (std::size_t w = 0; w < own.now.size(); ++w) {
    const Word before = own.before.empty() ? 0 : own.before[w];
    const Word listed = lists_new ? own.now[w] & ~before : ~own.now[w] & word_of_first(own.count, w);
    for_each_bit(listed, static_cast<std::uint32_t>(w * word_bits),
                 [&](std::uint32_t bit) { listed_.push_back(bit); });
  }
  packed_.clear();
  pack_ascending(listed_, packed_);
  if (std::ssize(packed_) > rule.most_bytes) return Form::bits;
  return lists_new ? Form::list_of_new : Form::list_of_unset;
}

void BitsOrLists::gather(const Piece& own, const ListRule& rule) {
  const Form form = pack(own, rule);
  pieces_.gather(form == Form::bits ? std::as_bytes(own.now) : std::span<const std::byte>(packed_),
                 static_cast<std::int64_t>(form));
}

void BitsOrLists::unpack(std::size_t rank, std::span<Word> words, std::size_t count) {
  if (form_of(rank) == Form::bits) {
    std::ranges::copy(pieces_.of(rank), std::as_writable_bytes(words).begin());
    return;
  }
  if (form_of(rank) == Form::list_of_unset) set_first(words, count);
  listed_.clear();
  unpack_ascending(pieces_.of(rank), listed_);
  // Sets newly set bits in what was before; clears unset ones where all were set above.
  for (const std::uint32_t bit : listed_) words[bit / word_bits] ^= Word{1} << (bit % word_bits);
}

}  // namespace isobath
