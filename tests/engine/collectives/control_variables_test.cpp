// SPDX-License-Identifier: Apache-2.0
#include "comm/bare/control_variables.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "collectives/algorithms.hpp"
#include "mpi_main.hpp"

namespace isobath {
namespace {

TEST(ControlVariables, AreFoundByTheNamesThatTheLibraryLists) {
  const ControlVariables variables;
  const std::vector<std::string> names = variables.names();
  EXPECT_FALSE(variables.find("NO_SUCH_VARIABLE"));
  int found = 0;
  for (const std::string& name : names) {
    if (const std::optional<ControlVariable> variable = variables.find(name)) {
      EXPECT_EQ(variable->name, name);
      ++found;
    }
  }
  EXPECT_GT(found, 0);
}

TEST(ControlVariables, ReadBackWhatWasWrittenAndSayWhatCannotBe) {
  const ControlVariables variables;
  EXPECT_TRUE(variables.write("NO_SUCH_VARIABLE", "1"));
  int forced = 0;
  const std::vector<std::string> names = variables.names();
  for (const std::string& name : algorithm_variables(Collective::allreduce, Form::blocking, names)) {
    const std::optional<ControlVariable> before = variables.find(name);
    ASSERT_TRUE(before);
    if (!before->is_writable || before->choices.size() < 2) continue;
    EXPECT_TRUE(variables.write(name, "no such algorithm"));
    for (const std::string& choice : before->choices) {
      EXPECT_EQ(variables.write(name, choice), std::nullopt) << name << choice;
      EXPECT_EQ(variables.find(name)->value, choice);
    }
    EXPECT_EQ(variables.write(name, before->value), std::nullopt);
    ++forced;
  }
  if (forced == 0) GTEST_SKIP() << "this library lets nobody choose its algorithms while it runs";
}

TEST(ForcedAlgorithm, HoldsAsLongAsItLives) {
  const ControlVariables variables;
  const std::vector<std::string> names = variables.names();
  const std::vector<std::string> found = algorithm_variables(Collective::bcast, Form::blocking, names);
  if (found.empty() || variables.find(found[0])->choices.size() < 2 ||
      !variables.find(found[0])->is_writable) {
    GTEST_SKIP() << "this library lets nobody choose its algorithms while it runs";
  }
  EXPECT_FALSE(known_algorithm(variables, names, Collective::bcast, Form::blocking));
  const std::string before = variables.find(found[0])->value;
  {
    const std::string wanted = variables.find(found[0])->choices[1];
    const ForcedAlgorithm forced(variables, AlgorithmChoice{found[0], wanted});
    if (found[0].starts_with("coll_tuned_") && forced.obstacle()) {
      EXPECT_NE(forced.obstacle()->find("coll_tuned_use_dynamic_rules"), std::string::npos);
      EXPECT_EQ(variables.find(found[0])->value, before) << "nothing is written that would be ignored";
      return;
    }
    EXPECT_EQ(forced.obstacle(), std::nullopt);
    EXPECT_EQ(variables.find(found[0])->value, wanted);
    const auto known = known_algorithm(variables, names, Collective::bcast, Form::blocking);
    ASSERT_TRUE(known);
    EXPECT_EQ(known->value, wanted);
  }
  EXPECT_EQ(variables.find(found[0])->value, before);
  const ForcedAlgorithm impossible(variables, AlgorithmChoice{"NO_SUCH_VARIABLE", "1"});
  EXPECT_TRUE(impossible.obstacle());
}

}  // namespace
}  // namespace isobath
