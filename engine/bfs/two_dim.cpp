// SPDX-License-Identifier: Apache-2.0
#include "bfs/two_dim.hpp"

#include <algorithm>
#include <numeric>
#include <thread>

#include "base/first_exception.hpp"
#include "base/threads.hpp"

namespace isobath {

/// Task A: scans the frontier's columns and fills messages. Stepped by any number of threads.
class TwoDim::Sender {
 public:
  Sender(TwoDim& plan, FrontierWork& work) : plan_(plan), work_(work) {}
  /// A few columns; false when none is left.
  bool step(int thread) { return plan_.scan_some_into_channel(work_, thread); }
  bool is_done() const { return work_.is_done(); }

 private:
  TwoDim& plan_;
  FrontierWork& work_;
};

/// Task B: takes in what arrives, which own vertices adopt, and lets full messages of task A go. Stepped by
/// the thread that communicates.
class TwoDim::Receiver {
 public:
  explicit Receiver(TwoDim& plan) : channel_(plan.channel()), adopt_(plan.adopting()) { channel_.open(); }
  /// False where there was nothing to do.
  bool step() { return channel_.progress(adopt_); }
  /// Task A is done: until nothing more can arrive.
  void finish() { channel_.close(adopt_); }

 private:
  Channel& channel_;
  Channel::Arrived adopt_;
};

TwoDim::TwoDim(const EdgeStream& edges, const Communicator& world, const PlanOptions& options,
               PhaseObserver& observer)
    : ProposingPlan(edges, world, options, observer), words_(words_of_col_pieces()) {
  label(observer);
}

void TwoDim::forget(const Root& root) {
  ProposingPlan::forget(root);
  frontier_.clear();
  const std::uint32_t col = column_of(root);
  if (col != graph_.layout.missing_col()) frontier_.push_back(col);
}

/// The first frontier is the root, which every rank knows.
void TwoDim::search_level(Level level, SearchObserver& observer) {
  if (level > 0) expand(observer);
  clear(found_.span());
  scan_and_fold(frontier_, observer);
}

/// What was found by the ranks of the grid column, as columns.
void TwoDim::expand(SearchObserver& observer) {
  own_list_.clear();
  for_each_bit(found_.span(), [&](std::size_t v) {
    own_list_.push_back(graph_.layout.own_col() + static_cast<std::uint32_t>(v));
  });
  if (graph_.layout.shape.rows == 1) {
    frontier_ = own_list_;
    return;
  }
  observer.phase(Phase::expand);
  if (switches_.frontier == FrontierForm::bitmap) {
    expand_bitmap();
  } else {
    expand_list();
  }
}

void TwoDim::expand_bitmap() {
  frontier_words_.resize(graph_.layout.num_cols() / word_bits);
  grid_.col_comm.allgatherv<Word>(found_.span(), words_, frontier_words_);
  frontier_.clear();
  for_each_bit(frontier_words_,
               [&](std::size_t col) { frontier_.push_back(static_cast<std::uint32_t>(col)); });
}

/// 4 bytes a vertex; with FrontierForm::smaller the bitmap where that is less over the whole grid column.
void TwoDim::expand_list() {
  const auto counts = grid_.col_comm.allgather(std::ssize(own_list_));
  const std::int64_t total = std::accumulate(counts.begin(), counts.end(), std::int64_t{0});
  const std::int64_t list_bytes = total * static_cast<std::int64_t>(sizeof(std::uint32_t));
  if (switches_.frontier == FrontierForm::smaller &&
      std::int64_t{graph_.layout.num_cols()} / 8 < list_bytes) {
    expand_bitmap();
    return;
  }
  frontier_.resize(static_cast<std::size_t>(total));
  grid_.col_comm.allgatherv<std::uint32_t>(own_list_, counts, frontier_);
}

void TwoDim::send_while_scanning(FrontierWork& work, SearchObserver& observer) {
  Sender sender(*this, work);
  Receiver receiver(*this);
  if (threads_ > 1) {
    run_side_by_side(sender, receiver, observer);
  } else {
    run_in_turn(sender, receiver, observer);
  }
  observer.phase(Phase::fold);
  receiver.finish();
}

/// The thread that may communicate is task B's; the others are task A's.
void TwoDim::run_side_by_side(Sender& sender, Receiver& receiver, SearchObserver& observer) {
  observer.phase(Phase::fold);
  FirstException failure;
#pragma omp parallel num_threads(threads_)
  failure.guard([&] {
    const int me = thread_id();
    if (me == 0) {
      while (!sender.is_done() && !failure.caught()) {
        if (num_threads() == 1) sender.step(me);  // no other thread was to be had
        if (!receiver.step()) std::this_thread::yield();
      }
    } else {
      while (!failure.caught() && sender.step(me)) {
        while (channel().is_crowded() && !failure.caught()) std::this_thread::yield();
      }
    }
  });
  failure.rethrow();
}

void TwoDim::run_in_turn(Sender& sender, Receiver& receiver, SearchObserver& observer) {
  while (sender.step(0)) {
    do {
      observer.phase(Phase::fold);
      receiver.step();
      observer.phase(Phase::top_down);
    } while (channel().is_crowded());
  }
}

}  // namespace isobath
