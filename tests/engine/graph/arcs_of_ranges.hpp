// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "graph/dealt_arcs.hpp"

namespace isobath::test {

/// Calls visit(target, source) for every arc, range by range.
template <class Visit>
void for_each_arc(const DealtArcs& dealt, Visit&& visit) {
  for (std::size_t range = 0; range < dealt.num_ranges(); ++range) {
    for (const DealtArcs::Part& part : dealt.parts(range)) {
      dealt.with_sources(part, [&](const auto& source_at) {
        for (std::size_t i = 0; i < part.sources.size(); ++i) {
          visit(dealt.first_target(range) + part.target[i], source_at(i));
        }
      });
    }
  }
}

}  // namespace isobath::test
