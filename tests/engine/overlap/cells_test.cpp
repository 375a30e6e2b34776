// SPDX-License-Identifier: Apache-2.0
#include "overlap/cells.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "base/error.hpp"

namespace isobath {
namespace {

TEST(OverlapCells, SweepTheFirstWorkAndTakeTheMiddleOfTheOthers) {
  OverlapSweep sweep;
  sweep.sizes = {512};
  sweep.ratios = {0.5, 1, 2};
  sweep.tests = {0, 10, 100};
  const std::vector<OverlapCell> cells = overlap_cells(sweep);
  const auto count = [&](ProgressMode mode, WorkKind work) {
    return std::count_if(cells.begin(), cells.end(),
                         [&](const OverlapCell& cell) { return cell.mode == mode && cell.work == work; });
  };
  EXPECT_EQ(count(ProgressMode::library, WorkKind::product), 3);  // ratios
  EXPECT_EQ(count(ProgressMode::library, WorkKind::triad), 1);
  EXPECT_EQ(count(ProgressMode::tests, WorkKind::product), 5);  // ratios and tests, the middle once
  EXPECT_EQ(count(ProgressMode::tests, WorkKind::scan), 1);
  for (const OverlapCell& cell : cells) {
    if (cell.mode == ProgressMode::library) {
      EXPECT_EQ(cell.tests, 0);
    }
    if (cell.work != WorkKind::product) {
      EXPECT_EQ(cell.ratio, 1);
    }
  }
}

TEST(OverlapCells, BarriersHaveNoSizeAndTreesDoWhatTheyCan) {
  OverlapSweep sweep;
  sweep.collectives = {"barrier", "alltoall", "bcast"};
  sweep.modes = {ProgressMode::offload};
  sweep.works = {WorkKind::triad};
  sweep.ratios = {1};
  std::vector<std::pair<std::string, std::int64_t>> found;
  for (const OverlapCell& cell : overlap_cells(sweep)) found.emplace_back(cell.collective, cell.size_bytes);
  EXPECT_EQ(found, (std::vector<std::pair<std::string, std::int64_t>>{
                       {"barrier", 0}, {"bcast", 16}, {"bcast", 512}, {"bcast", 4096}, {"bcast", 8192}}));
}

TEST(ProgressModes, AreNamed) {
  for (const char* name : {"library", "tests", "thread", "spare_thread", "library_thread", "offload"}) {
    EXPECT_EQ(name_of(parse_progress_mode(name)), name);
  }
  EXPECT_THROW(parse_progress_mode("magic"), UsageError);
}

}  // namespace
}  // namespace isobath
