// SPDX-License-Identifier: Apache-2.0
// The local step of the hub pass, of all instruction sets, against the obvious loop.
#include "bfs/hybrid/steps/find_by_hubs.hpp"

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/instruction_set.hpp"

namespace isobath {
namespace {

constexpr std::int64_t no_parent_yet = -77;

/// Hubs of nobody's graph: every vertex keeps up to four of `num_hubs`, the missing ones at the end.
Hubs drawn_hubs(std::mt19937_64& draw, std::size_t words, std::uint32_t num_hubs) {
  Hubs hubs;
  hubs.count = num_hubs;
  hubs.offset = {0, static_cast<std::uint32_t>(words_for(num_hubs) * word_bits)};
  hubs.original = LargeArray<std::int64_t>(hubs.offset.back());
  for (std::size_t h = 0; h < hubs.original.size(); ++h)
    hubs.original[h] = static_cast<std::int64_t>(5 * h + 1);
  for (auto& kept : hubs.kept) kept = LargeArray<std::uint32_t>(words * word_bits);
  hubs.has_kept = LargeArray<Word>(words);
  for (std::size_t v = 0; v < words * word_bits; ++v) {
    const std::size_t kept = draw() % (num_kept_hubs + 1);
    for (std::size_t k = 0; k < num_kept_hubs; ++k) {
      hubs.kept[k][v] = k < kept ? static_cast<std::uint32_t>(draw() % num_hubs) : hubs.missing();
    }
    if (kept > 0) set_bit(hubs.has_kept.span(), v);
  }
  return hubs;
}

/// Vertices [begin, end) become families of 1 to 150 vertices each.
void make_families(Hubs& hubs, std::size_t begin, std::size_t end, std::mt19937_64& draw) {
  for (std::size_t v = begin; v < end;) {
    const auto head = static_cast<std::uint32_t>(draw() % static_cast<std::uint64_t>(hubs.count));
    hubs.families.head.push_back(head);
    hubs.families.begin.push_back(static_cast<std::uint32_t>(v));
    for (const std::size_t after = std::min(end, v + 1 + draw() % 150); v < after; ++v) {
      hubs.kept[0][v] = head;
      set_bit(hubs.has_kept.span(), v);
    }
  }
  hubs.families.begin.push_back(static_cast<std::uint32_t>(end));
}

struct HubOutcome {
  std::vector<Word> next;
  std::vector<Word> by_first;
  std::vector<std::int64_t> parent;
  std::int64_t found = 0;
  std::int64_t scanned = 0;
  friend bool operator==(const HubOutcome&, const HubOutcome&) = default;
};

HubOutcome before_hub_pass(std::size_t words) {
  return {std::vector<Word>(words, 0x5555), std::vector<Word>(words, 0),
          std::vector<std::int64_t>(words * word_bits, no_parent_yet)};
}

HubOutcome obvious_hub_pass(const Hubs& hubs, const std::vector<Word>& visited_hubs,
                            const std::vector<Word>& visited, std::size_t first_word, std::size_t words) {
  HubOutcome outcome = before_hub_pass(words);
  for (std::size_t local = 0; local < words * word_bits; ++local) {
    const std::size_t v = first_word * word_bits + local;
    if (local % word_bits == 0) outcome.next[local / word_bits] = visited[v / word_bits];
    if (test_bit(visited, v) || hubs.kept[0][v] == hubs.missing()) continue;
    for (std::size_t k = 0; k < num_kept_hubs; ++k) {
      ++outcome.scanned;
      const std::uint32_t hub = hubs.kept[k][v];
      if (hub == hubs.missing() || !test_bit(visited_hubs, hub)) continue;
      set_bit(outcome.next, local);
      ++outcome.found;
      if (k == 0) {
        set_bit(outcome.by_first, local);
      } else {
        outcome.parent[local] = hubs.original[hub];
      }
      break;
    }
  }
  return outcome;
}

TEST(HubPassStep, FindsTheFirstVisitedHub) {
  std::mt19937_64 draw(16);
  for (const std::uint32_t num_hubs : {1U, 63U, 64U, 65U, 1000U}) {
    constexpr std::size_t words = 24;
    Hubs hubs = drawn_hubs(draw, words, num_hubs);
    if (num_hubs > 63) make_families(hubs, 100, 17 * word_bits + num_hubs % 64, draw);
    for (const unsigned share : {0U, 1U, 8U, 15U, 16U}) {  // sixteenths of hubs and vertices that are visited
      std::vector<Word> visited_hubs(hubs.num_words() + 1, 0);
      std::vector<Word> visited(words, 0);
      for (std::uint32_t h = 0; h < num_hubs; ++h) {
        if (draw() % 16 < share) set_bit(visited_hubs, h);
      }
      for (std::size_t v = 0; v < words * word_bits; ++v) {
        if (draw() % 16 < share) set_bit(visited, v);
      }
      for (const auto& [first, count] : {std::pair<std::size_t, std::size_t>{0, words}, {0, 1}, {7, 9}}) {
        const HubOutcome expected = obvious_hub_pass(hubs, visited_hubs, visited, first, count);
        for (const InstructionSet set : supported_instruction_sets()) {
          for (const bool in_lists : {false, true}) {
            Parents parents(hubs, words * word_bits, in_lists);
            std::ranges::fill(parents.by_vertex(), no_parent_yet);
            HubOutcome outcome = before_hub_pass(count);
            const LevelCounts counts =
                hub_pass_step(set)({hubs, visited_hubs.data(), first, count, visited.data() + first,
                                    outcome.next.data(), outcome.by_first.data(), parents});
            outcome.found = counts.found;
            outcome.scanned = counts.arcs_scanned;
            const auto written = parents.by_vertex().subspan(first * word_bits, count * word_bits);
            std::ranges::copy(written, outcome.parent.begin());
            EXPECT_EQ(outcome, expected) << num_hubs << " hubs, " << share << "/16 visited, from word "
                                         << first << (in_lists ? ", in lists" : ", by vertex");
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace isobath
