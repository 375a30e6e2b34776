// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace isobath {

/// Told that this rank has scanned so many arcs. On machines that took its time; a simulated rank now
/// computes as long as simulated_arc_seconds() says.
void computed(std::int64_t arcs);

/// ISOBATH_ARC_SECONDS: seconds that a simulated rank computes for each arc; 0 where it is not set. Of the
/// simulated engine alone. @throws UsageError for what is no number of 0 or more
double simulated_arc_seconds();

}  // namespace isobath
