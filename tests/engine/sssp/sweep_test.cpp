// SPDX-License-Identifier: Apache-2.0
// The sweep, portable and with vectors, against relaxing every arc of every row.
#include "sssp/sweep.hpp"

#include <algorithm>
#include <random>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "base/instruction_set.hpp"

namespace isobath {
namespace {

constexpr std::size_t num_rows = 512;

/// Rows of all lengths, with ties, zeros, and vertices that reach nothing.
WeightSortedRows random_rows(std::uint64_t seed, std::uint32_t longest, std::uint32_t weights) {
  std::mt19937_64 random(seed);
  std::vector<std::vector<WeightedArc>> of(num_rows);
  std::size_t arcs = 0;
  for (auto& row : of) {
    row.resize(random() % (longest + 1));
    for (auto& neighbour : row) {
      neighbour = {static_cast<std::uint32_t>(random() % num_rows),
                   static_cast<float>(random() % weights) / static_cast<float>(weights)};
    }
    std::sort(row.begin(), row.end(), [](const auto& a, const auto& b) {
      return a.weight != b.weight ? a.weight < b.weight : a.to < b.to;
    });
    arcs += row.size();
  }
  WeightSortedRows rows;
  rows.start = LargeArray<std::uint64_t>(num_rows + 1);
  rows.neighbour = LargeArray<WeightedArc>(arcs);
  for (std::size_t row = 0; row < num_rows; ++row) {
    rows.start[row + 1] = rows.start[row] + of[row].size();
    std::copy(of[row].begin(), of[row].end(), rows.neighbour.data() + rows.start[row]);
  }
  return rows;
}

CompactWeightedRows compacted(const WeightSortedRows& rows) {
  LargeArray<std::uint32_t> length(num_rows + 1);
  for (std::size_t row = 0; row < num_rows; ++row) length[row] = rows.length(row);
  CompactWeightedRows result{CompactStarts(std::move(length)),
                             LargeArray<WeightedArc>(rows.neighbour.size())};
  std::ranges::copy(rows.neighbour, result.neighbour.begin());
  return result;
}

struct Tentative {
  std::vector<float> distance = std::vector<float>(num_rows + 16, unreached);
  std::vector<std::uint32_t> parent = std::vector<std::uint32_t>(num_rows + 16, 0);
  std::vector<std::uint16_t> lowered = std::vector<std::uint16_t>(num_rows / rows_of_entry, 0);
};

/// Rows in both forms, of which a sweep reads one.
struct BothRows {
  explicit BothRows(WeightSortedRows drawn) : all(std::move(drawn)), compact(compacted(all)) {}
  std::span<const WeightedArc> of(std::uint32_t row) const { return all.of(row); }
  WeightSortedRows all;
  CompactWeightedRows compact;
};

SweepTask task_of(const BothRows& rows, const PullStreams& streams, Tentative& found, float least_source,
                  float settled) {
  return {.rows = streams.has_light ? &rows.all : nullptr,
          .compact_rows = streams.has_light ? nullptr : &rows.compact,
          .streams = streams,
          .source = found.distance.data(),
          .distance = found.distance.data(),
          .parent = found.parent.data(),
          .lowered = found.lowered.data(),
          .least_source = least_source,
          .settled = settled};
}

bool is_lowered(const Tentative& found, std::uint32_t row) {
  const std::uint32_t bits = found.lowered[row / rows_of_entry];
  return (bits >> (row % rows_of_entry) & 1U) != 0;
}

/// Until nothing changes, the plain way.
std::vector<float> fixed_point(const BothRows& rows, std::vector<float> distance) {
  for (bool has_changed = true; has_changed;) {
    has_changed = false;
    for (std::uint32_t row = 0; row < num_rows; ++row) {
      for (const auto& [index, weight] : rows.of(row)) {
        const float offer = distance[index] + weight;
        if (!(offer < distance[row])) continue;
        distance[row] = offer;
        has_changed = true;
      }
    }
  }
  return distance;
}

/// By each instruction set, with streams of light arcs and without.
class Sweeps : public testing::TestWithParam<std::tuple<InstructionSet, bool>> {
 protected:
  static Sweep kernel() { return sweep_for(std::get<0>(GetParam())); }
  static PullStreams streams_of(const BothRows& rows) {
    constexpr std::size_t padded = num_rows + 16;
    return std::get<1>(GetParam()) ? make_pull_streams(rows.all, padded)
                                   : make_pull_streams(rows.compact, padded);
  }
};

TEST_P(Sweeps, RepeatedUntilNothingChangesFindTheFixedPoint) {
  const Sweep sweep = kernel();
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const auto longest = static_cast<std::uint32_t>(1 + seed % 12);
    const std::uint32_t weights = seed % 3 == 0 ? 5 : 1U << 20;
    const BothRows rows(random_rows(seed, longest, weights));
    const PullStreams streams = streams_of(rows);
    Tentative found;
    found.distance[seed] = 0.125F;
    const std::vector<float> expected = fixed_point(rows, found.distance);
    SweepTask task = task_of(rows, streams, found, 0.125F, 0);
    for (SweepCounts counts{1, 0, 0}; counts.changed > 0;) {
      const std::vector<float> before = found.distance;
      std::fill(found.lowered.begin(), found.lowered.end(), 0);
      counts = sweep(task, 0, num_rows);
      std::int64_t changed = 0;
      float least = unreached;
      for (std::uint32_t row = 0; row < num_rows; ++row) {
        EXPECT_EQ(is_lowered(found, row), found.distance[row] != before[row]);
        if (found.distance[row] == before[row]) continue;
        EXPECT_LT(found.distance[row], before[row]);
        ++changed;
        least = std::min(least, found.distance[row]);
      }
      EXPECT_EQ(counts.changed, changed);
      EXPECT_EQ(counts.least_changed, least);
      EXPECT_GE(counts.arcs_relaxed, changed);
      task.least_source = counts.least_changed;
      task.settled = std::max(task.settled, counts.least_changed);
    }
    EXPECT_EQ(found.distance, expected) << "seed " << seed;
    for (std::uint32_t row = 0; row < num_rows; ++row) {
      if (row == seed || found.distance[row] == unreached) continue;
      bool has_arc = false;
      for (const auto& [index, weight] : rows.of(row)) {
        has_arc |= index == found.parent[row] && found.distance[index] + weight == found.distance[row];
      }
      EXPECT_TRUE(has_arc) << "row " << row << " of seed " << seed;
    }
  }
}

TEST(PullStreams, TakeOneArrayWhereArcsAreReadFromRows) {
  const PullStreams none = make_pull_streams(compacted(random_rows(1, 6, 8)), num_rows);
  for (std::size_t k = 0; k < num_light; ++k) {
    EXPECT_EQ(none.weight[k].size(), 0U);
    EXPECT_EQ(none.source[k].size(), 0U);
  }
  EXPECT_EQ(none.next_weight.size(), num_rows);
}

TEST_P(Sweeps, LeaveWhatIsSettledAlone) {
  const BothRows rows(random_rows(1, 6, 8));
  const PullStreams streams = streams_of(rows);
  Tentative found;
  std::fill(found.distance.begin(), found.distance.end(), 1.0F);
  const std::vector<float> before = found.distance;
  const SweepCounts counts = kernel()(task_of(rows, streams, found, 0, 1), 0, num_rows);
  EXPECT_EQ(counts.changed, 0);
  EXPECT_EQ(counts.arcs_relaxed, 0);
  EXPECT_EQ(found.distance, before);
}

/// Where a rank has a part of every row, distances of rows are bounds of their own: what a row takes is not
/// seen by the rows behind it.
TEST_P(Sweeps, ReadWhatStandsApartFromWhatTheyWrite) {
  const BothRows rows(random_rows(7, 9, 1U << 20));
  const PullStreams streams = streams_of(rows);
  Tentative found;
  const std::vector<float> source = [] {
    std::vector<float> distance(num_rows + 16, unreached);
    for (std::size_t col = 0; col < num_rows; col += 3) distance[col] = static_cast<float>(col % 17);
    return distance;
  }();
  SweepTask task = task_of(rows, streams, found, 0, -1);
  task.source = source.data();
  kernel()(task, 0, num_rows);
  for (std::uint32_t row = 0; row < num_rows; ++row) {
    float best = unreached;
    for (const auto& [index, weight] : rows.of(row)) best = std::min(best, source[index] + weight);
    EXPECT_EQ(found.distance[row], best) << "row " << row;
    EXPECT_EQ(is_lowered(found, row), best < unreached) << "row " << row;
  }
}

INSTANTIATE_TEST_SUITE_P(Each, Sweeps,
                         testing::Combine(testing::ValuesIn(supported_instruction_sets()), testing::Bool()),
                         [](const auto& test) {
                           return std::string(name_of(std::get<0>(test.param))) +
                                  (std::get<1>(test.param) ? "" : "_without_streams");
                         });

}  // namespace
}  // namespace isobath
