// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace isobath::profiler {

/// From now on the rank's file is written however the program ends: by exit, or by a signal that it does not
/// handle itself. SIGKILL is the one ending that leaves nothing.
void write_at_every_end();

}  // namespace isobath::profiler
