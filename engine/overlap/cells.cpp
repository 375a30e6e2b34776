// SPDX-License-Identifier: Apache-2.0
#include "overlap/cells.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/error.hpp"
#include "overlap/operation.hpp"

namespace isobath {
namespace {

constexpr std::pair<ProgressMode, std::string_view> mode_names[] = {
    {ProgressMode::library, "library"},
    {ProgressMode::tests, "tests"},
    {ProgressMode::thread, "thread"},
    {ProgressMode::spare_thread, "spare_thread"},
    {ProgressMode::library_thread, "library_thread"},
    {ProgressMode::offload, "offload"},
};

double next_to_1(const std::vector<double>& ratios) {
  return *std::min_element(ratios.begin(), ratios.end(),
                           [](double a, double b) { return std::abs(std::log(a)) < std::abs(std::log(b)); });
}

/// All ratios and numbers of tests of one collective, size and mode.
void add_sweep(const OverlapSweep& sweep, const OverlapCell& like, std::vector<OverlapCell>& cells) {
  const std::vector<int> none = {0};
  const std::vector<int>& tests = like.mode == ProgressMode::tests ? sweep.tests : none;
  const int middle_tests = tests[tests.size() / 2];
  const double middle_ratio = next_to_1(sweep.ratios);
  for (const WorkKind work : sweep.works) {
    const bool is_first = work == sweep.works.front();
    for (const double ratio : sweep.ratios) {
      for (const int count : tests) {
        const bool is_middle = ratio == middle_ratio && count == middle_tests;
        if (!is_middle && (!is_first || (ratio != middle_ratio && count != middle_tests))) continue;
        OverlapCell cell = like;
        cell.work = work;
        cell.ratio = ratio;
        cell.tests = count;
        cells.push_back(std::move(cell));
      }
    }
  }
}

}  // namespace

std::string_view name_of(ProgressMode mode) {
  for (const auto& [value, name] : mode_names) {
    if (value == mode) return name;
  }
  return {};
}

ProgressMode parse_progress_mode(std::string_view text) {
  for (const auto& [value, name] : mode_names) {
    if (name == text) return value;
  }
  throw UsageError("progress '" + std::string(text) +
                   "' is unknown; choose library, tests, thread, spare_thread, library_thread or offload");
}

std::vector<OverlapCell> overlap_cells(const OverlapSweep& sweep) {
  std::vector<OverlapCell> cells;
  const std::vector<std::int64_t> no_size = {0};
  for (const std::string& collective : sweep.collectives) {
    for (const std::int64_t size : collective == "barrier" ? no_size : sweep.sizes) {
      for (const ProgressMode mode : sweep.modes) {
        if (mode == ProgressMode::offload && !can_be_offloaded(collective)) continue;
        add_sweep(sweep, {.collective = collective, .size_bytes = size, .mode = mode}, cells);
      }
    }
  }
  return cells;
}

}  // namespace isobath
