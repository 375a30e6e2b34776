// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "base/launched_ranks.hpp"
#include "comm/communicator.hpp"

namespace isobath {

/// Which threads there are beside the one that calls MPI: none that compute, those of OpenMP, or some that
/// call MPI too.
enum class ThreadLevel { single, funneled, multiple };

/// MPI_Init_thread and MPI_Finalize as one object; one per process. Errors return instead of aborting.
class MpiEnvironment {
 public:
  /// Asks for this level, for MPI_THREAD_FUNNELED where it is `single`: then whatever is granted will do.
  /// @throws MpiError when the library grants less than MPI_THREAD_FUNNELED to others (whoever needs more
  /// looks at mpi_identity()), and before MPI starts where it is certain that its ranks would not
  /// find each other.
  MpiEnvironment(int* argc, char*** argv, ThreadLevel wanted = ThreadLevel::funneled);
  MpiEnvironment(const MpiEnvironment&) = delete;
  MpiEnvironment& operator=(const MpiEnvironment&) = delete;
  /// Finalizes, unless an exception passes; then MPI is left as it is, so that no rank waits for another.
  ~MpiEnvironment();

  /// Collective. A duplicate of MPI_COMM_WORLD, held against the number of ranks that the launcher started
  /// (launched_ranks.hpp), so that a wrong launcher (every process rank 0 of 1) is noticed before any work.
  /// ISOBATH_MPI_COUNT_LIMIT (bytes) replaces the limit and large-count calls, so that whole
  /// programs can be tested with pieces; the smallest limit of all ranks holds for all.
  /// @throws MpiError naming both numbers and the remedy; UsageError when a variable of ours is no positive
  /// number.
  Communicator world(CountLimit limit = {}) const;

 private:
  LaunchVariables launch_;
  int exceptions_before_;
};

/// Ends all ranks of the program at once with this exit code, also before MPI begins and after it ended.
[[noreturn]] void abort_all_ranks(ExitCode code);

/// The rank in the program of each of the `size` ranks of a communicator, in order. Communicates nothing.
std::vector<int> world_ranks_of(MPI_Comm comm, int size);

/// What the MPI library says of itself, for records.
struct MpiIdentity {
  std::string library_version;   // MPI_Get_library_version, first line
  std::string standard_version;  // MPI_Get_version, e.g. "5.0"
  std::string thread_level;      // by name: "funneled", ...; "none" where MPI is not running
  bool large_counts = false;     // _c calls exist and are used, unless a limit was set
  bool standard_abi = false;     // compiled against the MPI-5 ABI
};
MpiIdentity mpi_identity();

}  // namespace isobath
