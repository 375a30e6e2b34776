// SPDX-License-Identifier: Apache-2.0
#include "bfs/proposal_codec.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace isobath {
namespace {

constexpr std::uint32_t more = 0x80;

std::size_t number_size(std::uint32_t number) {
  std::size_t bytes = 1;
  while ((number >>= 7) != 0) ++bytes;
  return bytes;
}

void put_number(std::uint32_t number, std::vector<std::byte>& packed) {
  while (number >= more) {
    packed.push_back(static_cast<std::byte>(number | more));
    number >>= 7;
  }
  packed.push_back(static_cast<std::byte>(number));
}

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

}  // namespace

std::size_t packed_size(std::span<const std::uint32_t> ascending) {
  std::size_t bytes = 0;
  for_each_difference(
      ascending.size(), [&](std::size_t i) { return ascending[i]; },
      [&](std::uint32_t difference) { bytes += number_size(difference); });
  return bytes;
}

void pack_ascending(std::span<const std::uint32_t> ascending, std::vector<std::byte>& packed) {
  for_each_difference(
      ascending.size(), [&](std::size_t i) { return ascending[i]; },
      [&](std::uint32_t difference) { put_number(difference, packed); });
}

void unpack_ascending(std::span<const std::byte> packed, std::vector<std::uint32_t>& numbers) {
  std::uint32_t next = 0;
  for (std::size_t at = 0; at < packed.size();) {
    numbers.push_back(next + take_number(packed, at));
    next = numbers.back() + 1;
  }
}

void pack_proposals(std::span<Proposal> proposals, int source_bits, std::vector<std::byte>& packed) {
  if (proposals.empty()) return;
  const auto by_target = [](const Proposal& a, const Proposal& b) { return a.target < b.target; };
  if (!std::is_sorted(proposals.begin(), proposals.end(), by_target)) {
    std::sort(proposals.begin(), proposals.end(), by_target);
  }
  put_number(static_cast<std::uint32_t>(proposals.size()), packed);
  for_each_difference(
      proposals.size(), [&](std::size_t i) { return proposals[i].target; },
      [&](std::uint32_t difference) { put_number(difference, packed); });
  std::uint64_t bits = 0;
  int filled = 0;
  for (const Proposal& proposal : proposals) {
    bits |= std::uint64_t{proposal.source} << filled;
    for (filled += source_bits; filled >= 8; filled -= 8, bits >>= 8) {
      packed.push_back(static_cast<std::byte>(bits));
    }
  }
  if (filled > 0) packed.push_back(static_cast<std::byte>(bits));
}

void unpack_proposals(std::span<const std::byte> packed, int source_bits, std::vector<Proposal>& proposals) {
  if (packed.empty()) return;
  std::size_t at = 0;
  const std::size_t count = take_number(packed, at);
  const std::size_t first = proposals.size();
  std::uint32_t next = 0;
  for (std::size_t i = 0; i < count; ++i) {
    proposals.push_back({next + take_number(packed, at), 0});
    next = proposals.back().target + 1;
  }
  if (packed.size() - at != (count * static_cast<std::size_t>(source_bits) + 7) / 8) {
    throw InternalError("a packed message has not the length of its proposals; please report this");
  }
  std::uint64_t bits = 0;
  int filled = 0;
  const std::uint64_t mask = (std::uint64_t{1} << source_bits) - 1;
  for (std::size_t i = first; i < proposals.size(); ++i) {
    for (; filled < source_bits; filled += 8) bits |= std::to_integer<std::uint64_t>(packed[at++]) << filled;
    proposals[i].source = static_cast<std::uint32_t>(bits & mask);
    bits >>= source_bits;
    filled -= source_bits;
  }
}

}  // namespace isobath
