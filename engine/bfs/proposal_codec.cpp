// SPDX-License-Identifier: Apache-2.0
#include "bfs/proposal_codec.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/error.hpp"

namespace isobath {
namespace {

constexpr std::uint32_t more = 0x80;
constexpr std::size_t longest_number = 5;  // bytes of 32 bits, 7 to a byte

std::size_t number_size(std::uint32_t number) {
  std::size_t bytes = 1;
  while ((number >>= 7) != 0) ++bytes;
  return bytes;
}

/// Where bytes are appended: with room for the most that can come, then cut to what came.
class Appender {
 public:
  Appender(std::vector<std::byte>& bytes, std::size_t most) : bytes_(bytes), at_(bytes.size()) {
    bytes_.resize(at_ + most);
    end_ = bytes_.data() + at_;
  }
  ~Appender() { bytes_.resize(static_cast<std::size_t>(end_ - bytes_.data())); }
  Appender(const Appender&) = delete;
  Appender& operator=(const Appender&) = delete;

  void number(std::uint32_t number) {
    for (; number >= more; number >>= 7) *end_++ = static_cast<std::byte>(number | more);
    *end_++ = static_cast<std::byte>(number);
  }
  /// The lowest `count` bytes of `bits`, lowest first; room for all of them.
  void bits(std::uint64_t bits, int count) {
    for (int i = 0; i < count; ++i, bits >>= 8) *end_++ = static_cast<std::byte>(bits);
  }

 private:
  std::vector<std::byte>& bytes_;
  std::size_t at_;
  std::byte* end_;
};

std::uint32_t take_number(std::span<const std::byte> packed, std::size_t& at) {
  std::uint32_t number = 0;
  for (int shift = 0; shift < 35; shift += 7) {
    if (at == packed.size()) break;
    const auto byte = std::to_integer<std::uint32_t>(packed[at++]);
    number |= (byte & (more - 1)) << shift;
    if (byte < more) return number;
  }
  throw InternalError("a packed message ends inside a number; please report this");
}

/// The 8 bytes from `at`, lowest first; beyond the end they are zero.
std::uint64_t take_word(std::span<const std::byte> packed, std::size_t at) {
  std::uint64_t word = 0;
  if (std::endian::native == std::endian::little && at + sizeof word <= packed.size()) {
    std::memcpy(&word, packed.data() + at, sizeof word);
    return word;
  }
  for (std::size_t i = 0; i < sizeof word && at + i < packed.size(); ++i) {
    word |= std::to_integer<std::uint64_t>(packed[at + i]) << (8 * i);
  }
  return word;
}

/// Calls difference(number) for what is stored of each number of an ascending list.
template <class Visit, class Get>
void for_each_difference(std::size_t count, Get&& get, Visit&& visit) {
  std::uint32_t next = 0;  // the least that the next number can be
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t number = get(i);
    visit(number - next);
    next = number + 1;
  }
}

/// Numbers of so many bits each, one behind the other, lowest bit first.
class BitAppender {
 public:
  explicit BitAppender(Appender& append) : append_(append) {}
  /// @param bits  of the number, at most 32
  void add(std::uint64_t number, int bits) {
    bits_ |= number << filled_;
    filled_ += bits;
    if (filled_ >= half_word) {
      append_.bits(bits_, half_word / 8);
      bits_ >>= half_word;
      filled_ -= half_word;
    }
  }
  void finish() { append_.bits(bits_, (filled_ + 7) / 8); }

  static constexpr int half_word = 32;

 private:
  Appender& append_;
  std::uint64_t bits_ = 0;
  int filled_ = 0;
};

/// @param append_sources  append_sources(bits): the sources of all, in their order
template <class AppendSources>
void pack(std::span<Proposal> proposals, std::size_t source_bytes, std::vector<std::byte>& packed,
          AppendSources&& append_sources) {
  if (proposals.empty()) return;
  const auto by_target = [](const Proposal& a, const Proposal& b) { return a.target < b.target; };
  if (!std::is_sorted(proposals.begin(), proposals.end(), by_target)) {
    std::sort(proposals.begin(), proposals.end(), by_target);
  }
  Appender append(packed, longest_number + proposals.size() * (longest_number + source_bytes) + 8);
  append.number(static_cast<std::uint32_t>(proposals.size()));
  for_each_difference(
      proposals.size(), [&](std::size_t i) { return proposals[i].target; },
      [&](std::uint32_t difference) { append.number(difference); });
  BitAppender sources(append);
  append_sources(sources);
  sources.finish();
}

/// @param set_source  set_source(proposal, source)
template <class AnyProposal, class SetSource>
void unpack(std::span<const std::byte> packed, int source_bits, std::vector<AnyProposal>& proposals,
            SetSource&& set_source) {
  if (packed.empty()) return;
  std::size_t at = 0;
  const std::size_t count = take_number(packed, at);
  if (count > packed.size()) {
    throw InternalError("a packed message is shorter than its proposals; please report this");
  }
  const std::size_t first = proposals.size();
  proposals.resize(first + count);
  const std::span<AnyProposal> taken = std::span(proposals).subspan(first);
  std::uint32_t next = 0;
  for (AnyProposal& proposal : taken) {
    const std::uint32_t target = next + take_number(packed, at);
    proposal.target = target;
    next = target + 1;
  }
  const std::span<const std::byte> sources = packed.subspan(at);
  if (sources.size() != (count * static_cast<std::size_t>(source_bits) + 7) / 8) {
    throw InternalError("a packed message has not the length of its proposals; please report this");
  }
  const std::uint64_t mask = (std::uint64_t{1} << source_bits) - 1;
  std::size_t bit = 0;
  for (AnyProposal& proposal : taken) {
    set_source(proposal, take_word(sources, bit / 8) >> (bit % 8) & mask);
    bit += static_cast<std::size_t>(source_bits);
  }
}

}  // namespace

std::size_t packed_size(std::span<const std::uint32_t> ascending) {
  std::size_t bytes = 0;
  for_each_difference(
      ascending.size(), [&](std::size_t i) { return ascending[i]; },
      [&](std::uint32_t difference) { bytes += number_size(difference); });
  return bytes;
}

void pack_ascending(std::span<const std::uint32_t> ascending, std::vector<std::byte>& packed) {
  Appender append(packed, ascending.size() * longest_number);
  for_each_difference(
      ascending.size(), [&](std::size_t i) { return ascending[i]; },
      [&](std::uint32_t difference) { append.number(difference); });
}

void unpack_ascending(std::span<const std::byte> packed, std::vector<std::uint32_t>& numbers) {
  std::size_t count = numbers.size();
  numbers.resize(count + packed.size());  // a number has a byte at the least
  std::uint32_t next = 0;
  for (std::size_t at = 0; at < packed.size();) {
    numbers[count] = next + take_number(packed, at);
    next = numbers[count++] + 1;
  }
  numbers.resize(count);
}

void pack_proposals(std::span<Proposal> proposals, int source_bits, std::vector<std::byte>& packed) {
  pack(proposals, sizeof(Proposal::source), packed, [&](BitAppender& bits) {
    for (const Proposal& proposal : proposals) bits.add(proposal.source, source_bits);
  });
}

void pack_proposals(std::span<Proposal> proposals, const ColumnOriginals& originals, int source_bits,
                    std::vector<std::byte>& packed) {
  constexpr std::size_t ahead = 16;  // entries stand in no order: their memory is asked for early
  constexpr int low_bits = BitAppender::half_word;
  pack(proposals, sizeof(std::uint64_t), packed, [&](BitAppender& bits) {
    for (std::size_t i = 0; i < proposals.size(); ++i) {
      originals.prefetch(proposals[std::min(i + ahead, proposals.size() - 1)].source);
      const auto original = static_cast<std::uint64_t>(originals[proposals[i].source]);
      bits.add(original & 0xFFFFFFFF, std::min(source_bits, low_bits));
      if (source_bits > low_bits) bits.add(original >> low_bits, source_bits - low_bits);
    }
  });
}

void unpack_proposals(std::span<const std::byte> packed, int source_bits, std::vector<Proposal>& proposals) {
  unpack(packed, source_bits, proposals, [](Proposal& proposal, std::uint64_t source) {
    proposal.source = static_cast<std::uint32_t>(source);
  });
}

void unpack_proposals(std::span<const std::byte> packed, int source_bits, std::int64_t first_original,
                      std::vector<WideProposal>& proposals) {
  unpack(packed, source_bits, proposals, [&](WideProposal& proposal, std::uint64_t source) {
    proposal.parent = first_original + static_cast<std::int64_t>(source);
  });
}

}  // namespace isobath
