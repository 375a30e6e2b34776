// SPDX-License-Identifier: Apache-2.0
// What is said of the counts of neighbourhood collectives, against what their slow twin moves.
#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "collectives/cases.hpp"
#include "collectives/cell.hpp"
#include "reference/collectives.hpp"

namespace isobath {
namespace {

/// Elements that arrived, by sender and receiver.
using Moved = std::map<std::pair<int, int>, std::int64_t>;

/// The twin moves marks: every element says who sent it.
Moved moved_by_the_twin(const Case& one, const Setting& setting) {
  reference::AllBuffers all;
  for (int rank = 0; rank < setting.ranks; ++rank) {
    const Layout layout = one.layout(setting, rank);
    const BareArguments& arguments = layout.arguments;
    all.push_back(
        {.send = std::vector<std::int64_t>(static_cast<std::size_t>(layout.send_elements), rank),
         .receive = std::vector<std::int64_t>(static_cast<std::size_t>(layout.receive_elements), -1),
         .send_counts = arguments.send_counts,
         .send_offsets = arguments.send_offsets,
         .receive_counts = arguments.receive_counts,
         .receive_offsets = arguments.receive_offsets,
         .neighbours = neighbours_of(setting.extents, rank)});
  }
  if (one.counts == Case::CountForm::pairs) {
    reference::neighbor_alltoallv(all);
  } else {
    reference::neighbor_allgatherv(all);
  }
  Moved moved;
  for (int rank = 0; rank < setting.ranks; ++rank) {
    for (const std::int64_t sender : all[static_cast<std::size_t>(rank)].receive) {
      if (sender >= 0) ++moved[{static_cast<int>(sender), rank}];
    }
  }
  return moved;
}

struct Sums {
  std::vector<std::int64_t> out, in;
  std::vector<int> peers;
  std::int64_t total = 0, largest = 0;
};

Sums sums_of(const Moved& moved, int ranks) {
  const auto size = static_cast<std::size_t>(ranks);
  Sums sums{.out = std::vector<std::int64_t>(size, 0),
            .in = std::vector<std::int64_t>(size, 0),
            .peers = std::vector<int>(size, 0)};
  for (const auto& [pair, count] : moved) {
    sums.out[static_cast<std::size_t>(pair.first)] += count;
    sums.in[static_cast<std::size_t>(pair.second)] += count;
    ++sums.peers[static_cast<std::size_t>(pair.first)];
    sums.total += count;
    sums.largest = std::max(sums.largest, count);
  }
  return sums;
}

TEST(NeighbourFacts, AreWhatTheTwinMoves) {
  for (const Case& one : neighbour_cases()) {
    for (const char* shape : {"1", "2", "5", "3x2", "2x2x2", "3x3"}) {
      for (const char* counts : {"uniform", "zipf:1", "sparse:1"}) {
        if (!one.is_irregular && std::string(counts) != "uniform") continue;
        CollectiveCell words;
        words.collective = name_of(one.collective);
        words.size_bytes = 24;
        words.shape = shape;
        words.counts = counts;
        const ProcessShape arrangement = ProcessShape::parse(shape);
        const Cell cell = understand(words, arrangement.size());
        const Setting setting{.ranks = arrangement.size(),
                              .block = words.size_bytes,
                              .counts = std::get<Counts>(counts_of(cell, arrangement.size(), {})),
                              .extents = arrangement.extents};
        const std::string name = words.collective + " " + shape + " " + counts;
        const Sums moved = sums_of(moved_by_the_twin(one, setting), setting.ranks);
        const CountFacts facts = facts_of(cell, setting);
        EXPECT_EQ(facts.total, moved.total) << name;
        EXPECT_EQ(facts.largest_row, std::ranges::max(moved.out)) << name;
        EXPECT_EQ(facts.largest_column, std::ranges::max(moved.in)) << name;
        EXPECT_EQ(facts.largest_entry, moved.largest) << name;
        EXPECT_EQ(facts.fewest_peers, std::ranges::min(moved.peers)) << name;
        EXPECT_EQ(facts.most_peers, std::ranges::max(moved.peers)) << name;
        const bool is_personal = one.counts == Case::CountForm::pairs;
        EXPECT_EQ(one.wire(setting),
                  std::max(std::ranges::max(moved.in), is_personal ? std::ranges::max(moved.out) : 0))
            << name;
      }
    }
  }
}

TEST(NeighbourFacts, OfEqualBlocksAreEqual) {
  CollectiveCell words;
  words.collective = "neighbor_alltoallv";
  words.shape = "2x2";
  words.size_bytes = 8;
  const Cell cell = understand(words, 4);
  Setting setting{.ranks = 4, .block = 8, .extents = {2, 2}};
  setting.counts = std::get<Counts>(counts_of(cell, 4, {}));
  const CountFacts facts = facts_of(cell, setting);
  EXPECT_EQ(facts.total, 4 * 2 * 8);  // not 4 x 4: nobody sends across or to itself
  EXPECT_EQ(facts.largest_row, 16);
  EXPECT_EQ(facts.most_peers, 2);
  EXPECT_EQ(facts.gini, 0);
}

}  // namespace
}  // namespace isobath
