// SPDX-License-Identifier: Apache-2.0
// The cases that both halves share; tests/python/disclosure/test_cases.py runs the same.
#include "record/disclosure.hpp"

#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "record/collective.hpp"
#include "record/credentials.hpp"
#include "record/records.hpp"

namespace isobath {
namespace {

nlohmann::json cases(const char* kind) {
  std::ifstream file(ISOBATH_DISCLOSURE_CASES);
  return nlohmann::json::parse(file).at(kind);
}

TEST(Credentials, AreKnownByTheirNames) {
  const nlohmann::json names = cases("names");
  for (const std::string name : names.at("credentials")) EXPECT_TRUE(is_credential_name(name)) << name;
  for (const std::string name : names.at("others")) EXPECT_FALSE(is_credential_name(name)) << name;
}

TEST(Credentials, AreLeftOutOfTexts) {
  for (const auto& one : cases("texts")) {
    EXPECT_EQ(without_credentials(one.at(0).get<std::string>()), one.at(1).get<std::string>());
  }
}

TEST(Credentials, AreLeftOutOfValues) {
  for (const auto& one : cases("values")) {
    const auto text = one.at(0).get<std::string>();
    EXPECT_EQ(without_credentials(text, Disorder::removed), one.at(1).get<std::string>());
    EXPECT_EQ(without_credentials(text), text);
  }
}

TEST(Disclosure, KeepsWhatExplainsAPerformance) {
  for (const auto& one : cases("variables")) {
    const auto name = one.at(0).get<std::string>();
    EXPECT_EQ(stored_value(name, one.at(1).get<std::string>()), one.at(2).get<std::string>()) << name;
  }
}

TEST(Disclosure, LeavesCredentialsOutOfCommands) {
  for (const auto& one : cases("words")) {
    const auto stored = one.at(1).get<std::vector<std::string>>();
    EXPECT_EQ(stored_words(one.at(0).get<std::vector<std::string>>()), stored);
    EXPECT_EQ(stored_words(stored), stored);
  }
}

TEST(Disclosure, TakesOfAnEnvironmentWhatMpiLibrariesRead) {
  const char* const environment[] = {"FI_PROVIDER=tcp", "SLURM_JWT=abc",     "FI_NEW_KNOB=5",
                                     "HOME=/root",      "OMP_NUM_THREADS=2", nullptr};

  const auto found = stored_variables(environment);

  const std::map<std::string, std::string> wanted = {{"FI_NEW_KNOB", "[left out]"}, {"FI_PROVIDER", "tcp"}};
  EXPECT_EQ(found, wanted);
}

TEST(Records, HoldNoCredentials) {
  RunRecord run;
  run.argv = {"isobath-graph500", "--token", "hunter2"};
  LaunchRecord launch;
  launch.argv = run.argv;
  FailureRecord failure;
  failure.message = "cannot read https://me:hunter2@host/";
  for (const std::string& line : {to_line(run, "a"), to_line(launch, "a"), to_line(failure, "a")}) {
    EXPECT_EQ(line.find("hunter2"), line.npos) << line;
    EXPECT_NE(line.find("[left out]"), line.npos) << line;
  }
}

}  // namespace
}  // namespace isobath
