// SPDX-License-Identifier: Apache-2.0
#include "overlap/combine.hpp"

#include <algorithm>
#include <cstring>

#include "base/expects.hpp"

namespace isobath {
namespace {

/// Element by element through copies: payloads are not aligned.
template <class T, class Join>
void join(std::span<std::byte> into, std::span<const std::byte> other, Join&& join_two) {
  for (std::size_t at = 0; at < into.size(); at += sizeof(T)) {
    T left;
    T right;
    std::memcpy(&left, into.data() + at, sizeof(T));
    std::memcpy(&right, other.data() + at, sizeof(T));
    left = join_two(left, right);
    std::memcpy(into.data() + at, &left, sizeof(T));
  }
}

template <class T>
void join_numbers(TreeOperator combine, std::span<std::byte> into, std::span<const std::byte> other) {
  if (combine == TreeOperator::sum) return join<T>(into, other, [](T a, T b) { return a + b; });
  if (combine == TreeOperator::min) return join<T>(into, other, [](T a, T b) { return std::min(a, b); });
  join<T>(into, other, [](T a, T b) { return std::max(a, b); });
}

void join_bits(TreeOperator combine, std::span<std::byte> into, std::span<const std::byte> other) {
  using T = std::uint64_t;
  if (combine == TreeOperator::bit_or) return join<T>(into, other, [](T a, T b) { return a | b; });
  if (combine == TreeOperator::bit_and) return join<T>(into, other, [](T a, T b) { return a & b; });
  join<T>(into, other, [](T a, T b) { return a ^ b; });
}

void join_places(TreeOperator combine, std::span<std::byte> into, std::span<const std::byte> other) {
  join<Located>(into, other, [combine](const Located& a, const Located& b) {
    if (a.value == b.value) return a.place <= b.place ? a : b;
    return (a.value < b.value) == (combine == TreeOperator::min_location) ? a : b;
  });
}

bool is_of_numbers(TreeOperator combine) { return combine <= TreeOperator::max; }
bool is_of_bits(TreeOperator combine) {
  return combine >= TreeOperator::bit_or && combine <= TreeOperator::bit_xor;
}

}  // namespace

bool is_defined(TreeType type, TreeOperator combine) {
  if (type == TreeType::located) return !is_of_numbers(combine) && !is_of_bits(combine);
  return is_of_numbers(combine) || (type == TreeType::int64 && is_of_bits(combine));
}

void combine_elements(TreeType type, TreeOperator combine, std::span<std::byte> into,
                      std::span<const std::byte> other) {
  ISOBATH_EXPECTS(is_defined(type, combine));
  ISOBATH_EXPECTS(into.size() == other.size() && into.size() % bytes_of(type) == 0);
  if (type == TreeType::located) return join_places(combine, into, other);
  if (is_of_bits(combine)) return join_bits(combine, into, other);
  if (type == TreeType::float64) return join_numbers<double>(combine, into, other);
  join_numbers<std::int64_t>(combine, into, other);
}

}  // namespace isobath
