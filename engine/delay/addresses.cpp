// SPDX-License-Identifier: Apache-2.0
#include "delay/addresses.hpp"

#include <algorithm>

namespace isobath {
namespace {

// A frame begins with the address that it is for; that of its sender follows.
constexpr std::size_t address_bytes = 6;

std::uint64_t number_of(std::span<const std::byte> address) {
  std::uint64_t number = 0;
  for (const std::byte part : address) number = number << 8 | std::to_integer<std::uint64_t>(part);
  return number;
}

}  // namespace

void Addresses::learn(std::size_t port, std::span<const std::byte> ethernet) {
  if (ethernet.size() < 2 * address_bytes) return;
  address_of_[port] = number_of(ethernet.subspan(address_bytes, address_bytes));
}

std::optional<std::size_t> Addresses::port_for(std::span<const std::byte> ethernet) const {
  if (ethernet.size() < 2 * address_bytes) return std::nullopt;
  const std::uint64_t wanted = number_of(ethernet.first(address_bytes));
  const auto place = std::find(address_of_.begin(), address_of_.end(), wanted);
  if (wanted == unknown || place == address_of_.end()) return std::nullopt;
  return static_cast<std::size_t>(place - address_of_.begin());
}

}  // namespace isobath
