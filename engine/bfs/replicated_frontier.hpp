// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "bfs/published_search.hpp"

namespace isobath {

/// The frontier of the replicated plans (Suzumura et al., IISWC 2011): vertices are cut over the ranks, every
/// rank stores all arcs into its own ones, and the frontier is made known to everybody at the start of every
/// level. A grid of one column. How arcs are stored, by row or by column, makes two plans of it.
///
/// A bit of the summary says whether a word of the frontier has any, so that most of a small frontier is
/// never looked at. Each rank's summary is cut to whole words of its own.
class ReplicatedFrontier {
 public:
  /// @param search  outlives this
  explicit ReplicatedFrontier(PublishedSearch& search);

  /// The first frontier is the root, which everybody knows.
  void forget(const Root& root);
  /// Collective. Everybody's part of the frontier and its summary, where they are not known yet; afterwards
  /// nothing is found, and `scans` begins.
  void begin_level(Level level, Phase scans, SearchObserver& observer);

  bool has(std::uint32_t col) const {
    return test_bit(summary_.span(), col / word_bits) && test_bit(bits_.span(), col);
  }
  std::span<const Word> bits() const { return bits_.span(); }        // of all ranks, by column
  std::span<const Word> summary() const { return summary_.span(); }  // by word of bits()

 private:
  void expand();

  PublishedSearch& search_;
  LargeArray<Word> bits_;
  LargeArray<Word> summary_;

  // Per rank.
  std::vector<std::int64_t> words_;
  std::vector<std::int64_t> summary_words_;
  std::vector<Word> own_summary_;
  std::vector<Word> gathered_summaries_;  // one after the other, each from a word of its own on
};

}  // namespace isobath
