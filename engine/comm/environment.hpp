// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "comm/communicator.hpp"

namespace isobath {

/// MPI_Init_thread and MPI_Finalize as one object; one per process. Errors return instead of aborting.
class MpiEnvironment {
 public:
  /// Asks for MPI_THREAD_FUNNELED. @throws MpiError when the library grants less.
  MpiEnvironment(int* argc, char*** argv);
  MpiEnvironment(const MpiEnvironment&) = delete;
  MpiEnvironment& operator=(const MpiEnvironment&) = delete;
  ~MpiEnvironment();

  /// Collective. A duplicate of MPI_COMM_WORLD, checked against the number of ranks that the launcher announced in
  /// ISOBATH_EXPECT_RANKS, so that a wrong launcher (every process rank 0 of 1) is noticed before any work.
  /// @throws MpiError naming both numbers and the remedy.
  Communicator world(CountLimit limit = {}) const;
};

/// What the MPI library says of itself, for records.
struct MpiIdentity {
  std::string library_version;   // MPI_Get_library_version, first line
  std::string standard_version;  // MPI_Get_version, e.g. "5.0"
  std::string thread_level;      // by name: "funneled", ...
  bool large_counts = false;     // _c calls are used
  bool standard_abi = false;     // compiled against the MPI-5 ABI
};
MpiIdentity mpi_identity();

}  // namespace isobath
