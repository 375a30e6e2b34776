// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>

namespace isobath {

/// Statistics of a sample as the Graph500 reference 3.0 computes them.
struct Statistics {
  double min = 0;
  double first_quartile = 0;
  double median = 0;
  double third_quartile = 0;
  double max = 0;
  double mean = 0;
  std::optional<double> standard_deviation;  // over n - 1; absent for a single value
};

/// Quartiles are means of two order statistics (x ascending, from 0, integer division): the first of
/// x[(n-1)/4] and x[n/4], the median of x[(n-1)/2] and x[n/2], the third of x[n-1-(n-1)/4] and x[n-1-n/4].
/// `values` is not empty.
Statistics statistics(std::span<const double> values);

/// Statistics of a rate, such as traversed edges per second.
struct RateStatistics {
  double min = 0;
  double first_quartile = 0;
  double median = 0;
  double third_quartile = 0;
  double max = 0;
  double harmonic_mean = 0;
  std::optional<double> harmonic_standard_error;  // absent for a single search
};

/// Rates of searches that traversed `edges` (> 0) in `seconds` (> 0); both have the same, not zero, size.
///
/// All come from s = seconds / edges: the smallest rate is 1 / max s and so on, the harmonic mean 1 /
/// mean(s), over searches and not over edges. Its standard error is std(s) / (mean(s)^2 sqrt(n - 1)) (N.
/// Norris, Ann. Math. Statist. 11 (1940) 445-448, as the reference prints it).
RateStatistics rate_statistics(std::span<const double> edges, std::span<const double> seconds);

}  // namespace isobath
