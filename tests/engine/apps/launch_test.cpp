// SPDX-License-Identifier: Apache-2.0
#include "apps/launch.hpp"

#include <cstdlib>
#include <string>

#include <gtest/gtest.h>

#include "apps/graph500_program.hpp"
#include "machine/binding.hpp"

namespace isobath {
namespace {

/// A process that no launcher started, whatever started the tests.
class LaunchTest : public testing::Test {
 protected:
  void SetUp() override {
    for (const char* name : {"PMI_RANK", "PMIX_RANK", "OMPI_COMM_WORLD_RANK", "SLURM_PROCID",
                             "MPI_LOCALNRANKS", "OMPI_COMM_WORLD_LOCAL_SIZE", "SLURM_STEP_TASKS_PER_NODE",
                             "OMP_WAIT_POLICY", "GOMP_SPINCOUNT", "KMP_BLOCKTIME", "OMP_NUM_THREADS"}) {
      unsetenv(name);
    }
  }
  static void set(const char* name, const std::string& value) { setenv(name, value.c_str(), 1); }
  static std::string policy(std::optional<int> threads = std::nullopt) {
    return wait_policy_to_set(threads).value_or("none");
  }
  const int processors_ = static_cast<int>(allowed_cpus().size());
};

TEST_F(LaunchTest, WithoutALauncherThereIsOneRank) {
  EXPECT_EQ(announced_rank(), 0);
  EXPECT_EQ(announced_local_ranks(), 1);
}

TEST_F(LaunchTest, EveryLauncherIsUnderstood) {
  set("PMI_RANK", "3");
  EXPECT_EQ(announced_rank(), 3);
  EXPECT_EQ(announced_local_ranks(), std::nullopt) << "it does not tell";
  set("MPI_LOCALNRANKS", "4");
  EXPECT_EQ(announced_local_ranks(), 4);
  SetUp();
  set("OMPI_COMM_WORLD_RANK", "2");
  set("OMPI_COMM_WORLD_LOCAL_SIZE", "6");
  EXPECT_EQ(announced_rank(), 2);
  EXPECT_EQ(announced_local_ranks(), 6);
  SetUp();
  set("SLURM_PROCID", "1");
  set("SLURM_STEP_TASKS_PER_NODE", "8(x4)");
  EXPECT_EQ(announced_rank(), 1);
  EXPECT_EQ(announced_local_ranks(), 8);
}

TEST_F(LaunchTest, ThreadsWaitActivelyWhereEachHasAProcessor) {
  EXPECT_EQ(policy(), "active");
  EXPECT_EQ(policy(processors_), "active");
}

TEST_F(LaunchTest, ThreadsWaitPassivelyWhereProcessorsAreFewer) {
  EXPECT_EQ(policy(processors_ + 1), "passive");
  set("OMP_NUM_THREADS", std::to_string(processors_ + 1));
  EXPECT_EQ(policy(), "passive");
  EXPECT_EQ(policy(1), "active") << "the option comes first";
  set("OMP_NUM_THREADS", "1");
  set("PMI_RANK", "0");
  set("MPI_LOCALNRANKS", std::to_string(processors_ + 1));
  EXPECT_EQ(policy(), "passive");
}

TEST_F(LaunchTest, AChoiceOfTheUserStays) {
  set("OMP_WAIT_POLICY", "passive");
  EXPECT_EQ(policy(), "none");
  SetUp();
  set("GOMP_SPINCOUNT", "1000");
  EXPECT_EQ(policy(), "none");
  SetUp();
  set("PMIX_RANK", "0");
  EXPECT_EQ(policy(), "none") << "how many share the node is not known";
}

TEST(ThreadLevel, OneThreadThatIsAskedForByNameTakesAnyMpi) {
  Options options;
  EXPECT_EQ(Graph500Program(options, {}).thread_level(), ThreadLevel::funneled);
  options.threads = 2;
  EXPECT_EQ(Graph500Program(options, {}).thread_level(), ThreadLevel::funneled);
  options.threads = 1;
  EXPECT_EQ(Graph500Program(options, {}).thread_level(), ThreadLevel::single);
}

}  // namespace
}  // namespace isobath
