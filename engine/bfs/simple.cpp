// SPDX-License-Identifier: Apache-2.0
#include "bfs/simple.hpp"

#include "base/expects.hpp"

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
  scan_and_send(work, Duty::both, observer);
}

}  // namespace isobath
