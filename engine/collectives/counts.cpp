// SPDX-License-Identifier: Apache-2.0
#include "collectives/counts.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/expects.hpp"

namespace isobath {
namespace {

/// A whole text as a number. @throws UsageError
template <class Number>
Number number_in(const std::string& all, std::string_view digits, Number least) {
  Number number{};
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (error != std::errc() || end != digits.data() + digits.size() || !(number >= least)) {
    throw UsageError(fmt::format("'{}' in the counts '{}' is no number from {}", digits, all, least));
  }
  return number;
}

/// `total` in proportion to the weights, by largest remainders.
std::vector<std::int64_t> in_proportion(const std::vector<double>& weights, std::int64_t total) {
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  std::vector<std::int64_t> counts;
  std::vector<double> remainders;
  for (const double weight : weights) {
    const double exact = static_cast<double>(total) * (weight / sum);
    counts.push_back(std::min(static_cast<std::int64_t>(exact), total));
    remainders.push_back(exact - std::floor(exact));
  }
  std::int64_t left = total - std::accumulate(counts.begin(), counts.end(), std::int64_t{0});
  std::vector<std::size_t> order(weights.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order,
                           [&](std::size_t a, std::size_t b) { return remainders[a] > remainders[b]; });
  for (std::size_t i = 0; left > 0; i = (i + 1) % order.size()) {
    if (weights[order[i]] == 0) continue;
    ++counts[order[i]];
    --left;
  }
  // Large totals are not exact in double precision: what was given too much is taken back.
  for (std::size_t i = 0; left < 0; i = (i + 1) % order.size()) {
    if (counts[i] == 0) continue;
    --counts[i];
    ++left;
  }
  return counts;
}

std::vector<double> weights_of(const Distribution& distribution, int row, int columns) {
  std::vector<double> weights(static_cast<std::size_t>(columns), 0.0);
  switch (distribution.kind) {
    case Distribution::Kind::uniform:
      std::ranges::fill(weights, 1.0);
      break;
    case Distribution::Kind::zipf:
      for (std::size_t k = 0; k < weights.size(); ++k) {
        weights[k] = std::pow(static_cast<double>(k + 1), -distribution.exponent);
      }
      break;
    case Distribution::Kind::sparse:
      for (std::int64_t k = 0; k < distribution.number; ++k) {
        const std::int64_t step = 1 + k * columns / distribution.number;
        weights[static_cast<std::size_t>((row + step) % columns)] = 1;
      }
      break;
    case Distribution::Kind::block: {
      const int first = row / distribution.number * distribution.number;
      for (int k = first; k < std::min(first + distribution.number, columns); ++k) {
        weights[static_cast<std::size_t>(k)] = 1;
      }
      break;
    }
    case Distribution::Kind::recorded:
      throw InternalError("recorded counts are read, not calculated");
  }
  return weights;
}

}  // namespace

Distribution Distribution::parse(const std::string& text) {
  const std::size_t colon = text.find(':');
  const std::string kind = text.substr(0, colon);
  const std::string_view rest =
      colon == std::string::npos ? std::string_view() : std::string_view(text).substr(colon + 1);
  if (kind == "uniform" && colon == std::string::npos) return {};
  if (kind == "zipf") return {.kind = Kind::zipf, .exponent = number_in<double>(text, rest, 0.0)};
  if (kind == "sparse") return {.kind = Kind::sparse, .number = number_in<int>(text, rest, 1)};
  if (kind == "block") return {.kind = Kind::block, .number = number_in<int>(text, rest, 1)};
  if (kind == "recorded" && !rest.empty()) return {.kind = Kind::recorded, .name = std::string(rest)};
  throw UsageError(fmt::format(
      "there are no counts '{}'; write uniform, zipf:1.2, sparse:3, block:4 or recorded:NAME", text));
}

std::string Distribution::text() const {
  switch (kind) {
    case Kind::uniform:
      return "uniform";
    case Kind::zipf:
      return fmt::format("zipf:{}", exponent);
    case Kind::sparse:
      return fmt::format("sparse:{}", number);
    case Kind::block:
      return fmt::format("block:{}", number);
    case Kind::recorded:
      return fmt::format("recorded:{}", name);
  }
  throw InternalError("counts of an unknown kind; please report this");
}

std::vector<std::int64_t> spread(const Distribution& distribution, int row, int columns, std::int64_t total) {
  ISOBATH_EXPECTS(columns > 0 && total >= 0);
  ISOBATH_EXPECTS(distribution.kind != Distribution::Kind::sparse || distribution.number <= columns);
  return in_proportion(weights_of(distribution, row, columns), total);
}

double gini(std::vector<std::int64_t> entries) {
  std::ranges::sort(entries);
  double sum = 0;
  double weighted = 0;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    sum += static_cast<double>(entries[i]);
    weighted += static_cast<double>(i + 1) * static_cast<double>(entries[i]);
  }
  if (sum == 0) return 0;
  const auto n = static_cast<double>(entries.size());
  return std::max(0.0, (2 * weighted / sum - n - 1) / n);
}

CountFacts facts_of(const Counts& counts) {
  CountFacts facts;
  std::vector<std::int64_t> columns(static_cast<std::size_t>(counts.columns), 0);
  facts.fewest_peers = counts.columns;
  for (int row = 0; row < counts.rows; ++row) {
    std::int64_t sum = 0;
    int peers = 0;
    for (int column = 0; column < counts.columns; ++column) {
      const std::int64_t entry = counts.at(row, column);
      sum += entry;
      columns[static_cast<std::size_t>(column)] += entry;
      peers += entry != 0 ? 1 : 0;
      facts.largest_entry = std::max(facts.largest_entry, entry);
    }
    facts.total += sum;
    facts.largest_row = std::max(facts.largest_row, sum);
    facts.fewest_peers = std::min(facts.fewest_peers, peers);
    facts.most_peers = std::max(facts.most_peers, peers);
  }
  if (!columns.empty()) facts.largest_column = *std::ranges::max_element(columns);
  facts.gini = gini(counts.elements);
  return facts;
}

}  // namespace isobath
