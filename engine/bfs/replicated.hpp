// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "bfs/published_plan.hpp"

namespace isobath {

/// The replicated plans (Suzumura et al., IISWC 2011): vertices are cut over the ranks, every rank stores all
/// arcs into its own ones, and the frontier is made known to everybody at the start of every level. A grid of
/// one column. How arcs are stored, by row or by column, makes two plans of it.
///
/// A bit of the summary says whether a word of the frontier has any, so that most of a small frontier is
/// never looked at. Each rank's summary is cut to whole words of its own.
class Replicated : public PublishedPlan {
 protected:
  Replicated(const EdgeStream& edges, const Communicator& world, const PlanOptions& options,
             PhaseObserver& observer);

  /// Searches the arcs of one level, once the frontier is known here; returns how many were looked at.
  virtual std::int64_t scan() = 0;

  bool is_in_frontier(std::uint32_t col) const {
    return test_bit(summary_.span(), col / word_bits) && test_bit(frontier_.span(), col);
  }

  LargeArray<Word> frontier_;  // of all ranks, by column
  LargeArray<Word> summary_;   // by word of frontier_

 private:
  void forget(const Root& root) final;
  void search_level(Level level, SearchObserver& observer) final;
  void expand();

  // Per rank.
  std::vector<std::int64_t> words_;
  std::vector<std::int64_t> summary_words_;
  std::vector<Word> own_summary_;
  std::vector<Word> gathered_summaries_;  // one after the other, each from a word of its own on
};

/// By rows: each own vertex that is not visited yet looks for a neighbour in the frontier.
class ReplicatedCsr final : public Replicated {
 public:
  ReplicatedCsr(const EdgeStream& edges, const Communicator& world, const PlanOptions& options,
                PhaseObserver& observer);
  std::string_view name() const override { return "replicated-csr"; }

 private:
  Direction direction() const override { return Direction::bottom_up; }
  std::int64_t scan() override;
};

/// By columns: only the frontier's columns are visited, and their targets claimed.
class ReplicatedCsc final : public Replicated {
 public:
  ReplicatedCsc(const EdgeStream& edges, const Communicator& world, const PlanOptions& options,
                PhaseObserver& observer);
  std::string_view name() const override { return "replicated-csc"; }

 private:
  std::int64_t scan() override;
};

}  // namespace isobath
