// SPDX-License-Identifier: Apache-2.0
#include "graph/dealt_arcs.hpp"

#include "base/expects.hpp"

namespace isobath {

DealtArcs::DealtArcs(const TargetRanges& ranges, std::vector<ArcArrays> arrays, std::vector<Part> parts,
                     std::vector<std::size_t> first_part, PositionSplit split)
    : ranges_(ranges),
      arrays_(std::move(arrays)),
      parts_(std::move(parts)),
      first_part_(std::move(first_part)),
      lie_by_range_(false),
      split_(split) {
  ISOBATH_EXPECTS(!arrays_.empty() && first_part_.size() == num_ranges() + 1);
  begin_.push_back(0);
  for (std::size_t range = 0; range < num_ranges(); ++range) {
    std::uint64_t arcs = 0;
    for (const Part& part : this->parts(range)) arcs += part.sources.size();
    begin_.push_back(begin_.back() + arcs);
  }
}

void DealtArcs::forget_arcs() {
  for (ArcArrays& each : arrays_) {
    each.targets = {};
    each.source_highs = {};
  }
  for (Part& part : parts_) {
    part.target = nullptr;
    part.source_high = nullptr;
  }
}

}  // namespace isobath
