// SPDX-License-Identifier: Apache-2.0
#include "graph500/official_output.hpp"

#include <fstream>
#include <map>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

namespace isobath {
namespace {

std::string sample() {
  std::ostringstream text;
  text << std::ifstream(ISOBATH_TEST_DATA "/reference-3.0-stdout-bfs.txt").rdbuf();
  return text.str();
}

/// The values of a text of the reference by label, as they are printed.
std::map<std::string, std::string> values_of(const std::string& text) {
  std::map<std::string, std::string> values;
  std::istringstream lines(text);
  std::string line;
  while (std::getline(lines, line)) {
    const auto colon = line.find(':');
    const auto begin = line.find_first_not_of(" !", colon + 1);
    values[line.substr(0, colon)] = line.substr(begin);
  }
  return values;
}

class Sample {
 public:
  Sample() : values_(values_of(sample())) {}
  double operator[](const std::string& label) const { return std::stod(values_.at(label)); }
  Statistics statistics(const std::string& prefix, const std::string& suffix) const {
    const auto value = [&](const char* name) { return (*this)[prefix + name + "_" + suffix]; };
    return {value("min"), value("firstquartile"), value("median"), value("thirdquartile"),
            value("max"), value("mean"),          value("stddev")};
  }

 private:
  std::map<std::string, std::string> values_;
};

OfficialNumbers numbers_of_the_sample() {
  const Sample value;
  OfficialNumbers numbers;
  numbers.scale = static_cast<int>(value["SCALE"]);
  numbers.edgefactor = static_cast<int>(value["edgefactor"]);
  numbers.searches = static_cast<int>(value["NBFS"]);
  numbers.ranks = static_cast<int>(value["num_mpi_processes"]);
  numbers.generation_seconds = value["graph_generation"];
  numbers.construction_seconds = value["construction_time"];
  numbers.seconds = value.statistics("bfs  ", "time");
  numbers.traversed_edges = value.statistics("", "nedge");
  numbers.validation_seconds = value.statistics("bfs  ", "validate");
  numbers.teps = {value["bfs  min_TEPS"],
                  value["bfs  firstquartile_TEPS"],
                  value["bfs  median_TEPS"],
                  value["bfs  thirdquartile_TEPS"],
                  value["bfs  max_TEPS"],
                  value["bfs  harmonic_mean_TEPS"],
                  value["bfs  harmonic_stddev_TEPS"]};
  return numbers;
}

TEST(ReferenceText, IsThatOfTheReferenceByteForByte) {
  ASSERT_FALSE(sample().empty());
  EXPECT_EQ(reference_text(numbers_of_the_sample()), sample());
}

TEST(ReferenceText, WithoutTheBangOnlyThatLineChanges) {
  std::string expected = sample();
  const auto bang = expected.find('!');
  ASSERT_NE(bang, std::string::npos);
  expected[bang] = ' ';  // the value stays in its column
  EXPECT_EQ(reference_text(numbers_of_the_sample(), false), expected);
}

TEST(ReferenceText, LargeEdgeCountsKeepElevenDigits) {
  const std::vector<OfficialSearch> searches = {{1.0, 17179724952, 17179869184, 0.5},
                                                {1.0, 17179724952, 0, 0.5}};
  const std::string text = reference_text(official_numbers({}, searches, SelfLoops::left_out));
  EXPECT_NE(text.find("min_nedge:                      17179724952\n"), std::string::npos) << text;
}

TEST(ReferenceText, SearchesThatWereNotValidatedPrintMinusOne) {
  const std::vector<OfficialSearch> searches = {{1.0, 10, 10, {}}, {2.0, 10, 10, {}}};
  const auto values = values_of(reference_text(official_numbers({}, searches, SelfLoops::left_out)));
  EXPECT_EQ(values.at("bfs  min_validate"), "-1");
  EXPECT_EQ(values.at("bfs  stddev_validate"), "0");
  EXPECT_EQ(values.at("NBFS"), "2");
}

TEST(ReferenceText, ASingleSearchHasTheDeviationsThatTheReferencePrints) {
  const std::vector<OfficialSearch> searches = {{2.0, 10, 10, 1.0}};
  const auto values = values_of(reference_text(official_numbers({}, searches, SelfLoops::left_out)));
  EXPECT_EQ(values.at("bfs  stddev_time"), "-nan");
  EXPECT_EQ(values.at("bfs  harmonic_stddev_TEPS"), "-nan");
  EXPECT_EQ(values.at("bfs  harmonic_mean_TEPS"), "5");
}

TEST(ReferenceText, OfAnInvalidRunIsOneLine) {
  EXPECT_EQ(invalid_run_text(), "No results printed for invalid run.\n");
}

TEST(OfficialNumbers, TheTwoDialectsCountSelfLoopsDifferently) {
  const std::vector<OfficialSearch> searches = {{0.5, 100, 110, 1.0}, {0.5, 100, 110, 1.0}};
  EXPECT_DOUBLE_EQ(official_numbers({}, searches, SelfLoops::left_out).teps.harmonic_mean, 200);
  EXPECT_DOUBLE_EQ(official_numbers({}, searches, SelfLoops::counted).teps.harmonic_mean, 220);
  EXPECT_EQ(official_numbers({}, searches, SelfLoops::counted).traversed_edges.max, 110);
}

TEST(SpecificationText, HasTheNamesOfTheSpecificationInItsOrder) {
  const std::vector<OfficialSearch> searches = {{0.5, 100, 110, 1.0}, {0.25, 100, 110, 1.0}};
  OfficialNumbers numbers{};
  numbers.scale = 3;
  numbers.edgefactor = 16;
  const std::string text =
      specification_text(official_numbers(numbers, searches, SelfLoops::counted), {"a note"});

  std::vector<std::string> names;
  std::istringstream lines(text);
  std::string line;
  while (std::getline(lines, line)) names.push_back(line.substr(0, line.find(':')));
  std::vector<std::string> expected = {"SCALE", "edgefactor", "NBFS", "construction_time"};
  for (const char* suffix : {"time", "nedge"}) {
    for (const char* name : {"min", "firstquartile", "median", "thirdquartile", "max", "mean", "stddev"}) {
      expected.push_back(std::string("bfs_") + name + "_" + suffix);
    }
  }
  for (const char* name :
       {"min", "firstquartile", "median", "thirdquartile", "max", "harmonic_mean", "harmonic_stddev"}) {
    expected.push_back(std::string("bfs_") + name + "_TEPS");
  }
  expected.insert(expected.end(), {"graph_generation", "num_mpi_processes"});
  names.resize(expected.size());
  EXPECT_EQ(names, expected) << text;
}

TEST(SpecificationText, GivesEveryDigit) {
  const std::vector<OfficialSearch> searches = {{0.1, 100, 110, 1.0}};
  const std::string text = specification_text(official_numbers({}, searches, SelfLoops::counted), {});
  EXPECT_NE(text.find("bfs_min_time: 1.00000000000000006e-01\n"), std::string::npos) << text;
  EXPECT_NE(text.find("bfs_max_nedge: 1.10000000000000000e+02\n"), std::string::npos) << text;
  EXPECT_NE(text.find("bfs_stddev_time: NaN\n"), std::string::npos) << text;
}

TEST(SpecificationText, NotesAreCommentsWithoutColons) {
  const std::vector<OfficialSearch> searches = {{0.1, 100, 110, 1.0}};
  const std::string text =
      specification_text(official_numbers({}, searches, SelfLoops::counted), {"leaves were pruned"});
  EXPECT_NE(text.find("\n# leaves were pruned\n"), std::string::npos) << text;
  std::istringstream lines(text);
  std::string line;
  while (std::getline(lines, line)) {
    if (line.front() == '#') {
      EXPECT_EQ(line.find(':'), std::string::npos) << line;
    }
  }
}

}  // namespace
}  // namespace isobath
