// SPDX-License-Identifier: Apache-2.0
// Hostile files end in one sentence: what is wrong, where, what to do.
#include <bit>
#include <cstdint>
#include <limits>
#include <string>

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "graphfile/written_file.hpp"

namespace isobath::test {
namespace {

using enum GraphFormat;
using testing::Test;

const std::string banner = "%%MatrixMarket matrix coordinate real general\n";

TEST(Refused, EmptyFiles) {
  EXPECT_EQ(refusal(edge_list, ""), "FILE holds no edge; name a file that holds a graph");
  EXPECT_EQ(refusal(edge_list, "# nothing\n\n"), "FILE holds no edge; name a file that holds a graph");
  EXPECT_EQ(
      refusal(matrix_market, ""),
      "FILE, line 1: a Matrix Market file begins with %%MatrixMarket matrix coordinate FIELD SYMMETRY; check "
      "--format");
  EXPECT_EQ(refusal(matrix_market, banner + "3 3 0\n"), "FILE holds no edge; name a file that holds a graph");
  EXPECT_EQ(refusal(gapbs, ""),
            "FILE, byte 0: the file ends inside its header; check --format, or copy it again");
  EXPECT_EQ(refusal(GraphFormat::packed, ""), "FILE holds no edge; name a file that holds a graph");
  EXPECT_EQ(refusal(raw, ""), "FILE holds no edge; name a file that holds a graph");
}

TEST(Refused, VerticesThatAreNone) {
  EXPECT_EQ(refusal(edge_list, "0 1\n-1 2\n"),
            "FILE, line 2: '-1' is no vertex; vertices are whole numbers from 0, so number names first");
  EXPECT_EQ(refusal(edge_list, "0 alice\n"),
            "FILE, line 1: 'alice' is no vertex; vertices are whole numbers from 0, so number names first");
  EXPECT_EQ(refusal(edge_list, "0 1.5\n"),
            "FILE, line 1: '1.5' is no vertex; vertices are whole numbers from 0, so number names first");
  EXPECT_EQ(refusal(edge_list, "0 1\n7\n"), "FILE, line 2: a vertex is missing; an edge is two numbers");
  EXPECT_EQ(refusal(edge_list, "0 99999999999999999999999\n"),
            "FILE, line 1: vertex 99999999999999999999999 is out of range; vertices here are 0 to "
            "9223372036854775806");
  EXPECT_EQ(
      refusal(edge_list, "0 9223372036854775807\n"),
      "FILE, line 1: vertex 9223372036854775807 is out of range; vertices here are 0 to 9223372036854775806");
  EXPECT_EQ(refusal(edge_list, "18446744073709551617 0\n"),
            "FILE, line 1: vertex 18446744073709551617 is out of range; vertices here are 0 to "
            "9223372036854775806");
  EXPECT_EQ(refusal(matrix_market, banner + "2 2 1\n0 1 1\n"),
            "FILE, line 3: vertex 0 is out of range; vertices here are 1 to 2");
  EXPECT_EQ(refusal(matrix_market, banner + "2 2 1\n1 3 1\n"),
            "FILE, line 3: vertex 3 is out of range; vertices here are 1 to 2");
}

TEST(Refused, LinesThatAreLongerOrShorterThanAnEdge) {
  EXPECT_EQ(refusal(edge_list, "0 1 0.5\n"),
            "FILE, line 1: '0.5' follows where the line should end; say --format wel where it is a weight");
  EXPECT_EQ(refusal(weighted_list, "0 1\n"),
            "FILE, line 1: there is no weight after the two vertices; add one, or use --kernel bfs");
  EXPECT_EQ(refusal(weighted_list, "0 1\n", false),
            "FILE, line 1: there is no value after the two vertices; correct the line");
  EXPECT_EQ(refusal(edge_list, std::string(100000, '7')),
            "FILE, line 1: vertex 777777777777777777777777 is out of range; vertices here are 0 to "
            "9223372036854775806");
}

TEST(Refused, WeightsThatAreNoLengths) {
  for (const char* word : {"-1", "nan", "inf", "1e39", "-inf", "1e999"}) {
    EXPECT_EQ(refusal(weighted_list, std::string("0 1 0.5\n1 2 ") + word + "\n"),
              std::string("FILE, line 2: the weight ") + word +
                  " is no length; shortest paths need finite single-precision weights of at least 0, or use "
                  "--kernel bfs");
  }
  EXPECT_EQ(refusal(weighted_list, "0 1 heavy\n"),
            "FILE, line 1: 'heavy' is no number; write the weight as in 0.25");
  EXPECT_EQ(refusal(weighted_list, "0 1 0x10\n"),
            "FILE, line 1: '0x10' is no number; write the weight as in 0.25");
}

TEST(Refused, HeadersOfMatricesThatAreNoGraphs) {
  const auto first_line = [](const std::string& words) {
    return refusal(matrix_market, "%%MatrixMarket " + words + "\n2 2 1\n1 2 1\n");
  };
  EXPECT_EQ(first_line("matrix array real general"),
            "FILE, line 1: only coordinate matrices are graphs; write the file as matrix coordinate");
  EXPECT_EQ(first_line("matrix coordinate complex general"),
            "FILE, line 1: values of this field are no weights; write a pattern, real or integer matrix");
  EXPECT_EQ(
      first_line("matrix coordinate real hermitian"),
      "FILE, line 1: this symmetry is none of general, symmetric and skew-symmetric; correct the first line");
  EXPECT_EQ(refusal(matrix_market, banner + "% only comments\n"),
            "FILE, line 2: the file ends before the line of rows, columns and entries; copy it again");
  EXPECT_EQ(refusal(matrix_market, banner + "2 3 1\n1 2 1\n"),
            "FILE, line 2: a matrix of a graph has as many rows as columns; make it square first");
  for (const char* sizes : {"2 2", "2 2 -1", "2 2 1 1", "x y z", "99999999999999999999 2 1"}) {
    EXPECT_EQ(refusal(matrix_market, banner + sizes + "\n"),
              "FILE, line 2: here should be the numbers of rows, columns and entries; correct the line");
  }
}

TEST(Refused, HeadersThatPromiseOtherNumbers) {
  EXPECT_EQ(refusal(matrix_market, banner + "2 2 9000000000000000000\n1 2 1\n"),
            "FILE has 1 entries but its header promises 9000000000000000000; copy or download it again");
  EXPECT_EQ(refusal(matrix_market, banner + "2 2 1\n1 2 1\n2 1 1\n"),
            "FILE has 2 entries but its header promises 1; correct the header");
}

/// A header alone that promises very many vertices: they are numbered anew, so no array has their length.
TEST(ManyPromisedVertices, TakeNoMemory) {
  const ReadEdges read =
      read_content(matrix_market, banner + "4000000000000 4000000000000 1\n1 4000000000000 1\n", true);
  EXPECT_EQ(read.num_vertices, 2);
}

std::string gapbs_header(std::int64_t arcs, std::int64_t vertices, char directed = '\0') {
  return std::string(1, directed) + bytes_of(arcs) + bytes_of(vertices);
}

TEST(Refused, GapbsHeadersThatLie) {
  const std::string room(64, '\0');
  constexpr std::int64_t huge = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(refusal(gapbs, gapbs_header(1, 1, '\7') + room),
            "FILE, byte 0: 7 is neither 0 (undirected) nor 1 (directed); check --format");
  for (const std::int64_t vertices : {std::int64_t{-1}, huge, std::int64_t{1} << 40}) {
    EXPECT_EQ(refusal(gapbs, gapbs_header(1, vertices) + room),
              "FILE, byte 9: " + std::to_string(vertices) +
                  " vertices are more than 32 bits number; check --format");
  }
  for (const std::int64_t arcs : {std::int64_t{-1}, huge, std::int64_t{1} << 62, std::int64_t{3}}) {
    EXPECT_EQ(refusal(gapbs, gapbs_header(arcs, 2) + room),
              "FILE, byte 1: the header promises " + std::to_string(arcs) +
                  " arcs of 2 vertices, which 81 bytes do not hold exactly; check --format, or copy the file "
                  "again");
  }
}

TEST(Refused, GapbsRowsThatAreNone) {
  std::string falling = gapbs_content(true, {{1}, {0}});
  falling[17 + 8] = '\5';
  EXPECT_EQ(
      refusal(gapbs, falling),
      "FILE, byte 25: the rows from vertex 1 on do not follow each other; check --format, or copy the file "
      "again");
  EXPECT_EQ(refusal(gapbs, gapbs_content(true, {{1}, {2}})),
            "FILE, byte 45: 2 is no vertex; vertices here are 0 to 1");
  EXPECT_EQ(refusal(gapbs, gapbs_content(true, {{1}, {-5}})),
            "FILE, byte 45: -5 is no vertex; vertices here are 0 to 1");
  EXPECT_EQ(refusal(gapbs, gapbs_content(false, {{1}, {}})),
            "the header of FILE says undirected but an arc lacks its mirror image; write the file again with "
            "converter -s");
  EXPECT_EQ(refusal(gapbs, gapbs_content(false, {{1, 2}, {0}, {1}})),
            "the header of FILE says undirected but an arc lacks its mirror image; write the file again with "
            "converter -s");
}

TEST(Refused, GapbsWeightsThatAreNoLengths) {
  const auto negative = static_cast<std::uint32_t>(-2);
  EXPECT_EQ(refusal(gapbs_weights, gapbs_content(true, {{1}, {0}}, {5, negative})),
            "FILE, byte 53: the weight -2 is no length; weights are finite and at least 0, as int32: say "
            "--weight-type");
  EXPECT_EQ(refusal(gapbs_weights, gapbs_content(true, {{1}, {0}}, {0, std::bit_cast<std::uint32_t>(-0.5F)})),
            "FILE, byte 53: the weight -0.5 is no length; weights are finite and at least 0, as float32: say "
            "--weight-type");
  EXPECT_EQ(refusal(gapbs_weights, gapbs_content(true, {{1}, {0}}, {5, negative}), false), "");
}

TEST(Refused, BinaryEdgesOfOtherLengthsOrSigns) {
  EXPECT_EQ(refusal(GraphFormat::packed, "eleven byte"),
            "FILE has 11 bytes, which is no multiple of the 12 of an edge; check --format, or copy it again");
  EXPECT_EQ(refusal(raw, std::string(17, 'x')),
            "FILE has 17 bytes, which is no multiple of the 16 of an edge; check --format, or copy it again");
  EXPECT_EQ(refusal(raw, bytes_of(std::int64_t{1}) + bytes_of(std::int64_t{2}) + bytes_of(std::int64_t{1}) +
                             bytes_of(std::int64_t{-2})),
            "FILE, byte 16: 1--2 is no edge, a vertex is out of range; check --format");
}

TEST(Refused, DamagedCompression) {
  std::string text;
  for (int i = 0; i < 20000; ++i) text += std::to_string(i * 7919 % 10007) + " " + std::to_string(i) + "\n";
  for (std::string compressed : {gzipped(text), zstd_compressed(text)}) {
    EXPECT_EQ(refusal(edge_list, compressed), "");
    const std::string cut = refusal(edge_list, compressed.substr(0, compressed.size() / 2));
    EXPECT_NE(cut.find("it ends early"), std::string::npos) << cut;
    compressed[compressed.size() / 2] = static_cast<char>(~compressed[compressed.size() / 2]);
    EXPECT_NE(refusal(edge_list, compressed), "");
  }
}

/// Found by the fuzzer: a header of six bytes that wants 72 MiB.
TEST(Refused, ZstdWindowsOutOfProportion) {
  const std::string content("\x28\xb5\x2f\xfd\x00\x81\x01\x00\x00", 9);
  EXPECT_NE(refusal(edge_list, content).find("Frame requires too much memory for decoding"),
            std::string::npos)
      << refusal(edge_list, content);
}

TEST(Refused, BinaryNoise) {
  std::string noise;
  std::uint32_t state = 12345;
  for (int i = 0; i < 4096; ++i) noise += static_cast<char>((state = state * 1664525 + 1013904223) >> 24);
  for (const GraphFormat format :
       {matrix_market, edge_list, weighted_list, gapbs, gapbs_weights, GraphFormat::packed}) {
    EXPECT_NE(refusal(format, noise), "") << name_of(format);
  }
}

TEST(Refused, FilesThatAreNoFiles) {
  EXPECT_THROW(read_graph_file({.path = "/nowhere/at/all.el", .weights_path = {}}), EnvironmentError);
  EXPECT_THROW(read_graph_file({.path = "/tmp", .weights_path = {}}), EnvironmentError);
  EXPECT_THROW(read_graph_file({.path = "/dev/zero", .weights_path = {}}), EnvironmentError);
}

}  // namespace
}  // namespace isobath::test
