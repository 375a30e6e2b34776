// SPDX-License-Identifier: Apache-2.0
#include "timing/median_interval.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/expects.hpp"

namespace isobath {
namespace {

std::vector<std::int64_t> ordered(std::span<const std::int64_t> values) {
  std::vector<std::int64_t> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  return sorted;
}

double middle_of(const std::vector<std::int64_t>& sorted) {
  const std::size_t half = sorted.size() / 2;
  if (sorted.size() % 2 == 1) return static_cast<double>(sorted[half]);
  return (static_cast<double>(sorted[half - 1]) + static_cast<double>(sorted[half])) / 2;
}

}  // namespace

double median_of(std::span<const std::int64_t> values) {
  ISOBATH_EXPECTS(!values.empty());
  return middle_of(ordered(values));
}

std::optional<std::pair<std::size_t, std::size_t>> median_interval_ranks(std::size_t n) {
  constexpr double z = 1.96;
  const auto count = static_cast<double>(n);
  const double reach = z * std::sqrt(count);
  const double lower = std::floor((count - reach) / 2);
  const double upper = std::ceil(1 + (count + reach) / 2);
  if (lower < 1 || upper > count) return std::nullopt;
  return std::pair(static_cast<std::size_t>(lower) - 1, static_cast<std::size_t>(upper) - 1);
}

std::optional<double> relative_half_width(std::span<const std::int64_t> values) {
  const auto ranks = median_interval_ranks(values.size());
  if (!ranks) return std::nullopt;
  const std::vector<std::int64_t> sorted = ordered(values);
  const double median = middle_of(sorted);
  if (median <= 0) return std::nullopt;
  return static_cast<double>(sorted[ranks->second] - sorted[ranks->first]) / 2 / median;
}

double effective_count(std::span<const std::int64_t> values) {
  const auto count = static_cast<double>(values.size());
  if (values.size() < 3) return count;
  double sum = 0;
  for (const std::int64_t value : values) sum += static_cast<double>(value);
  const double mean = sum / count;  // exact where all are equal
  double variance = 0;
  double with_next = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double off = static_cast<double>(values[i]) - mean;
    variance += off * off;
    if (i > 0) with_next += off * (static_cast<double>(values[i - 1]) - mean);
  }
  if (variance <= 0) return count;
  const double correlation = with_next / variance;
  return std::clamp(count * (1 - correlation) / (1 + correlation), 1.0, count);
}

}  // namespace isobath
