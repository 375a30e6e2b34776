// SPDX-License-Identifier: Apache-2.0
#include "record/build_info.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "record/records.hpp"

namespace isobath {
namespace {

TEST(BuildInfo, TellsHowThisBinaryWasBuilt) {
  const BuildInfo info = build_info();
  EXPECT_FALSE(info.version.empty());
  EXPECT_FALSE(info.compiler.empty());
  EXPECT_FALSE(info.build_type.empty());
  EXPECT_EQ(info.mpi_compiled.substr(0, 4), "MPI ");
  EXPECT_FALSE(info.preset.empty());
  if (info.commit != "unknown") {
    EXPECT_EQ(info.commit.size(), 40U);
  } else {
    EXPECT_FALSE(info.dirty);
  }
}

TEST(BuildInfo, IsAJsonObject) {
  const auto json = nlohmann::json::parse(to_json(build_info(), true));
  EXPECT_EQ(json.at("version"), build_info().version);
  EXPECT_EQ(json.at("build").at("standard_abi"), true);
  EXPECT_EQ(json.at("build").at("compiler"), build_info().compiler);
}

}  // namespace
}  // namespace isobath
