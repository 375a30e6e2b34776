// SPDX-License-Identifier: Apache-2.0
#include "graph500/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "base/expects.hpp"

namespace isobath {

Statistics statistics(std::span<const double> values) {
  ISOBATH_EXPECTS(!values.empty());
  const std::size_t n = values.size();
  Statistics result;
  double sum = 0;
  for (const double value : values) sum += value;
  result.mean = sum / static_cast<double>(n);
  if (n > 1) {
    double squares = 0;
    for (const double value : values) squares += (value - result.mean) * (value - result.mean);
    result.standard_deviation = std::sqrt(squares / static_cast<double>(n - 1));
  }

  std::vector<double> x(values.begin(), values.end());
  std::sort(x.begin(), x.end());
  const auto middle_of = [&](std::size_t a, std::size_t b) { return (x[a] + x[b]) * 0.5; };
  result.min = x[0];
  result.first_quartile = middle_of((n - 1) / 4, n / 4);
  result.median = middle_of((n - 1) / 2, n / 2);
  result.third_quartile = middle_of(n - 1 - (n - 1) / 4, n - 1 - n / 4);
  result.max = x[n - 1];
  return result;
}

RateStatistics rate_statistics(std::span<const double> edges, std::span<const double> seconds) {
  ISOBATH_EXPECTS(edges.size() == seconds.size());
  std::vector<double> seconds_per_edge(edges.size());
  for (std::size_t i = 0; i < edges.size(); ++i) seconds_per_edge[i] = seconds[i] / edges[i];
  const Statistics s = statistics(seconds_per_edge);

  RateStatistics rates;
  rates.min = 1 / s.max;
  rates.first_quartile = 1 / s.third_quartile;
  rates.median = 1 / s.median;
  rates.third_quartile = 1 / s.first_quartile;
  rates.max = 1 / s.min;
  rates.harmonic_mean = 1 / s.mean;
  if (s.standard_deviation) {
    rates.harmonic_standard_error =
        *s.standard_deviation / (s.mean * s.mean * std::sqrt(static_cast<double>(edges.size() - 1)));
  }
  return rates;
}

}  // namespace isobath
