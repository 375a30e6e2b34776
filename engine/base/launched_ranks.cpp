// SPDX-License-Identifier: Apache-2.0
#include "base/launched_ranks.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>

namespace isobath {
namespace {

constexpr std::string_view pmi_size = "PMI_SIZE";
constexpr std::string_view open_mpi_size = "OMPI_COMM_WORLD_SIZE";
constexpr std::string_view step_tasks = "SLURM_STEP_NUM_TASKS";

/// What Hydra, PMI and Open MPI set for each process they start. What people set to steer them
/// (OMPI_MCA_*, PMIX_MCA_*, HYDRA_BOOTSTRAP, PMI_DEBUG ...) stands in many profiles and says nothing.
constexpr std::array<std::string_view, 14> of_other_launchers = {"HYDI_CONTROL_FD",
                                                                 "MPI_LOCALNRANKS",
                                                                 "MPI_LOCALRANKID",
                                                                 "PMI_FD",
                                                                 "PMI_ID",
                                                                 "PMI_JOBID",
                                                                 "PMI_LOCAL_RANK",
                                                                 "PMI_LOCAL_SIZE",
                                                                 "PMI_PORT",
                                                                 "PMI_RANK",
                                                                 "PMI_SIZE",
                                                                 "OMPI_UNIVERSE_SIZE",
                                                                 "OMPI_COMM_WORLD_RANK",
                                                                 "OMPI_COMM_WORLD_SIZE"};
constexpr std::array<std::string_view, 2> of_pmix = {"PMIX_NAMESPACE", "PMIX_RANK"};
constexpr std::string_view pmix_server = "PMIX_SERVER_URI";  // with a number behind it
constexpr std::array<std::string_view, 4> of_slurm = {"SLURM_JOB_ID", "SLURM_STEP_ID", "SLURM_PROCID",
                                                      "SLURM_STEP_NUM_TASKS"};

template <std::size_t size>
bool contains(const std::array<std::string_view, size>& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

bool is_launch_variable(std::string_view name) {
  return name == expected_ranks || contains(of_other_launchers, name) || contains(of_pmix, name) ||
         contains(of_slurm, name) || name.starts_with(pmix_server);
}

std::string_view value_of(const LaunchVariables& variables, std::string_view name) {
  const auto found = variables.find(name);
  return found == variables.end() ? std::string_view() : std::string_view(found->second);
}

template <std::size_t size>
bool has_any(const LaunchVariables& variables, const std::array<std::string_view, size>& names) {
  return std::ranges::any_of(names,
                             [&](std::string_view name) { return !value_of(variables, name).empty(); });
}

/// A whole number that fills the text; absent where it is none or does not fit.
std::optional<int> whole_number(std::string_view text) {
  int value = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  if (read.ec != std::errc() || read.ptr != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<LaunchedRanks> told_by(const LaunchVariables& variables, std::string_view name) {
  const std::string_view text = value_of(variables, name);
  if (text.empty()) return std::nullopt;
  return LaunchedRanks{std::string(name), std::max(0, whole_number(text).value_or(0))};
}

bool is_open_mpi(std::string_view library) { return library.find("Open MPI") != library.npos; }
bool is_intel(std::string_view library) { return library.find("Intel") != library.npos; }

/// Whether the PMIx variables are those of the Slurm step that this process is a task of: Slurm names the
/// step.
bool has_pmix_of_its_step(const LaunchVariables& variables) {
  const std::string step = std::string("slurm.pmix.") + std::string(value_of(variables, "SLURM_JOB_ID")) +
                           "." + std::string(value_of(variables, "SLURM_STEP_ID"));
  return value_of(variables, "PMIX_NAMESPACE") == step;
}

bool has_pmix(const LaunchVariables& variables) {
  return has_any(variables, of_pmix) || std::ranges::any_of(variables, [](const auto& entry) {
           return entry.first.starts_with(pmix_server);
         });
}

std::string ranks_in_words(std::int64_t ranks) {
  return ranks == 1 ? "1 rank" : std::to_string(ranks) + " ranks";
}

/// How srun passes its protocol on to this library.
std::string_view srun_for(std::string_view library) {
  if (is_open_mpi(library)) return "srun --mpi=pmix";
  if (is_intel(library)) return "srun --mpi=pmi2 and I_MPI_PMI_LIBRARY=libpmi2.so";
  return "srun --mpi=pmi2";
}

std::string fact_of(const LaunchedRanks& launched, std::int64_t size, std::string_view library) {
  const std::string counts = " (" + launched.variable + "), but MPI counts " + std::to_string(size);
  const std::string ranks = ranks_in_words(launched.ranks);
  if (launched.variable == expected_ranks) return "the launcher announced " + ranks + counts;
  if (launched.variable == step_tasks)
    return "srun started " + ranks + " without a PMI that the program's MPI library speaks" + counts;
  if (launched.variable == open_mpi_size && !is_open_mpi(library))
    return "Open MPI's mpirun started " + ranks + counts + ", for the program runs with another library";
  if (launched.variable == pmi_size && is_open_mpi(library))
    return "the mpiexec of another library started " + ranks + counts;
  return "the launcher started " + ranks + counts;
}

std::string cure_of(const LaunchedRanks& launched, std::string_view library) {
  const std::string own = "the mpiexec of the MPI library that it runs with (" + std::string(library) + ")";
  const std::string slurms(srun_for(library));
  if (launched.variable == step_tasks) return "start the program with " + slurms + ", or with " + own;
  return "start the program with " + own + ", under Slurm also with " + slurms;
}

}  // namespace

LaunchVariables launch_variables(const char* const* environment) {
  LaunchVariables found;
  for (; environment != nullptr && *environment != nullptr; ++environment) {
    const std::string_view entry = *environment;
    const std::size_t equals = entry.find('=');
    if (equals == entry.npos || equals + 1 == entry.size()) continue;
    const std::string_view name = entry.substr(0, equals);
    if (is_launch_variable(name)) found.emplace(name, entry.substr(equals + 1));
  }
  return found;
}

std::optional<LaunchedRanks> launched_ranks(const LaunchVariables& variables, std::string_view library) {
  if (auto told = told_by(variables, expected_ranks)) return told;
  // One launcher may have started the other: a library is connected by its own.
  const bool open_mpi_first = is_open_mpi(library);
  if (auto told = told_by(variables, open_mpi_first ? open_mpi_size : pmi_size)) return told;
  if (auto told = told_by(variables, open_mpi_first ? pmi_size : open_mpi_size)) return told;
  if (has_any(variables, of_other_launchers)) return std::nullopt;
  if (has_pmix(variables) && !has_pmix_of_its_step(variables)) return std::nullopt;
  return told_by(variables, step_tasks);
}

std::optional<WorldFault> world_fault(const LaunchVariables& variables, std::int64_t size,
                                      std::string_view library) {
  const std::optional<LaunchedRanks> launched = launched_ranks(variables, library);
  if (!launched || launched->ranks == size) return std::nullopt;
  // Processes that found each other were started by a launcher that we do not know, its daemons by srun.
  if (launched->variable == step_tasks && size > 1) return std::nullopt;
  if (launched->ranks == 0) {
    return WorldFault{
        *launched, launched->variable + " is '" + std::string(value_of(variables, launched->variable)) + "'",
        "set it to a whole number from 1 to " + std::to_string(std::numeric_limits<int>::max()) +
            ", or unset it"};
  }
  return WorldFault{*launched, fact_of(*launched, size, library), cure_of(*launched, library)};
}

std::optional<WorldFault> certain_fault(const LaunchVariables& variables, std::string_view description) {
  const std::string_view library = description.substr(0, description.find('\n'));
  const bool is_mpich = library.starts_with("MPICH Version");
  const bool speaks_pmix = description.find("pmix") != description.npos;
  const bool is_alone = is_mpich && !speaks_pmix && has_pmix(variables);
  std::optional<WorldFault> fault = world_fault(variables, 1, library);
  return fault && (is_alone || fault->launched.ranks == 0) ? fault : std::nullopt;
}

std::optional<int> launcher_rank(const LaunchVariables& variables) {
  for (const std::string_view name : {"PMI_RANK", "PMIX_RANK", "OMPI_COMM_WORLD_RANK", "SLURM_PROCID"}) {
    if (const auto rank = whole_number(value_of(variables, name)); rank && *rank >= 0) return rank;
  }
  return std::nullopt;
}

}  // namespace isobath
