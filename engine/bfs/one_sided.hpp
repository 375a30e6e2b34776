// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "bfs/frontier_work.hpp"
#include "bfs/published_plan.hpp"
#include "bfs/row_pieces.hpp"
#include "comm/exchange.hpp"
#include "comm/window.hpp"

namespace isobath {

/// The plan `one-sided`: stored as `simple` is, but nobody receives. Between two fences each arc out of the
/// frontier is two accumulates into the memory of its target's owner: the least parent, and the target's bit
/// in the next frontier. That marks too many, since an accumulate does not say whether the target was settled
/// long ago: the owner leaves those out. The least parent of a level wins, so that the tree does not depend
/// on who was first.
class OneSided final : public PublishedPlan {
 public:
  /// Collective. Kernel 1, components included.
  OneSided(const EdgeStream& edges, const Communicator& world, const PlanOptions& options,
           PhaseObserver& observer);
  ~OneSided() override;
  std::string_view name() const override { return "one-sided"; }

 private:
  /// What is done to own vertices in a level, before it is settled.
  struct Marks {
    std::span<std::int64_t> least_parent;  // by vertex
    std::span<Word> marked;                // by vertex
  };
  /// Both accumulates of an arc, where they are played by an exchange: 24 bytes.
  struct Update {
    std::int64_t target;  // at its owner: place of the parent, and of the bit
    std::int64_t parent;  // for the minimum
    Word bits;            // for the or, of the word that has the target's bit
  };

  void forget(const Root& root) override;
  void search_level(Level level, SearchObserver& observer) override;
  template <class Own, class Foreign>
  std::int64_t scan(std::span<const std::uint32_t> columns, Own&& own, Foreign&& foreign) const;
  void mark_own(std::uint32_t vertex, std::int64_t parent);
  void scan_own_targets(FrontierWork& work);
  void accumulate_foreign_targets();
  void accumulate(std::uint32_t col, int to, std::uint32_t target) const;
  void fence() const;
  void exchange_updates(FrontierWork& work, SearchObserver& observer);
  void settle();

  RowPieces pieces_;
  std::vector<std::uint32_t> frontier_;  // own, as columns

  // Marks by this rank, and by others through the windows, where there are any.
  LargeArray<std::int64_t> own_least_parent_;
  LargeArray<Word> own_marked_;
  std::unique_ptr<Window> parent_window_;
  std::unique_ptr<Window> mark_window_;
  std::vector<Marks> marks_;
  // What accumulates are made of must stay until the fence.
  LargeArray<std::int64_t> original_;  // of own vertices
  std::array<Word, word_bits> bit_;

  // Emulated.
  std::unique_ptr<Exchange> exchange_;
  std::vector<std::vector<Update>> updates_;  // by owner
};

}  // namespace isobath
