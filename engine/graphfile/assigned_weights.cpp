// SPDX-License-Identifier: Apache-2.0
#include "graphfile/assigned_weights.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

namespace isobath {
namespace {

constexpr std::array<std::string_view, 3> names = {"", "unit", "random"};

/// Scatters bits (splitmix64: Steele, Lea and Flood, OOPSLA 2014).
std::uint64_t scattered(std::uint64_t bits) {
  bits += 0x9e3779b97f4a7c15U;
  bits = (bits ^ bits >> 30) * 0xbf58476d1ce4e5b9U;
  bits = (bits ^ bits >> 27) * 0x94d049bb133111ebU;
  return bits ^ bits >> 31;
}

}  // namespace

float AssignedWeights::of(const Edge& edge) const {
  if (rule != Rule::random) return 1;
  const std::int64_t low = std::min(raw(edge.u), raw(edge.v));
  const std::int64_t high = std::max(raw(edge.u), raw(edge.v));
  const std::uint64_t bits = scattered(scattered(scattered(seed) ^ static_cast<std::uint64_t>(low)) ^
                                       static_cast<std::uint64_t>(high));
  // 24 bits fill a float32; more would round some of them up to 1.
  return static_cast<float>(bits >> 40) * 0x1p-24F;
}

std::string_view name_of(AssignedWeights::Rule rule) { return names[static_cast<std::size_t>(rule)]; }

AssignedWeights::Rule weight_rule_of(std::string_view word) {
  if (word == "unit") return AssignedWeights::Rule::unit;
  return word == "random" ? AssignedWeights::Rule::random : AssignedWeights::Rule::none;
}

}  // namespace isobath
