// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace isobath {

// Processes that a launcher starts for one program find each other only where launcher and MPI library speak
// the same protocol; elsewhere each is a world of one rank, and all of them do the same work and print the
// same result. The variables that launchers set tell it. Knows no MPI: the profiler asks the same.

/// Set by our own launchers, and by whoever wants each process to run for itself: 1.
inline constexpr std::string_view expected_ranks = "ISOBATH_EXPECT_RANKS";

/// The variables of the environment that say something of a launch; empty ones count as not set.
using LaunchVariables = std::map<std::string, std::string, std::less<>>;

/// Those of an environment as the system holds it. Taken before MPI starts: libraries set some themselves.
LaunchVariables launch_variables(const char* const* environment);

/// How many processes the innermost launcher started, and which variable says so.
struct LaunchedRanks {
  std::string variable;
  std::int64_t ranks = 0;  // 0 where the value is no number of ranks
};

/// ISOBATH_EXPECT_RANKS; else PMI_SIZE or OMPI_COMM_WORLD_SIZE, of both that of the library's own launchers;
/// else, where no variable of Hydra, PMI, PMIx or Open MPI is set, SLURM_STEP_NUM_TASKS, also where PMIx is
/// that of the same step. Absent where nobody tells. In an allocation or a step of one task everything
/// further out (SLURM_NTASKS, the proxies' step) says nothing of this launch.
/// @param library  what the MPI library calls itself
std::optional<LaunchedRanks> launched_ranks(const LaunchVariables& variables, std::string_view library);

/// What is wrong with a world, and what to do.
struct WorldFault {
  LaunchedRanks launched;
  std::string fact;
  std::string cure;
};

/// Why a world of `size` ranks is not what was started; absent where it is, or where nobody tells. The tasks
/// of a Slurm step are held against a world of one rank alone.
std::optional<WorldFault> world_fault(const LaunchVariables& variables, std::int64_t size,
                                      std::string_view library);

/// The same before MPI starts, where it is certain: a value that is no number, or an MPICH without PMIx where
/// the launcher offers nothing else. Libraries may end the program over either, with words of their own.
/// @param description  all that the MPI library says of itself, how it was configured included
std::optional<WorldFault> certain_fault(const LaunchVariables& variables, std::string_view description);

/// The rank that the launcher gave this process; absent where it tells none.
std::optional<int> launcher_rank(const LaunchVariables& variables);

}  // namespace isobath
