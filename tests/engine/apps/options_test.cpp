// SPDX-License-Identifier: Apache-2.0
#include "apps/options.hpp"

#include <sstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "base/phase.hpp"

namespace isobath {
namespace {

CommandLine<Options> read(const std::string& arguments) {
  std::vector<std::string> words = {"isobath-graph500"};
  std::istringstream text(arguments);
  std::string word;
  while (text >> word) words.push_back(word);
  std::vector<const char*> argv;
  for (const std::string& each : words) argv.push_back(each.c_str());
  return read_command_line(static_cast<int>(argv.size()), argv.data());
}

/// The sentence that refuses these arguments; empty where they are taken.
std::string refusal_of(const std::string& arguments) {
  try {
    read(arguments);
  } catch (const UsageError& error) {
    return error.what();
  }
  return {};
}

TEST(Options, HaveTheDocumentedDefaults) {
  const Options options = read("--scale 20").options;
  EXPECT_EQ(options.graph.scale, 20);
  EXPECT_EQ(options.graph.edgefactor, 16);
  EXPECT_EQ(options.graph.seed1, 2U);
  EXPECT_EQ(options.graph.seed2, 3U);
  EXPECT_EQ(options.plan, "hybrid");
  EXPECT_EQ(options.grid, std::nullopt);
  EXPECT_EQ(options.threads, std::nullopt);
  EXPECT_EQ(options.keys, 64);
  EXPECT_TRUE(options.roots.empty());
  EXPECT_EQ(options.edges, EdgeStorage::memory);
  EXPECT_TRUE(options.validation);
  EXPECT_EQ(options.warmup_searches, 1);
  EXPECT_FALSE(options.official);
  EXPECT_FALSE(options.progress);
  EXPECT_FALSE(options.legacy_no_bang);
  EXPECT_EQ(read("--scale 20").answer, std::nullopt);
}

TEST(Options, AreAllRead) {
  const Options options =
      read(
          "--scale 12 --edgefactor 8 --plan hybrid --grid 2x3 --threads 3 --keys 7 --root 5 --root 6 --edges "
          "file "
          "--edge-folder /tmp --no-validation --warmup 0 --record r --run-id id --official-reference a "
          "--official-spec b --validation-copy on --legacy-no-bang --heartbeat h --alpha 1.5 --beta 2.5 "
          "--progress")
          .options;
  EXPECT_EQ(options.graph.edgefactor, 8);
  EXPECT_EQ(options.grid, (GridShape{2, 3}));
  EXPECT_EQ(options.threads, 3);
  EXPECT_EQ(options.keys, 7);
  EXPECT_EQ(options.roots, (std::vector<GlobalVertex>{GlobalVertex{5}, GlobalVertex{6}}));
  EXPECT_EQ(options.edges, EdgeStorage::file);
  EXPECT_EQ(options.edge_folder, "/tmp");
  EXPECT_FALSE(options.validation);
  EXPECT_TRUE(options.validation_copy);
  EXPECT_EQ(options.warmup_searches, 0);
  EXPECT_EQ(options.record_file, "r");
  EXPECT_EQ(options.run_id, "id");
  EXPECT_EQ(options.official_reference_file, "a");
  EXPECT_EQ(options.official_spec_file, "b");
  EXPECT_EQ(options.heartbeat_file, "h");
  EXPECT_EQ(options.alpha, 1.5);
  EXPECT_EQ(options.beta, 2.5);
  EXPECT_TRUE(options.progress);
  EXPECT_TRUE(options.legacy_no_bang);
  EXPECT_EQ(read("--scale 12 --edges regenerate").options.edges, EdgeStorage::regenerate);
  EXPECT_FALSE(read("--scale 12").options.validation_copy);
  EXPECT_EQ(read("--scale 12 --plan simple --ids 32").options.switches.id_bits, 32);
  EXPECT_TRUE(read("--scale 12 --huge-pages on").options.huge_pages);
  EXPECT_FALSE(read("--scale 12 --huge-pages off").options.huge_pages);
}

TEST(Options, WrongOnesAreRefusedByName) {
  EXPECT_NE(refusal_of("").find("--scale is missing"), std::string::npos);
  EXPECT_NE(refusal_of("--scale 12 --sclae 3").find("--sclae"), std::string::npos);
  EXPECT_NE(refusal_of("--scale 12 surplus").find("surplus"), std::string::npos);
  EXPECT_NE(refusal_of("--scale 99").find("99 not in range 1 to 43"), std::string::npos);
  EXPECT_NE(refusal_of("--scale 0").find("--scale"), std::string::npos);
  EXPECT_NE(refusal_of("--scale many").find("many"), std::string::npos);
  EXPECT_NE(refusal_of("--scale").find("--scale"), std::string::npos);
  EXPECT_NE(refusal_of("--scale 12 --plan magic").find("magic"), std::string::npos);
  EXPECT_NE(refusal_of("--scale 12 --grid 2by3").find("2by3"), std::string::npos);
  EXPECT_NE(refusal_of("--scale 12 --threads 0").find("--threads"), std::string::npos);
  EXPECT_NE(refusal_of("--scale 12 --keys 0").find("--keys"), std::string::npos);
  EXPECT_NE(refusal_of("--scale 12 --warmup 2").find("--warmup"), std::string::npos);
  EXPECT_NE(refusal_of("--scale 12 --edges tape").find("tape"), std::string::npos);
  EXPECT_NE(refusal_of("--scale 12 --root 4096").find("vertices are 0 to 4095"), std::string::npos);
  EXPECT_NE(refusal_of("--scale 12 --root -1").find("--root -1"), std::string::npos);
  EXPECT_NE(refusal_of("--scale 12 --alpha 0").find("--alpha"), std::string::npos);
  EXPECT_NE(refusal_of("--scale 12 --huge-pages maybe").find("maybe"), std::string::npos);
  EXPECT_NE(refusal_of("--scale 12 --edgefactor 0").find("--edgefactor"), std::string::npos);
}

TEST(Options, OfficialRulesAreCheckedWhereTheyCanBe) {
  EXPECT_EQ(refusal_of("--scale 16 --official"), "");
  EXPECT_NE(refusal_of("--scale 15 --official").find("scale 16"), std::string::npos);
  EXPECT_NE(refusal_of("--scale 16 --official --edgefactor 8").find("edgefactor 16"), std::string::npos);
  EXPECT_NE(refusal_of("--scale 16 --official --keys 16").find("64 search keys"), std::string::npos);
  EXPECT_NE(refusal_of("--scale 16 --official --root 3").find("--root"), std::string::npos);
  EXPECT_NE(refusal_of("--scale 16 --official --no-validation").find("--no-validation"), std::string::npos);
}

TEST(Options, SomeAreAnsweredAtOnceAndNeedNoScale) {
  EXPECT_EQ(read("--version").answer.value().substr(0, 17), "isobath-graph500 ");
  EXPECT_NE(read("--help").answer.value().find("--official-reference"), std::string::npos);

  std::string names;
  for (const std::string_view name : phase_names) names += std::string(name) + "\n";
  EXPECT_EQ(read("--list-phases").answer, names);

  const auto build = nlohmann::json::parse(read("--build-info").answer.value());
  EXPECT_TRUE(build.at("build").at("standard_abi").is_boolean());
  EXPECT_FALSE(build.at("version").get<std::string>().empty());
}

TEST(GridFor, IsThatOfThePlanUnlessOneIsGiven) {
  EXPECT_EQ(grid_for(read("--scale 9").options, 6), (GridShape{6, 1}));
  EXPECT_EQ(grid_for(read("--scale 9 --plan two-dim").options, 6), (GridShape{2, 3}));
  EXPECT_EQ(grid_for(read("--scale 9 --grid 6x1").options, 6), (GridShape{6, 1}));
  try {
    grid_for(read("--scale 9 --grid 2x3").options, 4);
    FAIL() << "accepted";
  } catch (const UsageError& error) {
    EXPECT_STREQ(error.what(), "--grid 2x3 needs 6 ranks, but this run has 4; leave it out for the default");
  }
  EXPECT_THROW(grid_for(read("--scale 9 --grid 65536x65536").options, 0), UsageError) << "no overflow to 0";
  EXPECT_THROW(read("--scale 9 --plan simple --grid 65536x65536"), UsageError);
}

}  // namespace
}  // namespace isobath
