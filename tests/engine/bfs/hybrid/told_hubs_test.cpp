// SPDX-License-Identifier: Apache-2.0
// Which hubs are visited: all ranks know after it was told, in the fewest bytes, and in none where the sum
// over all ranks says enough.
#include "bfs/hybrid/told_hubs.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "all_shapes.hpp"
#include "bfs/hybrid/expand.hpp"
#include "bfs/hybrid/grid_graph.hpp"
#include "bfs/proposal_codec.hpp"

namespace isobath {
namespace {

using test::Drawn;
using test::GridGraph;

std::int64_t count_visited(const Hubs& hubs, const Drawn& visited) {
  return std::ranges::count_if(hubs.original, [&](std::int64_t v) { return v >= 0 && visited(v); });
}

/// Of the hubs of this grid column, those that are chosen, counted from its first.
template <class Chosen>
std::vector<std::uint32_t> list_own(const GridGraph& on, Chosen&& chosen) {
  const Hubs& hubs = on.graph().hubs;
  const auto col = static_cast<std::size_t>(on.graph().layout.grid_col());
  std::vector<std::uint32_t> list;
  for (std::uint32_t at = 0; at < hubs.count_of_col[col]; ++at) {
    if (chosen(hubs.original[hubs.first_of_col[col] + at])) list.push_back(at);
  }
  return list;
}

/// What one rank sends to tell `now` where `before` is known.
std::int64_t expected_bytes(const GridGraph& on, const Drawn& before, const Drawn& now) {
  const auto fresh = list_own(on, [&](std::int64_t v) { return now(v) && !before(v); });
  const auto others = list_own(on, [&](std::int64_t v) { return !now(v); });
  const std::size_t of_col =
      on.graph().hubs.count_of_col[static_cast<std::size_t>(on.graph().layout.grid_col())];
  const std::size_t bits = words_for(of_col) * sizeof(Word);
  const std::size_t list = packed_size(fresh.size() <= others.size() ? fresh : others);
  return static_cast<std::int64_t>(sizeof(std::int64_t) + std::min(bits, list)) *
         (on.graph().layout.shape.cols - 1);
}

void tell_in_turn(const GridGraph& on, const std::vector<std::uint64_t>& shares, bool is_summed) {
  const GridLayout& layout = on.graph().layout;
  const Hubs& hubs = on.graph().hubs;
  const Communicator& row_comm = on.built.grid.row_comm;
  Expand expand(on.graph(), on.built.grid.col_comm, FrontierForm::packed);
  ToldHubs told(hubs, layout, row_comm);
  Drawn before{7, 0};
  told.reset();
  for (const std::uint64_t share : shares) {
    const Drawn now{7, share};
    const std::string where = fmt::format("{}, {}/64 after {}", layout.shape.text(), share, before.share);
    const std::vector<Word> own = on.words(now);
    const std::int64_t all = test::world().sum(told.own_visited_hubs(own.data()));
    const std::int64_t known = count_visited(hubs, before);
    ASSERT_EQ(all, count_visited(hubs, now)) << where;
    const Word* const visited_cols = expand.visited(own);
    const std::int64_t sent = row_comm.traffic().bytes_sent;
    EXPECT_EQ(told.tell(visited_cols, is_summed ? std::optional(all) : std::nullopt), all != known) << where;
    const bool is_known = is_summed && (all == known || all == hubs.count);
    EXPECT_EQ(row_comm.traffic().bytes_sent - sent, is_known ? 0 : expected_bytes(on, before, now)) << where;
    for (std::uint32_t hub = 0; hub < hubs.original.size(); ++hub) {
      const bool is_visited = hubs.original[hub] >= 0 && now(hubs.original[hub]);
      ASSERT_EQ((told.visited()[hub / word_bits] >> (hub % word_bits) & 1U) != 0, is_visited) << where;
    }
    EXPECT_EQ(told.visited()[hubs.num_words()], Word{0}) << "the bit of nobody";
    EXPECT_EQ(told.are_all_visited(), all == hubs.count) << where;
    before = now;
  }
}

TEST(ToldHubs, AreKnownToAllRanks) {
  for (const GridShape shape : test::shapes_of(test::world().size())) {
    if (shape.cols == 1) continue;  // there are none
    for (const test::SampleGraph& sample : {test::kronecker_graph(11, 16), test::kronecker_graph(7, 16)}) {
      const GridGraph on(sample, shape);
      ASSERT_FALSE(on.graph().hubs.empty());
      for (const bool is_summed : {true, false}) {
        tell_in_turn(on, {0, 1, 1, 2, 30, 62, 62, 63, 64, 64}, is_summed);
        tell_in_turn(on, {64}, is_summed);
      }
    }
  }
}

TEST(ToldHubs, AreNoneBeforeASearch) {
  for (const GridShape shape : test::shapes_of(test::world().size())) {
    if (shape.cols == 1) continue;
    const GridGraph on(test::kronecker_graph(8, 16), shape);
    Expand expand(on.graph(), on.built.grid.col_comm, FrontierForm::packed);
    ToldHubs told(on.graph().hubs, on.graph().layout, on.built.grid.row_comm);
    const std::vector<Word> own = on.words(Drawn{1, 64});
    EXPECT_TRUE(told.tell(expand.visited(own), std::nullopt));
    told.reset();
    EXPECT_FALSE(told.are_all_visited());
    EXPECT_FALSE(told.tell(expand.visited(own), 0));
    EXPECT_EQ(std::ranges::count(std::span(told.visited(), on.graph().hubs.num_words()), Word{0}),
              std::ssize(std::span(told.visited(), on.graph().hubs.num_words())));
  }
}

}  // namespace
}  // namespace isobath
