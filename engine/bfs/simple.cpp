// SPDX-License-Identifier: Apache-2.0
#include "bfs/simple.hpp"

#include <thread>

#include "base/expects.hpp"
#include "base/first_exception.hpp"
#include "base/threads.hpp"

namespace isobath {

Simple::Simple(const EdgeStream& edges, const Communicator& world, const PlanOptions& options,
               PhaseObserver& observer)
    : ProposingPlan(edges, world, options, observer) {
  ISOBATH_EXPECTS(options.shape.rows == 1);
  label(observer);
}

/// The own frontier is all that is needed to scan: on one grid row, columns are own vertices.
void Simple::search_level(Level /*level*/, SearchObserver& observer) {
  frontier_.clear();
  for_each_bit(found_.span(), [&](std::size_t v) { frontier_.push_back(static_cast<std::uint32_t>(v)); });
  clear(found_.span());
  scan_and_fold(frontier_, observer);
}

/// All threads scan. The one that communicates looks after the messages in between.
void Simple::send_while_scanning(FrontierWork& work, SearchObserver& observer) {
  channel().open();
  FirstException failure;
#pragma omp parallel num_threads(threads_)
  failure.guard([&] {
    const int me = thread_id();
    const bool communicates = me == 0;
    while (!failure.caught() && scan_some_into_channel(work, me)) {
      if (communicates && channel().has_full()) communicate(observer);
      while (channel().is_crowded() && !failure.caught()) {
        if (communicates) communicate(observer);
        std::this_thread::yield();
      }
    }
    while (communicates && !work.is_done() && !failure.caught()) {
      communicate(observer);
      std::this_thread::yield();
    }
  });
  failure.rethrow();
  observer.phase(Phase::fold);
  channel().close(adopting());
}

void Simple::communicate(SearchObserver& observer) {
  observer.phase(Phase::fold);
  channel().progress(adopting());
  observer.phase(Phase::top_down);
}

}  // namespace isobath
