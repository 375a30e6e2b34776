// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "comm/communicator.hpp"

namespace isobath {

/// For progress threads.
struct ProgressPlaces {
  std::optional<int> own;  // the processor that this rank's first thread is bound to; absent: it is not bound
  std::optional<int> spare;  // one that no rank computes on, for this rank alone; absent: there are too few
};

/// Collective. After threads were bound. @param before  processors of this process before that
/// @param threads  of this rank
ProgressPlaces progress_places(const Communicator& world, const std::vector<int>& before, int threads);

}  // namespace isobath
