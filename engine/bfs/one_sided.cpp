// SPDX-License-Identifier: Apache-2.0
#include "bfs/one_sided.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <limits>

#include "base/expects.hpp"

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

}  // namespace

OneSided::OneSided(const EdgeStream& edges, const Communicator& world, const PlanOptions& options,
                   PhaseObserver& observer)
    : PublishedPlan(edges, world, options, observer),
      pieces_(graph_.layout.row_offset),
      own_least_parent_(parents_.size()),
      own_marked_(found_.size()),
      original_(parents_.size()) {
  ISOBATH_EXPECTS(options.shape.rows == 1);
  marks_.push_back({own_least_parent_.span(), own_marked_.span()});
  if (world.size() > 1 && switches_.emulated) {
    exchange_ = make_exchange(ExchangeKind::alltoallv, grid_.row_comm);
    updates_.resize(static_cast<std::size_t>(world.size()));
  } else if (world.size() > 1) {
    parent_window_ = window_of(grid_.row_comm, parents_.size());
    mark_window_ = window_of(grid_.row_comm, found_.size());
    marks_.push_back({elements_of<std::int64_t>(*parent_window_, parents_.size()),
                      elements_of<Word>(*mark_window_, found_.size())});
  }
  for (const Marks& marks : marks_) std::fill(marks.least_parent.begin(), marks.least_parent.end(), nobody);
  for (std::size_t v = 0; v < original_.size(); ++v) {
    original_[v] = raw(original_of(static_cast<std::uint32_t>(v)));
  }
  for (std::size_t bit = 0; bit < word_bits; ++bit) bit_[bit] = Word{1} << bit;
  label(observer);
}

OneSided::~OneSided() = default;

/// Every level leaves the marks as it found them.
void OneSided::forget(const Root& /*root*/) {}

void OneSided::search_level(Level /*level*/, SearchObserver& observer) {
  frontier_.clear();
  for_each_bit(found_.span(), [&](std::size_t v) { frontier_.push_back(static_cast<std::uint32_t>(v)); });
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
  arcs_scanned_ = work.arcs();
}

/// Calls own(vertex, column) or foreign(owner, vertex there, column) for every arc. Returns how many.
template <class Own, class Foreign>
std::int64_t OneSided::scan(std::span<const std::uint32_t> columns, Own&& own, Foreign&& foreign) const {
  const Rows& targets_of = graph_.by_source();
  const auto own_piece = static_cast<std::size_t>(graph_.layout.grid_col());
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
void OneSided::mark_own(std::uint32_t vertex, std::int64_t parent) {
  lower(own_least_parent_[vertex], parent);
  claim_bit(own_marked_.span(), vertex);
}

/// Own memory is no window here: what a rank stores itself must not meet the accumulates of others between
/// the same fences.
void OneSided::scan_own_targets(FrontierWork& work) {
  const auto own = [this](std::uint32_t vertex, std::uint32_t col) { mark_own(vertex, original_[col]); };
  const auto foreign = [](int, std::uint32_t, std::uint32_t) {};
#pragma omp parallel num_threads(threads_)
  for (auto columns = work.take(); !columns.empty(); columns = work.take()) {
    work.scanned(columns, scan(columns, own, foreign));
  }
}

/// By the thread that communicates. Between the fences nobody touches the memory of his own windows; settle()
/// does after them, and nobody accumulates before the next fence, which all ranks enter after that.
void OneSided::accumulate_foreign_targets() {
  fence();
  scan(
      frontier_, [](std::uint32_t, std::uint32_t) {},
      [this](int owner, std::uint32_t vertex, std::uint32_t col) { accumulate(col, owner, vertex); });
  fence();
}

void OneSided::accumulate(std::uint32_t col, int to, std::uint32_t target) const {
  const Communicator& comm = grid_.row_comm;
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
void OneSided::fence() const {
  for (const Window* window : {parent_window_.get(), mark_window_.get()}) {
    const CountedCall call = grid_.row_comm.counted(CallKind::win_fence, "MPI_Win_fence");
    window->fence(0);
  }
}

void OneSided::exchange_updates(FrontierWork& work, SearchObserver& observer) {
  for (auto& updates : updates_) updates.clear();
#pragma omp parallel num_threads(threads_)
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
void OneSided::settle() {
#pragma omp parallel for schedule(static) num_threads(threads_)
  for (std::size_t w = 0; w < found_.size(); ++w) {
    Word all = 0;
    for (const Marks& marks : marks_) all |= marks.marked[w];
    found_[w] = all & ~visited_[w];
    visited_[w] |= found_[w];
    for_each_bit({&all, 1}, [&](std::size_t bit) {
      const std::size_t v = w * word_bits + bit;
      std::int64_t least = nobody;
      for (const Marks& marks : marks_) least = std::min(least, std::exchange(marks.least_parent[v], nobody));
      if ((found_[w] >> bit & 1U) != 0) parents_[v] = GlobalVertex{least};
    });
    for (const Marks& marks : marks_) marks.marked[w] = 0;
  }
}

}  // namespace isobath
