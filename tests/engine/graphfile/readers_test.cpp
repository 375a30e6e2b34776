// SPDX-License-Identifier: Apache-2.0
// What each reader makes of right files, held against readers that are slow and obvious.
#include <bit>
#include <cstdint>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "graphfile/written_file.hpp"

namespace isobath::test {
namespace {

using enum GraphFormat;

Edge edge(std::int64_t u, std::int64_t v) { return {GlobalVertex{u}, GlobalVertex{v}}; }

using Edges = std::vector<Edge>;
using Weights = std::vector<float>;

TEST(Format, IsSaidByTheName) {
  EXPECT_EQ(format_of_file("a/b.mtx"), matrix_market);
  EXPECT_EQ(format_of_file("a.EL.gz"), edge_list);
  EXPECT_EQ(format_of_file("a.txt.zst"), edge_list);
  EXPECT_EQ(format_of_file("a.wsg"), gapbs_weights);
  EXPECT_EQ(format_of_file("a.packed"), packed);
  EXPECT_THROW(format_of_file("a.gz"), UsageError);
  EXPECT_THROW(format_of_file("graph"), UsageError);
  EXPECT_EQ(parse_graph_format("wel"), weighted_list);
  EXPECT_THROW(parse_graph_format("csv"), UsageError);
}

TEST(Readers, TakeEveryRightFile) {
  for (const GraphCase& file : right_files()) {
    for (const bool wants_weights : {false, true}) {
      EXPECT_NO_THROW(read_content(file.format, file.content, wants_weights)) << file.name;
    }
  }
}

TEST(EdgeList, HasCommentsBlanksAndALastLineThatDoesNotEnd) {
  const ReadEdges read = read_content(edge_list, "# from\tto\n0 1\n1\t2 \n% more\n\n 2 0\r\n3 3", false);
  EXPECT_EQ(read.edges, (Edges{edge(0, 1), edge(1, 2), edge(2, 0), edge(3, 3)}));
  EXPECT_EQ(read.num_vertices, 4);
  EXPECT_TRUE(read.weights.empty());
}

TEST(EdgeList, ReadsNumbersOfEveryLength) {
  std::string text;
  std::vector<std::int64_t> expected{0};
  for (std::int64_t power = 1; power < 1000000000000000000; power *= 10) {
    for (const std::int64_t number : {power, power + power / 9 * 8, 10 * power - 1})
      expected.push_back(number);
  }
  for (const std::int64_t number : expected) text += std::to_string(number) + " 0\n";
  text += "0000000000000000000000007 00000008\n";
  const ReadEdges read = read_content(edge_list, text, false);
  ASSERT_EQ(read.edges.size(), expected.size() + 1);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(read.ids[static_cast<std::size_t>(isobath::raw(read.edges[i].u))], expected[i]);
  }
  EXPECT_EQ(read.ids[static_cast<std::size_t>(isobath::raw(read.edges.back().u))], 7);
  EXPECT_EQ(read.ids[static_cast<std::size_t>(isobath::raw(read.edges.back().v))], 8);
}

TEST(WeightedList, GivesTheNearestFloat) {
  const ReadEdges read =
      read_content(weighted_list, "0 1 0.1\n1 2 +16777217\n2 3 1e-60\n3 0 3.4028235e38\n", true);
  EXPECT_EQ(read.weights, (Weights{0.1F, 16777216.0F, 0.0F, 3.4028235e38F}));
}

TEST(WeightedList, MayHaveAnyWeightsWhereNobodyWantsThem) {
  const ReadEdges read = read_content(weighted_list, "0 1 -3\n1 2 nan extra\n", false);
  EXPECT_EQ(read.edges.size(), 2U);
  EXPECT_TRUE(read.weights.empty());
}

TEST(MatrixMarket, CountsFromOneAndTakesTheSizeFromItsHeader) {
  const ReadEdges read = read_content(
      matrix_market, "%%MatrixMarket matrix coordinate real symmetric\n%\n5 5 2\n1 1 0.25\n5 1 1.5\n", true);
  EXPECT_EQ(read.edges, (Edges{edge(0, 0), edge(4, 0)}));
  EXPECT_EQ(read.weights, (Weights{0.25F, 1.5F}));
  EXPECT_EQ(read.num_vertices, 5);
}

TEST(MatrixMarket, ASkewSymmetricEntryHasTheLengthOfItsValue) {
  const ReadEdges read = read_content(
      matrix_market, "%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 1\n2 1 -4\n", true);
  EXPECT_EQ(read.weights, Weights{4});
}

TEST(Gapbs, AnUndirectedEdgeStandsInTwoRowsAndIsOne) {
  const ReadEdges read = read_content(gapbs, gapbs_content(false, {{0, 1, 2}, {0}, {0}, {}}), false);
  EXPECT_EQ(read.edges, (Edges{edge(0, 0), edge(0, 1), edge(0, 2)}));
  EXPECT_EQ(read.num_vertices, 4);
}

TEST(Gapbs, ADirectedGraphGivesItsOutgoingArcs) {
  const ReadEdges read = read_content(gapbs, gapbs_content(true, {{1}, {0, 2}, {}}), false);
  EXPECT_EQ(read.edges, (Edges{edge(0, 1), edge(1, 0), edge(1, 2)}));
}

TEST(Gapbs, WeightsOfBothTypesAreTold) {
  const auto bits = [](float weight) { return std::bit_cast<std::uint32_t>(weight); };
  const auto integers =
      read_content(gapbs_weights, gapbs_content(false, {{1, 2}, {0}, {0}}, {255, 1, 255, 1}), true);
  EXPECT_EQ(integers.weights, (Weights{255, 1}));
  const auto floats = read_content(
      gapbs_weights, gapbs_content(false, {{1, 2}, {0}, {0}}, {bits(0.5F), 0, bits(0.5F), 0}), true);
  EXPECT_EQ(floats.weights, (Weights{0.5F, 0}));
}

TEST(Packed, KeepsFortyEightBits) {
  const std::int64_t high = (std::int64_t{1} << 48) - 1;
  const ReadEdges read = read_content(GraphFormat::packed, bytes_of(isobath::packed(edge(3, high))), false);
  EXPECT_EQ(read.ids, (std::vector<std::int64_t>{3, high}));
  EXPECT_EQ(read.edges, Edges{edge(0, 1)});
}

TEST(Packed, HasWeightsBesideIt) {
  const WrittenFile edges(bytes_of(isobath::packed(edge(0, 1))) + bytes_of(isobath::packed(edge(1, 2))));
  const WrittenFile weights(bytes_of(0.5F) + bytes_of(0.0F));
  const WrittenFile one_weight(bytes_of(0.5F));
  const WrittenFile negative(bytes_of(0.5F) + bytes_of(-1.0F));
  GraphRequest request{.path = edges.path(),
                       .format = GraphFormat::packed,
                       .weights_path = weights.path(),
                       .wants_weights = true};
  EXPECT_TRUE(read_graph_file(request).weighted);
  for (const WrittenFile* wrong : {&one_weight, &negative}) {
    request.weights_path = wrong->path();
    EXPECT_THROW(read_graph_file(request), EnvironmentError);
  }
  request.format = edge_list;
  EXPECT_THROW(read_graph_file(request), UsageError);
}

TEST(Raw, IsWhatExportWrites) {
  const ReadEdges read = read_content(raw, bytes_of(edge(7, 1)) + bytes_of(edge(0, 7)), false);
  EXPECT_EQ(read.edges, (Edges{edge(7, 1), edge(0, 7)}));
}

TEST(Readers, NumberSparseVerticesAnew) {
  const ReadEdges read = read_content(edge_list, "7 9000000000000000000\n123456789012 7\n", false);
  EXPECT_EQ(read.ids, (std::vector<std::int64_t>{7, 123456789012, 9000000000000000000}));
  EXPECT_EQ(read.edges, (Edges{edge(0, 2), edge(1, 0)}));
  EXPECT_EQ(read.num_vertices, 3);
}

/// A text of several blocks, and its edges as operator>> reads them.
struct LongText {
  LongText() {
    std::mt19937_64 random(20261122);
    while (text.size() < (std::size_t{20} << 20)) {
      const auto u = static_cast<std::int64_t>(random() % 1000000 >> random() % 20);
      const auto v = static_cast<std::int64_t>(random() % 1000000 >> random() % 20);
      text += std::to_string(u) + (random() % 2 == 0 ? " " : "\t  ") + std::to_string(v) + "\n";
      if (random() % 64 == 0) text += "# " + std::string(random() % 100, 'x') + "\n";
    }
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
      if (line[0] == '#') continue;
      std::istringstream words(line);
      std::int64_t u = 0;
      std::int64_t v = 0;
      words >> u >> v;
      edges.push_back(edge(u, v));
    }
  }
  std::string text;
  Edges edges;
};

/// Read by the slow twin once for all tests.
const LongText& long_text() {
  static const LongText file;
  return file;
}

TEST(LongText, IsReadAsItsSlowTwinReadsItAlsoCompressed) {
  const LongText& file = long_text();
  EXPECT_EQ(read_content(edge_list, file.text, false).edges, file.edges);
  EXPECT_EQ(read_content(edge_list, gzipped(file.text), false).edges, file.edges);
  EXPECT_EQ(read_content(edge_list, zstd_compressed(file.text), false).edges, file.edges);
}

TEST(LongText, NamesTheRightLineInAnyBlock) {
  const LongText& file = long_text();
  const auto lines = std::count(file.text.begin(), file.text.end(), '\n');
  const std::string wrong = file.text + "17 x\n" + file.text.substr(0, 1 << 20);
  for (const std::string& content : {wrong, zstd_compressed(wrong)}) {
    EXPECT_EQ(refusal(edge_list, content, false),
              "FILE, line " + std::to_string(lines + 1) +
                  ": 'x' is no vertex; vertices are whole numbers from 0, so number names first");
  }
}

TEST(Parts, TogetherAreTheWholeFile) {
  for (const GraphCase& file : right_files()) {
    const ReadEdges whole = read_content(file.format, file.content, true);
    const ReadEdges parts = read_content(file.format, file.content, true, 3);
    EXPECT_EQ(parts.edges, whole.edges) << file.name;
    EXPECT_EQ(parts.weights, whole.weights) << file.name;
    EXPECT_EQ(parts.ids, whole.ids) << file.name;
  }
}

TEST(Gzip, MayHaveSeveralMembers) {
  const ReadEdges read = read_content(edge_list, gzipped("0 1\n1 ") + gzipped("2\n"), false);
  EXPECT_EQ(read.edges, (Edges{edge(0, 1), edge(1, 2)}));
}

TEST(Zstd, MayHaveSeveralFrames) {
  const ReadEdges read = read_content(edge_list, zstd_compressed("0 1\n1 ") + zstd_compressed("2\n"), false);
  EXPECT_EQ(read.edges, (Edges{edge(0, 1), edge(1, 2)}));
}

}  // namespace
}  // namespace isobath::test
