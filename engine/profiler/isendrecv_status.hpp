// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace isobath::profiler {

/// Whether what completes MPI_Isendrecv says what was received. MPICH 4.0 and 5.0 leave that status as an
/// earlier request left it. Tried by messages of this rank to itself; to be asked before the program sends
/// any. True where the library has no such function.
bool isendrecv_fills_status();

}  // namespace isobath::profiler
