// SPDX-License-Identifier: Apache-2.0
#include "collectives/pattern.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

#include <fmt/format.h>

#include "base/error.hpp"

namespace isobath {
namespace {

/// Contents repeat after so many elements: a prime, so that no piece of a power of two fits.
constexpr std::int64_t period = 251;
constexpr std::byte poison_byte{0xff};  // of no value that patterns have, in any type

/// SplitMix64's finalizer over three numbers.
std::uint64_t mix(std::int64_t a, std::int64_t b, std::int64_t c) {
  std::uint64_t x = static_cast<std::uint64_t>(a) * 0x9e3779b97f4a7c15U +
                    static_cast<std::uint64_t>(b) * 0xbf58476d1ce4e5b9U +
                    static_cast<std::uint64_t>(c) * 0x94d049bb133111ebU;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31);
}

/// Values below this fit every type, exactly, and are not poison.
std::int64_t values(ElementType type) { return bytes_of(type) == 1 ? 127 : 32749; }

template <class Visitor>
auto with_type(ElementType type, Visitor visit) {
  switch (type) {
    case ElementType::plain_byte:
    case ElementType::uint8:
      return visit(std::uint8_t{});
    case ElementType::int8:
      return visit(std::int8_t{});
    case ElementType::int16:
      return visit(std::int16_t{});
    case ElementType::uint16:
      return visit(std::uint16_t{});
    case ElementType::int32:
      return visit(std::int32_t{});
    case ElementType::uint32:
      return visit(std::uint32_t{});
    case ElementType::int64:
      return visit(std::int64_t{});
    case ElementType::uint64:
      return visit(std::uint64_t{});
    case ElementType::single_precision:
      return visit(float{});
    case ElementType::double_precision:
      return visit(double{});
  }
  throw InternalError("a datatype without values; please report this");
}

/// The elements of a block from `first` on that repeat, as they lie in memory.
template <class Value>
std::vector<std::byte> one_period(ElementType type, std::int64_t count, Value value) {
  const std::int64_t elements = std::min(count, period);
  std::vector<std::byte> bytes(static_cast<std::size_t>(elements * bytes_of(type)));
  for (std::int64_t k = 0; k < elements; ++k) put_value(bytes, type, k, value(k));
  return bytes;
}

std::span<std::byte> part(std::span<std::byte> buffer, ElementType type, std::int64_t offset,
                          std::int64_t count) {
  const std::int64_t bytes = bytes_of(type);
  return buffer.subspan(static_cast<std::size_t>(offset * bytes), static_cast<std::size_t>(count * bytes));
}
std::span<const std::byte> part(std::span<const std::byte> buffer, ElementType type, std::int64_t offset,
                                std::int64_t count) {
  const std::int64_t bytes = bytes_of(type);
  return buffer.subspan(static_cast<std::size_t>(offset * bytes), static_cast<std::size_t>(count * bytes));
}

}  // namespace

std::int64_t value_at(std::span<const std::byte> buffer, ElementType type, std::int64_t element) {
  return with_type(type, [&](auto zero) {
    auto value = zero;
    std::memcpy(&value, buffer.data() + static_cast<std::size_t>(element) * sizeof value, sizeof value);
    return static_cast<std::int64_t>(value);
  });
}

void put_value(std::span<std::byte> buffer, ElementType type, std::int64_t element, std::int64_t value) {
  with_type(type, [&](auto zero) {
    const auto converted = static_cast<decltype(zero)>(value);
    std::memcpy(buffer.data() + static_cast<std::size_t>(element) * sizeof converted, &converted,
                sizeof converted);
    return 0;
  });
}

void poison(std::span<std::byte> buffer) { std::ranges::fill(buffer, poison_byte); }

std::int64_t combined(Operation operation, std::int64_t left, std::int64_t right) {
  const auto wrapped = [](std::uint64_t value) { return static_cast<std::int64_t>(value); };
  const auto a = static_cast<std::uint64_t>(left);
  const auto b = static_cast<std::uint64_t>(right);
  switch (operation) {
    case Operation::sum:
      return wrapped(a + b);
    case Operation::prod:
      return wrapped(a * b);
    case Operation::min:
      return std::min(left, right);
    case Operation::max:
      return std::max(left, right);
    case Operation::band:
      return left & right;
    case Operation::bor:
      return left | right;
    case Operation::bxor:
      return left ^ right;
    case Operation::land:
      return left != 0 && right != 0 ? 1 : 0;
    case Operation::lor:
      return left != 0 || right != 0 ? 1 : 0;
    case Operation::lxor:
      return (left != 0) != (right != 0) ? 1 : 0;
  }
  throw InternalError("an operation that combines nothing; please report this");
}

std::int64_t Pattern::summand(int source, std::int64_t index, std::int64_t stamp) const {
  const std::uint64_t random = mix(source, index % period, stamp);
  switch (operation_) {
    case Operation::sum:
      return static_cast<std::int64_t>(random % 5);
    case Operation::prod:
      return random % 64 == 0 ? 2 : 1;
    case Operation::land:
    case Operation::lor:
    case Operation::lxor:
      return random % 3 == 0 ? 0 : 1;
    default:
      return static_cast<std::int64_t>(random % static_cast<std::uint64_t>(values(type_)));
  }
}

std::int64_t Pattern::sent_value(const SentBlock& block, std::int64_t index, std::int64_t stamp) const {
  if (block.is_combined) return summand(block.source, block.first_index + index, stamp);
  const std::uint64_t start = mix(block.source, block.destination, stamp);
  return static_cast<std::int64_t>((start % 65536 + static_cast<std::uint64_t>(index % period)) %
                                   static_cast<std::uint64_t>(values(type_)));
}

std::int64_t Pattern::expected_value(const ExpectedBlock& block, std::int64_t index,
                                     std::int64_t stamp) const {
  if (block.kind == ExpectedBlock::Kind::moved) {
    return sent_value({.source = block.source, .destination = block.destination}, index, stamp);
  }
  std::int64_t value = summand(0, block.first_index + index, stamp);
  for (int rank = 1; rank < block.end_rank; ++rank) {
    value = combined(operation_, value, summand(rank, block.first_index + index, stamp));
  }
  return value;
}

void Pattern::write(std::span<std::byte> buffer, const SentBlock& block, Stamps stamps) const {
  if (block.count == 0) return;
  const std::vector<std::byte> repeated =
      one_period(type_, block.count, [&](std::int64_t k) { return sent_value(block, k, stamps.rest); });
  std::span<std::byte> left = part(buffer, type_, block.offset, block.count);
  while (!left.empty()) {
    const std::size_t bytes = std::min(left.size(), repeated.size());
    std::memcpy(left.data(), repeated.data(), bytes);
    left = left.subspan(bytes);
  }
  write_stamp(buffer, block, stamps.first);
}

void Pattern::write_stamp(std::span<std::byte> buffer, const SentBlock& block, std::int64_t stamp) const {
  if (block.count == 0) return;
  put_value(part(buffer, type_, block.offset, 1), type_, 0, sent_value(block, 0, stamp));
}

std::optional<std::string> Pattern::fault(std::span<const std::byte> buffer, const ExpectedBlock& block,
                                          Stamps stamps) const {
  if (block.count == 0) return std::nullopt;
  const std::span<const std::byte> all = part(buffer, type_, block.offset, block.count);
  if (block.kind == ExpectedBlock::Kind::untouched) {
    const auto found = std::ranges::find_if(all, [](std::byte byte) { return byte != poison_byte; });
    if (found == all.end()) return std::nullopt;
    return fmt::format("byte {} after element {} of the receive buffer was written, but nobody may",
                       found - all.begin(), block.offset);
  }
  const auto wrong = [&](std::int64_t element, std::int64_t stamp) {
    // the expected value as the type has it
    std::vector<std::byte> wanted(static_cast<std::size_t>(bytes_of(type_)));
    put_value(wanted, type_, 0, expected_value(block, element, stamp));
    return fmt::format("element {} of the receive buffer is {}, but must be {}", block.offset + element,
                       value_at(all, type_, element), value_at(wanted, type_, 0));
  };
  const std::vector<std::byte> repeated =
      one_period(type_, block.count, [&](std::int64_t k) { return expected_value(block, k, stamps.rest); });
  const auto bytes = static_cast<std::size_t>(bytes_of(type_));
  std::vector<std::byte> first(bytes);
  put_value(first, type_, 0, expected_value(block, 0, stamps.first));
  if (std::memcmp(all.data(), first.data(), bytes) != 0) return wrong(0, stamps.first);
  for (std::size_t at = bytes; at < all.size();) {
    const std::size_t within = at % repeated.size();
    const std::size_t length = std::min(all.size() - at, repeated.size() - within);
    if (std::memcmp(all.data() + at, repeated.data() + within, length) != 0) {
      for (std::size_t k = at; k < at + length; k += bytes) {
        if (std::memcmp(all.data() + k, repeated.data() + k % repeated.size(), bytes) != 0) {
          return wrong(static_cast<std::int64_t>(k / bytes), stamps.rest);
        }
      }
    }
    at += length;
  }
  return std::nullopt;
}

}  // namespace isobath
