// SPDX-License-Identifier: Apache-2.0
#include "graph500/official_output.hpp"

#include <fstream>
#include <map>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

namespace isobath {
namespace {

constexpr const char* of_bfs = "/reference-3.0-stdout-bfs.txt";
constexpr const char* of_both = "/reference-3.0-stdout-bfs-sssp.txt";

std::string sample(const char* file = of_bfs) {
  std::ostringstream text;
  text << std::ifstream(std::string(ISOBATH_TEST_DATA) + file).rdbuf();
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
  explicit Sample(const char* file) : values_(values_of(sample(file))) {}
  double operator[](const std::string& label) const { return std::stod(values_.at(label)); }
  Statistics statistics(const std::string& prefix, const std::string& suffix) const {
    const auto value = [&](const char* name) { return (*this)[prefix + name + "_" + suffix]; };
    return {value("min"), value("firstquartile"), value("median"), value("thirdquartile"),
            value("max"), value("mean"),          value("stddev")};
  }

 private:
  std::map<std::string, std::string> values_;
};

KernelNumbers kernel_of(const Sample& value, const std::string& prefix) {
  return {value.statistics(prefix, "time"),
          value.statistics("", "nedge"),
          {value[prefix + "min_TEPS"], value[prefix + "firstquartile_TEPS"], value[prefix + "median_TEPS"],
           value[prefix + "thirdquartile_TEPS"], value[prefix + "max_TEPS"],
           value[prefix + "harmonic_mean_TEPS"], value[prefix + "harmonic_stddev_TEPS"]},
          value.statistics(prefix, "validate")};
}

OfficialNumbers numbers_of_the_sample(const char* file = of_bfs) {
  const Sample value(file);
  OfficialNumbers numbers;
  numbers.scale = static_cast<int>(value["SCALE"]);
  numbers.edgefactor = static_cast<int>(value["edgefactor"]);
  numbers.searches = static_cast<int>(value["NBFS"]);
  numbers.ranks = static_cast<int>(value["num_mpi_processes"]);
  numbers.generation_seconds = value["graph_generation"];
  numbers.construction_seconds = value["construction_time"];
  numbers.bfs = kernel_of(value, "bfs  ");
  if (file == of_both) numbers.sssp = kernel_of(value, "sssp ");
  return numbers;
}

/// Of searches with kernel 2.
OfficialNumbers numbers_of(std::span<const OfficialSearch> searches, SelfLoops loops) {
  OfficialNumbers numbers;
  numbers.searches = static_cast<int>(searches.size());
  numbers.bfs = kernel_numbers(searches, loops);
  return numbers;
}

TEST(ReferenceText, IsThatOfTheReferenceByteForByte) {
  ASSERT_FALSE(sample().empty());
  EXPECT_EQ(reference_text(numbers_of_the_sample()), sample());
}

TEST(ReferenceText, OfBothKernelsIsThatOfTheReferenceByteForByte) {
  ASSERT_FALSE(sample(of_both).empty());
  EXPECT_EQ(reference_text(numbers_of_the_sample(of_both)), sample(of_both));
}

TEST(ReferenceText, OfShortestPathsAloneHasNoLineOfBfs) {
  OfficialNumbers numbers = numbers_of_the_sample(of_both);
  numbers.bfs.reset();
  const std::string text = reference_text(numbers);
  EXPECT_EQ(text.find("bfs "), std::string::npos);
  EXPECT_NE(text.find("sssp harmonic_mean_TEPS:     !  "), std::string::npos);
  EXPECT_NE(text.find("\nmin_nedge:"), std::string::npos);
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
  const std::string text = reference_text(numbers_of(searches, SelfLoops::left_out));
  EXPECT_NE(text.find("min_nedge:                      17179724952\n"), std::string::npos) << text;
}

TEST(ReferenceText, SearchesThatWereNotValidatedPrintMinusOne) {
  const std::vector<OfficialSearch> searches = {{1.0, 10, 10, {}}, {2.0, 10, 10, {}}};
  const auto values = values_of(reference_text(numbers_of(searches, SelfLoops::left_out)));
  EXPECT_EQ(values.at("bfs  min_validate"), "-1");
  EXPECT_EQ(values.at("bfs  stddev_validate"), "0");
  EXPECT_EQ(values.at("NBFS"), "2");
}

TEST(ReferenceText, ASingleSearchHasTheDeviationsThatTheReferencePrints) {
  const std::vector<OfficialSearch> searches = {{2.0, 10, 10, 1.0}};
  const auto values = values_of(reference_text(numbers_of(searches, SelfLoops::left_out)));
  EXPECT_EQ(values.at("bfs  stddev_time"), "-nan");
  EXPECT_EQ(values.at("bfs  harmonic_stddev_TEPS"), "-nan");
  EXPECT_EQ(values.at("bfs  harmonic_mean_TEPS"), "5");
}

TEST(ReferenceText, OfAnInvalidRunIsOneLine) {
  EXPECT_EQ(invalid_run_text(), "No results printed for invalid run.\n");
}

TEST(OfficialNumbers, TheTwoDialectsCountSelfLoopsDifferently) {
  const std::vector<OfficialSearch> searches = {{0.5, 100, 110, 1.0}, {0.5, 100, 110, 1.0}};
  EXPECT_DOUBLE_EQ(numbers_of(searches, SelfLoops::left_out).bfs->teps.harmonic_mean, 200);
  EXPECT_DOUBLE_EQ(numbers_of(searches, SelfLoops::counted).bfs->teps.harmonic_mean, 220);
  EXPECT_EQ(numbers_of(searches, SelfLoops::counted).bfs->traversed_edges.max, 110);
}

TEST(SpecificationText, HasTheNamesOfTheSpecificationInItsOrder) {
  const std::vector<OfficialSearch> searches = {{0.5, 100, 110, 1.0}, {0.25, 100, 110, 1.0}};
  OfficialNumbers numbers{};
  numbers.scale = 3;
  numbers.edgefactor = 16;
  numbers.bfs = numbers.sssp = kernel_numbers(searches, SelfLoops::counted);
  const std::string text = specification_text(numbers, {"a note"});

  std::vector<std::string> names;
  std::istringstream lines(text);
  std::string line;
  while (std::getline(lines, line)) names.push_back(line.substr(0, line.find(':')));
  std::vector<std::string> expected = {"SCALE", "edgefactor", "NBFS", "construction_time"};
  for (const std::string kernel : {"bfs_", "sssp_"}) {
    for (const char* suffix : {"time", "nedge"}) {
      for (const char* name : {"min", "firstquartile", "median", "thirdquartile", "max", "mean", "stddev"}) {
        expected.push_back(kernel + name + "_" + suffix);
      }
    }
    for (const char* name :
         {"min", "firstquartile", "median", "thirdquartile", "max", "harmonic_mean", "harmonic_stddev"}) {
      expected.push_back(kernel + name + "_TEPS");
    }
  }
  expected.insert(expected.end(), {"graph_generation", "num_mpi_processes"});
  names.resize(expected.size());
  EXPECT_EQ(names, expected) << text;
}

TEST(SpecificationText, GivesEveryDigit) {
  const std::vector<OfficialSearch> searches = {{0.1, 100, 110, 1.0}};
  const std::string text = specification_text(numbers_of(searches, SelfLoops::counted), {});
  EXPECT_NE(text.find("bfs_min_time: 1.00000000000000006e-01\n"), std::string::npos) << text;
  EXPECT_NE(text.find("bfs_max_nedge: 1.10000000000000000e+02\n"), std::string::npos) << text;
  EXPECT_NE(text.find("bfs_stddev_time: NaN\n"), std::string::npos) << text;
}

TEST(SpecificationText, NotesAreCommentsWithoutColons) {
  const std::vector<OfficialSearch> searches = {{0.1, 100, 110, 1.0}};
  const std::string text =
      specification_text(numbers_of(searches, SelfLoops::counted), {"leaves were pruned"});
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
