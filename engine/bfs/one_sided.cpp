// SPDX-License-Identifier: Apache-2.0
// The plan `one-sided`: stored as `simple` is, but nobody receives. Between two fences each arc out of the
// frontier is two accumulates into the memory of its target's owner: the least parent, and the target's bit
// in the next frontier. That marks too many, since an accumulate does not say whether the target was settled
// long ago: the owner leaves those out. The least parent of a level wins, so that the tree does not depend
// on who was first.
#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <limits>
#include <memory>
#include <vector>

#include "base/expects.hpp"
#include "bfs/frontier_work.hpp"
#include "bfs/published_plan.hpp"
#include "bfs/registered_plan.hpp"
#include "bfs/row_pieces.hpp"
#include "comm/exchange/exchange.hpp"
#include "comm/messages/window.hpp"

namespace isobath {
namespace {

constexpr std::int64_t nobody = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t element = 8;  // bytes of a parent, and of a word of bits

/// From any thread.
void lower(std::int64_t& value, std::int64_t to) {
  std::atomic_ref<std::int64_t> least(value);
  std::int64_t now = least.load(std::memory_order_relaxed);
  while (to < now && !least.compare_exchange_weak(now, to, std::memory_order_relaxed)) {
  }
}

/// A window has room for one element at least: not every library takes an empty one.
std::unique_ptr<Window> window_of(const Communicator& comm, std::size_t elements) {
  return std::make_unique<Window>(comm,
                                  element * std::max<std::int64_t>(1, static_cast<std::int64_t>(elements)));
}

template <class T>
std::span<T> elements_of(const Window& window, std::size_t count) {
  return {reinterpret_cast<T*>(window.memory()), count};
}

class OneSidedStep final : public LevelStep {
 public:
  static constexpr std::string_view plan_name = "one-sided";
  static constexpr std::array<SwitchChoice, 1> choices = {{{"exchange", "own emulated"}}};
  OneSidedStep(PublishedSearch& search, const PlanOptions& options);

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

  std::int64_t search_level(Level level, SearchObserver& observer) override;
  template <class Own, class Foreign>
  std::int64_t scan(std::span<const std::uint32_t> columns, Own&& own, Foreign&& foreign) const;
  void mark_own(std::uint32_t vertex, std::int64_t parent);
  void scan_own_targets(FrontierWork& work);
  void accumulate_foreign_targets();
  void accumulate(std::uint32_t col, int to, std::uint32_t target) const;
  void fence() const;
  void exchange_updates(FrontierWork& work, SearchObserver& observer);
  void settle();

  PublishedSearch& search_;
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

OneSidedStep::OneSidedStep(PublishedSearch& search, const PlanOptions& options)
    : search_(search),
      pieces_(search.graph.layout.row_offset),
      own_least_parent_(search.parents.size()),
      own_marked_(search.found.size()),
      original_(search.parents.size()) {
  ISOBATH_EXPECTS(options.shape.rows == 1);
  const int ranks = search.built.world.size();
  const Communicator& row_comm = search.grid.row_comm;
  marks_.push_back({own_least_parent_.span(), own_marked_.span()});
  if (ranks > 1 && search.switches.emulated) {
    exchange_ = make_exchange(ExchangeKind::alltoallv, row_comm);
    updates_.resize(static_cast<std::size_t>(ranks));
  } else if (ranks > 1) {
    parent_window_ = window_of(row_comm, search.parents.size());
    mark_window_ = window_of(row_comm, search.found.size());
    marks_.push_back({elements_of<std::int64_t>(*parent_window_, search.parents.size()),
                      elements_of<Word>(*mark_window_, search.found.size())});
  }
  for (const Marks& marks : marks_) std::fill(marks.least_parent.begin(), marks.least_parent.end(), nobody);
  for (std::size_t v = 0; v < original_.size(); ++v) {
    original_[v] = raw(search.original_of(static_cast<std::uint32_t>(v)));
  }
  for (std::size_t bit = 0; bit < word_bits; ++bit) bit_[bit] = Word{1} << bit;
}

/// Nothing is to be forgotten between searches: every level leaves the marks as it found them.
std::int64_t OneSidedStep::search_level(Level /*level*/, SearchObserver& observer) {
  frontier_.clear();
  for_each_bit(search_.found.span(),
               [&](std::size_t v) { frontier_.push_back(static_cast<std::uint32_t>(v)); });
  FrontierWork work(frontier_);
  observer.phase(Phase::top_down);
  if (exchange_) {
    exchange_updates(work, observer);
  } else {
    scan_own_targets(work);
    if (parent_window_) {
      observer.phase(Phase::fold);
      accumulate_foreign_targets();
    }
  }
  observer.phase(Phase::adopt);
  settle();
  return work.arcs();
}

/// Calls own(vertex, column) or foreign(owner, vertex there, column) for every arc. Returns how many.
template <class Own, class Foreign>
std::int64_t OneSidedStep::scan(std::span<const std::uint32_t> columns, Own&& own, Foreign&& foreign) const {
  const Graph& graph = search_.graph;
  const Rows& targets_of = graph.by_source();
  const auto own_piece = static_cast<std::size_t>(graph.layout.grid_col());
  std::int64_t arcs = 0;
  for (const std::uint32_t col : columns) {
    const std::span<const std::uint32_t> targets = targets_of.of(col);
    arcs += std::ssize(targets);
    for (const std::uint32_t row : targets) {
      const std::size_t piece = pieces_.of(row);
      if (piece == own_piece) {
        own(pieces_.position(row, piece), col);
      } else {
        foreign(static_cast<int>(piece), pieces_.position(row, piece), col);
      }
    }
  }
  return arcs;
}

/// From any thread.
void OneSidedStep::mark_own(std::uint32_t vertex, std::int64_t parent) {
  lower(own_least_parent_[vertex], parent);
  claim_bit(own_marked_.span(), vertex);
}

/// Own memory is no window here: what a rank stores itself must not meet the accumulates of others between
/// the same fences.
void OneSidedStep::scan_own_targets(FrontierWork& work) {
  const auto own = [this](std::uint32_t vertex, std::uint32_t col) { mark_own(vertex, original_[col]); };
  const auto foreign = [](int, std::uint32_t, std::uint32_t) {};
#pragma omp parallel num_threads(search_.threads)
  for (auto columns = work.take(); !columns.empty(); columns = work.take()) {
    work.scanned(columns, scan(columns, own, foreign));
  }
}

/// By the thread that communicates. Between the fences nobody touches the memory of his own windows; settle()
/// does after them, and nobody accumulates before the next fence, which all ranks enter after that.
void OneSidedStep::accumulate_foreign_targets() {
  fence();
  scan(
      frontier_, [](std::uint32_t, std::uint32_t) {},
      [this](int owner, std::uint32_t vertex, std::uint32_t col) { accumulate(col, owner, vertex); });
  fence();
}

void OneSidedStep::accumulate(std::uint32_t col, int to, std::uint32_t target) const {
  const Communicator& comm = search_.grid.row_comm;
  {
    CountedCall call = comm.counted(CallKind::accumulate, "MPI_Accumulate");
    call.sent(to, element);
    parent_window_->accumulate_min(original_[col], to, element * target);
  }
  CountedCall call = comm.counted(CallKind::accumulate, "MPI_Accumulate");
  call.sent(to, element);
  mark_window_->accumulate_or(bit_[target % word_bits], to,
                              element * std::int64_t{target / std::uint32_t{word_bits}});
}

/// Without assertions. They would promise what is true, but spare little, and a fence that is promised to end
/// nothing is no barrier: when the accumulates of a fast rank reach a slow one that still settles the level
/// before would be for the library to get right.
void OneSidedStep::fence() const {
  for (const Window* window : {parent_window_.get(), mark_window_.get()}) {
    const CountedCall call = search_.grid.row_comm.counted(CallKind::win_fence, "MPI_Win_fence");
    window->fence(0);
  }
}

void OneSidedStep::exchange_updates(FrontierWork& work, SearchObserver& observer) {
  for (auto& updates : updates_) updates.clear();
#pragma omp parallel num_threads(search_.threads)
  {
    std::vector<std::vector<Update>> mine(updates_.size());
    const auto own = [this](std::uint32_t vertex, std::uint32_t col) { mark_own(vertex, original_[col]); };
    const auto foreign = [&](int owner, std::uint32_t vertex, std::uint32_t col) {
      mine[static_cast<std::size_t>(owner)].push_back({vertex, original_[col], bit_[vertex % word_bits]});
    };
    for (auto columns = work.take(); !columns.empty(); columns = work.take()) {
      work.scanned(columns, scan(columns, own, foreign));
    }
#pragma omp critical
    for (std::size_t to = 0; to < mine.size(); ++to) {
      updates_[to].insert(updates_[to].end(), mine[to].begin(), mine[to].end());
    }
  }
  std::vector<std::span<const std::byte>> parcels;
  for (const auto& updates : updates_) parcels.push_back(std::as_bytes(std::span(updates)));
  exchange_->run(
      parcels,
      [this](int /*source*/, std::span<const std::byte> bytes) {
        for (std::size_t at = 0; at < bytes.size(); at += sizeof(Update)) {
          Update update;
          std::memcpy(&update, &bytes[at], sizeof(Update));
          const auto vertex = static_cast<std::size_t>(update.target);
          lower(own_least_parent_[vertex], update.parent);
          own_marked_[vertex / word_bits] |= update.bits;
        }
      },
      observer);
}

/// The owner's part: of the marked vertices those that are not visited yet are the next frontier.
void OneSidedStep::settle() {
  PublishedSearch& search = search_;
#pragma omp parallel for schedule(static) num_threads(search.threads)
  for (std::size_t w = 0; w < search.found.size(); ++w) {
    Word all = 0;
    for (const Marks& marks : marks_) all |= marks.marked[w];
    search.found[w] = all & ~search.visited[w];
    search.visited[w] |= search.found[w];
    for_each_bit({&all, 1}, [&](std::size_t bit) {
      const std::size_t v = w * word_bits + bit;
      std::int64_t least = nobody;
      for (const Marks& marks : marks_) least = std::min(least, std::exchange(marks.least_parent[v], nobody));
      if ((search.found[w] >> bit & 1U) != 0) search.parents[v] = GlobalVertex{least};
    });
    for (const Marks& marks : marks_) marks.marked[w] = 0;
  }
}

}  // namespace

RegisteredPlan registered_one_sided() {
  return {.name = OneSidedStep::plan_name,
          .shapes = one_row,
          .choices = OneSidedStep::choices,
          .construct = construct_published<OneSidedStep>};
}

}  // namespace isobath
