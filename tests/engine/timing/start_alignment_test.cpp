// SPDX-License-Identifier: Apache-2.0
#include "timing/start_alignment.hpp"

#include <algorithm>
#include <chrono>
#include <set>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "mpi_main.hpp"
#include "timing/arrival.hpp"

namespace isobath::test {
namespace {

constexpr Alignment all_alignments[] = {Alignment::dissemination, Alignment::library_barrier,
                                        Alignment::double_dissemination, Alignment::round_time};

TEST(Dissemination, EveryRankHearsOfEveryOtherAndOnlyInTheLastRoundOfAll) {
  for (int size = 1; size <= 33; ++size) {
    std::vector<std::set<int>> heard_of(static_cast<std::size_t>(size));
    for (int rank = 0; rank < size; ++rank) heard_of[static_cast<std::size_t>(rank)].insert(rank);
    const auto all_know = [&] {
      return std::all_of(heard_of.begin(), heard_of.end(),
                         [&](const auto& ranks) { return std::ssize(ranks) == size; });
    };
    for (int distance = 1; distance < size; distance *= 2) {
      EXPECT_FALSE(all_know()) << size << ": a round too many";
      const auto before = heard_of;
      for (int rank = 0; rank < size; ++rank) {
        const DisseminationRound round = dissemination_round(rank, size, distance);
        EXPECT_EQ(dissemination_round(round.to, size, distance).from, rank);
        const auto& told = before[static_cast<std::size_t>(round.from)];
        heard_of[static_cast<std::size_t>(rank)].insert(told.begin(), told.end());
      }
    }
    EXPECT_TRUE(all_know()) << size;
  }
}

/// When each rank came to the start and when it left it.
struct Passage {
  std::int64_t came = 0;
  std::int64_t left = 0;
};

template <class Align>
std::vector<Passage> passages(int late_rank, Align&& align) {
  if (world().rank() == late_rank) std::this_thread::sleep_for(std::chrono::milliseconds(20));
  Passage own{.came = now_nanoseconds()};
  align();
  own.left = now_nanoseconds();
  return world().allgather(own);
}

bool nobody_left_before_all_came(const std::vector<Passage>& passages) {
  std::int64_t last_came = 0;
  for (const Passage& one : passages) last_came = std::max(last_came, one.came);
  return std::all_of(passages.begin(), passages.end(),
                     [&](const Passage& one) { return one.left >= last_came; });
}

TEST(StartAlignment, NobodyBeginsBeforeAllHaveCome) {
  for (const Alignment alignment : all_alignments) {
    StartAlignment start(world(), GlobalClock(), {.alignment = alignment});
    for (int late_rank = 0; late_rank < world().size(); ++late_rank) {
      EXPECT_TRUE(nobody_left_before_all_came(passages(late_rank, [&] { start.align(); })))
          << name_of(alignment) << " with rank " << late_rank << " late";
    }
  }
}

TEST(StartAlignment, TheTestAboveCanSayNo) {
  if (world().size() == 1) return;
  EXPECT_FALSE(nobody_left_before_all_came(passages(0, [] {})));
}

TEST(RoundTime, LateRanksAreToldSo) {
  StartAlignment impossible(world(), GlobalClock(),
                            {.alignment = Alignment::round_time, .delays = {}, .lead_nanoseconds = -1});
  EXPECT_FALSE(impossible.align());
  impossible.lengthen_lead();
  EXPECT_EQ(impossible.lead_nanoseconds(), -1);  // it was given

  StartAlignment generous(
      world(), GlobalClock(),
      {.alignment = Alignment::round_time, .delays = {}, .lead_nanoseconds = 300'000'000});
  const std::int64_t before = now_nanoseconds();
  const bool in_time = generous.align();
  EXPECT_TRUE(in_time);
  EXPECT_GE(now_nanoseconds() - before, 1'000'000);

  StartAlignment measured(world(), GlobalClock(), {.alignment = Alignment::round_time});
  const std::int64_t lead = measured.lead_nanoseconds();
  EXPECT_EQ(world().min(lead), world().max(lead));
  EXPECT_GE(lead, 5'000);
  measured.lengthen_lead();
  EXPECT_EQ(measured.lead_nanoseconds(), std::min<std::int64_t>(2 * lead, 100'000'000));
}

TEST(RoundTime, RanksArriveAsThePatternSays) {
  const std::vector<std::int64_t> delays = arrival_delays("one-late:200000", world().size());
  StartAlignment start(
      world(), GlobalClock(),
      {.alignment = Alignment::round_time, .delays = delays, .lead_nanoseconds = 100'000'000});
  start.align();
  const std::vector<std::int64_t> left = world().allgather(now_nanoseconds());
  if (world().size() == 1) return;
  const std::int64_t first = *std::min_element(left.begin(), left.end());
  EXPECT_GE(left.back() - first, 90'000'000);
  EXPECT_EQ(std::max_element(left.begin(), left.end()) - left.begin(), world().size() - 1);
}

TEST(StartAlignment, RefusesDelaysThatItCannotKeep) {
  const auto size = static_cast<std::size_t>(world().size());
  EXPECT_THROW(StartAlignment(world(), GlobalClock(), {.delays = std::vector<std::int64_t>(size, 5)}),
               UsageError);
  EXPECT_THROW(
      StartAlignment(world(), GlobalClock(),
                     {.alignment = Alignment::round_time, .delays = std::vector<std::int64_t>(size + 1, 0)}),
      UsageError);
}

TEST(StartAlignment, IsNamed) {
  for (const Alignment alignment : all_alignments) EXPECT_EQ(parse_alignment(name_of(alignment)), alignment);
  EXPECT_THROW(parse_alignment("barrier"), UsageError);
}

}  // namespace
}  // namespace isobath::test
