// SPDX-License-Identifier: Apache-2.0
#include "base/launched_ranks.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace isobath {
namespace {

constexpr std::string_view mpich = "MPICH Version: 5.0.2";
constexpr std::string_view open_mpi = "Open MPI v4.1.4, package: Debian OpenMPI";
constexpr std::string_view intel = "Intel(R) MPI Library 2021.18 for Linux* OS";

using Setting = std::vector<std::string>;

LaunchVariables variables_of(const Setting& setting) {
  std::vector<const char*> entries;
  for (const std::string& entry : setting) entries.push_back(entry.c_str());
  entries.push_back(nullptr);
  return launch_variables(entries.data());
}

std::optional<WorldFault> fault_of(const Setting& setting, int size, std::string_view library = mpich) {
  return world_fault(variables_of(setting), size, library);
}

Setting both(Setting first, const Setting& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

const Setting allocation = {"SLURM_JOB_ID=77", "SLURM_NTASKS=4", "SLURM_NPROCS=4", "SLURM_JOB_NUM_NODES=2",
                            "SLURM_TASKS_PER_NODE=2(x2)"};

/// A task of a step of so many, started without PMI.
Setting step(int tasks) {
  return both(allocation, {"SLURM_STEP_ID=0", "SLURM_STEP_NUM_TASKS=" + std::to_string(tasks),
                           "SLURM_STEP_TASKS_PER_NODE=2(x2)", "SLURM_PROCID=0", "SLURM_LOCALID=0"});
}

Setting hydra(int ranks) {
  return {"HYDI_CONTROL_FD=7", "PMI_FD=6",          "PMI_RANK=0",
          "MPI_LOCALNRANKS=2", "MPI_LOCALRANKID=0", "PMI_SIZE=" + std::to_string(ranks)};
}

Setting mpirun_of_open_mpi(int ranks) {
  return {"OMPI_COMM_WORLD_RANK=0",
          "OMPI_UNIVERSE_SIZE=4",
          "PMIX_NAMESPACE=699138049",
          "PMIX_RANK=0",
          "PMIX_SERVER_URI41=699138048.0;tcp4://127.0.0.1:42167",
          "OMPI_COMM_WORLD_SIZE=" + std::to_string(ranks)};
}

TEST(LaunchedRanks, SrunWithoutPmiIsRefused) {
  const auto fault = fault_of(step(2), 1);
  ASSERT_TRUE(fault);
  EXPECT_EQ(fault->launched.variable, "SLURM_STEP_NUM_TASKS");
  EXPECT_EQ(fault->launched.ranks, 2);
  EXPECT_EQ(
      fault->fact,
      "srun started 2 ranks without a PMI that the program's MPI library speaks (SLURM_STEP_NUM_TASKS), "
      "but MPI counts 1");
  EXPECT_EQ(
      fault->cure,
      "start the program with srun --mpi=pmi2, or with the mpiexec of the MPI library that it runs with "
      "(MPICH Version: 5.0.2)");
  EXPECT_NE(fault_of(step(2), 1, open_mpi)->cure.find("srun --mpi=pmix, or"), std::string::npos);
  EXPECT_NE(fault_of(step(2), 1, intel)->cure.find("--mpi=pmi2 and I_MPI_PMI_LIBRARY"), std::string::npos);
}

TEST(LaunchedRanks, WhatPeopleSetDoesNotHideIt) {
  const Setting steered = {"OMPI_MCA_osc=^rdma",
                           "OMPI_ALLOW_RUN_AS_ROOT=1",
                           "PMIX_MCA_gds=hash",
                           "HYDRA_BOOTSTRAP=ssh",
                           "I_MPI_FABRICS=shm",
                           "I_MPI_PMI_LIBRARY=libpmi2.so",
                           "PMI_NO_PREINITIALIZE=y",
                           "MPICH_ASYNC_PROGRESS=1",
                           "PMI_SIZE=",
                           "PMIX_RANK="};
  EXPECT_TRUE(fault_of(both(step(2), steered), 1));
}

TEST(LaunchedRanks, PmixOfTheStepThatTheLibraryDoesNotSpeakIsRefused) {
  const Setting pmix = {"PMIX_NAMESPACE=slurm.pmix.77.0", "PMIX_RANK=0", "PMIX_SERVER_URI41=x"};
  EXPECT_TRUE(fault_of(both(step(2), pmix), 1));
  EXPECT_FALSE(fault_of(both(step(2), pmix), 2, open_mpi));
  // A step further out: a launcher in it starts its ranks by PMIx of its own.
  EXPECT_FALSE(fault_of(both(step(2), {"PMIX_NAMESPACE=slurm.pmix.77.3", "PMIX_RANK=0"}), 1));
  EXPECT_FALSE(fault_of(both(step(2), {"PMIX_NAMESPACE=prterun-host-1@1", "PMIX_RANK=0"}), 1));
  EXPECT_FALSE(fault_of(both(step(2), {"PMIX_SERVER_URI41=x"}), 1));
}

TEST(LaunchedRanks, SrunWithPmiRuns) {
  EXPECT_FALSE(fault_of(both(step(2), {"PMI_FD=9", "PMI_JOBID=77.0", "PMI_RANK=0", "PMI_SIZE=2"}), 2));
  EXPECT_FALSE(fault_of(step(4), 4));  // Slurm's own PMI-1 sets nothing
}

TEST(LaunchedRanks, AllocationsAndStepsFurtherOutSayNothing) {
  EXPECT_FALSE(fault_of({}, 1));
  EXPECT_FALSE(fault_of(allocation, 1)) << "by hand in salloc or sbatch";
  EXPECT_FALSE(fault_of(step(1), 1)) << "by hand in srun --pty bash";
  EXPECT_FALSE(fault_of(both(allocation, hydra(4)), 4)) << "mpiexec in salloc";
  EXPECT_FALSE(fault_of(both(step(1), hydra(4)), 4)) << "mpiexec in srun --pty bash";
  EXPECT_FALSE(fault_of(both(step(2), hydra(4)), 4)) << "Hydra whose proxies srun started";
  EXPECT_FALSE(fault_of(both(step(2), hydra(1)), 1)) << "the same, one rank";
  EXPECT_FALSE(fault_of(both(step(2), {"PMI_PORT=host:1", "PMI_ID=0"}), 1)) << "Hydra by a port";
  EXPECT_FALSE(fault_of(both(step(2), mpirun_of_open_mpi(4)), 4, open_mpi)) << "its daemons by srun";
  EXPECT_FALSE(fault_of(both(step(2), {"I_MPI_HYDRA_TOPOLIB=hwloc", "PMI_RANK=0", "PMI_SIZE=8"}), 8, intel));
  EXPECT_FALSE(fault_of({"PALS_RANKID=0", "PALS_NODEID=0", "PMI_RANK=0", "PMI_SIZE=8"}, 8));
  EXPECT_FALSE(fault_of(both(step(2), {"FLUX_JOB_SIZE=8", "PMI_FD=5", "PMI_RANK=0", "PMI_SIZE=8"}), 8));
  EXPECT_FALSE(fault_of(step(2), 8)) << "a launcher that we do not know, its daemons by srun";
}

TEST(LaunchedRanks, AnotherLibrarysLauncherIsRefused) {
  const auto mpich_program = fault_of(mpirun_of_open_mpi(2), 1);
  ASSERT_TRUE(mpich_program);
  EXPECT_EQ(
      mpich_program->fact,
      "Open MPI's mpirun started 2 ranks (OMPI_COMM_WORLD_SIZE), but MPI counts 1, for the program runs "
      "with another library");
  EXPECT_EQ(mpich_program->cure,
            "start the program with the mpiexec of the MPI library that it runs with (MPICH Version: 5.0.2), "
            "under Slurm also with srun --mpi=pmi2");
  const auto open_mpi_program = fault_of(hydra(2), 1, open_mpi);
  ASSERT_TRUE(open_mpi_program);
  EXPECT_NE(open_mpi_program->fact.find("another library started 2 ranks (PMI_SIZE)"), std::string::npos);
  EXPECT_NE(open_mpi_program->cure.find("(Open MPI v4.1.4"), std::string::npos);
  EXPECT_TRUE(fault_of(hydra(2), 1)) << "a Hydra whose PMI the library does not find";
}

TEST(LaunchedRanks, AnMpichWithoutPmixIsRefusedBeforeItEndsTheProgramItself) {
  const std::string without = std::string(mpich) + "\nMPICH configure: --with-pm=hydra";
  const auto fault = certain_fault(variables_of(mpirun_of_open_mpi(2)), without);
  ASSERT_TRUE(fault);
  EXPECT_EQ(fault->fact, fault_of(mpirun_of_open_mpi(2), 1)->fact);
  EXPECT_EQ(fault->cure, fault_of(mpirun_of_open_mpi(2), 1)->cure);
  EXPECT_TRUE(certain_fault(variables_of(both(step(2), {"PMIX_NAMESPACE=slurm.pmix.77.0"})), without));
  EXPECT_FALSE(certain_fault(variables_of(mpirun_of_open_mpi(1)), without));
  EXPECT_FALSE(certain_fault(variables_of(mpirun_of_open_mpi(2)), without + " --with-pmix=/usr"));
  EXPECT_FALSE(certain_fault(variables_of(mpirun_of_open_mpi(2)), open_mpi));
  EXPECT_FALSE(certain_fault(variables_of(step(2)), without)) << "Slurm's own PMI-1 may connect them";
  EXPECT_FALSE(certain_fault(variables_of(hydra(2)), without));
}

TEST(LaunchedRanks, OfTwoLaunchersThatOfTheLibraryCounts) {
  const Setting nested = both(mpirun_of_open_mpi(3), hydra(2));
  EXPECT_FALSE(fault_of(nested, 2));
  EXPECT_FALSE(fault_of(nested, 3, open_mpi));
  EXPECT_TRUE(fault_of(nested, 3));
  EXPECT_TRUE(fault_of(nested, 2, open_mpi));
}

TEST(LaunchedRanks, OurOwnVariableComesFirst) {
  const Setting own = both(both(step(2), hydra(2)), {"ISOBATH_EXPECT_RANKS=1"});
  EXPECT_FALSE(fault_of(own, 1));
  const auto fault = fault_of(own, 2);
  ASSERT_TRUE(fault);
  EXPECT_EQ(fault->fact, "the launcher announced 1 rank (ISOBATH_EXPECT_RANKS), but MPI counts 2");
  EXPECT_TRUE(fault_of(both(hydra(2), {"ISOBATH_EXPECT_RANKS="}), 1)) << "an empty one is not set";
}

TEST(LaunchedRanks, WhatIsNoNumberOfRanksIsRefused) {
  for (const std::string value : {"abc", "-2", "0", "2x", " 2", "99999999999999999999"}) {
    for (const std::string name :
         {"ISOBATH_EXPECT_RANKS", "PMI_SIZE", "OMPI_COMM_WORLD_SIZE", "SLURM_STEP_NUM_TASKS"}) {
      const auto fault = fault_of({name + "=" + value}, 1);
      ASSERT_TRUE(fault) << name << " " << value;
      EXPECT_EQ(fault->launched.ranks, 0);
      EXPECT_EQ(fault->fact, name + " is '" + value + "'");
      EXPECT_EQ(fault->cure, "set it to a whole number from 1 to 2147483647, or unset it");
      EXPECT_TRUE(certain_fault(variables_of({name + "=" + value}), mpich)) << "before MPI stumbles over it";
    }
  }
  EXPECT_FALSE(fault_of(both(hydra(2), {"SLURM_STEP_NUM_TASKS=abc"}), 2)) << "nobody asks for it";
}

TEST(LauncherRank, IsTheFirstThatALauncherTells) {
  EXPECT_EQ(launcher_rank(variables_of({})), std::nullopt);
  EXPECT_EQ(launcher_rank(variables_of({"SLURM_PROCID=3"})), 3);
  EXPECT_EQ(launcher_rank(variables_of({"SLURM_PROCID=0", "PMI_RANK=2"})), 2);
  EXPECT_EQ(launcher_rank(variables_of({"SLURM_PROCID=1", "PMI_RANK=two"})), 1);
  EXPECT_EQ(launcher_rank(variables_of({"OMPI_COMM_WORLD_RANK=-1"})), std::nullopt);
}

TEST(LaunchVariables, AreTakenWithoutTheRest) {
  const LaunchVariables found =
      variables_of({"HOME=/root", "PMI_SIZE=2", "PMI_SIZE_LIMIT=3", "PMI_RANK=", "odd"});
  EXPECT_EQ(found, (LaunchVariables{{"PMI_SIZE", "2"}}));
  EXPECT_TRUE(launch_variables(nullptr).empty());
}

}  // namespace
}  // namespace isobath
