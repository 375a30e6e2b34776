// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>

namespace isobath {

/// The middle value; of an even number of values the mean of the two in the middle. @throws InternalError of
/// none
double median_of(std::span<const std::int64_t> values);

/// Which of n ordered values, counted from 0, enclose the median with 95 % confidence whatever the
/// distribution: by Le Boudec, counted from 1, floor((n - z sqrt n) / 2) and ceil(1 + (n + z sqrt n) / 2),
/// z = 1.96 (Performance Evaluation of Computer and Communication Systems, 2.2.2; Hoefler and Belli, SC
/// 2015). Absent where n is too small for such values to exist (n < 8).
std::optional<std::pair<std::size_t, std::size_t>> median_interval_ranks(std::size_t n);

/// Half the length of that interval as a part of the median. Absent where there is no interval or the median
/// is not positive.
std::optional<double> relative_half_width(std::span<const std::int64_t> values);

/// How many independent values are worth as much as these in their order: n (1 - r) / (1 + r), where r is
/// their correlation with the value before. At most n: values that swing are not counted for more. Constant
/// values, and fewer than three, are taken as independent.
double effective_count(std::span<const std::int64_t> values);

}  // namespace isobath
