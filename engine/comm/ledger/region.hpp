// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace isobath {

/// Tells whoever interposes MPI which part of the program is going on; MPI itself does nothing with it. Calls
/// that follow belong to this region until the next one.
/// @param name    nullptr: none
/// @param number  tells parts of one name apart, a level for example; -1: none
void announce_region(const char* name, int number) noexcept;

/// Calls that follow belong to this search, in whatever region; -1: to none.
void announce_search(int number) noexcept;

}  // namespace isobath
