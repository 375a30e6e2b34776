// SPDX-License-Identifier: Apache-2.0
#include "apps/loaded_graph.hpp"

#include <algorithm>
#include <cstring>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "../record/file_tree.hpp"
#include "base/error.hpp"
#include "mpi_main.hpp"

namespace isobath {
namespace {

using test::world;

/// An edge with its weight, in whatever way it was read.
using Line = std::pair<std::pair<std::int64_t, std::int64_t>, float>;

/// A file that all ranks see.
class LoadedGraphTest : public testing::Test {
 protected:
  LoadedGraphTest() : folder_(world().allgather(tree_.path(""))[0]) {}
  ~LoadedGraphTest() override { world().barrier(); }

  SearchOptions listed(const std::vector<Line>& lines, bool has_weights) {
    std::ostringstream text;
    for (const auto& [edge, weight] : lines) {
      text << edge.first << ' ' << edge.second;
      if (has_weights) text << ' ' << weight;
      text << '\n';
    }
    if (world().rank() == 0) tree_.write("graph.el", text.str());
    world().barrier();
    std::vector<std::string> words = {"isobath-search", folder_ + "graph.el"};
    if (has_weights) words.insert(words.end(), {"--format", "wel"});
    std::vector<const char*> argv;
    for (const std::string& word : words) argv.push_back(word.c_str());
    return read_search_command_line(static_cast<int>(argv.size()), argv.data()).options;
  }

  /// Collective. The edges of all ranks as the file calls them, sorted.
  static std::vector<Line> all_of(const LoadedGraph& graph) {
    const auto size = static_cast<std::size_t>(graph.edges->size());
    std::vector<Edge> edges(size);
    std::vector<float> weights(size);
    if (graph.weighted) {
      graph.edges->read_weighted(0, edges, weights);
    } else {
      graph.edges->read(0, edges);
    }
    std::vector<Line> lines;
    const std::vector<Edge> all = world().allgatherv<Edge>(edges);
    const std::vector<float> all_weights = world().allgatherv<float>(weights);
    for (std::size_t i = 0; i < all.size(); ++i) {
      lines.push_back({{graph.id_of(raw(all[i].u)), graph.id_of(raw(all[i].v))}, all_weights[i]});
    }
    std::ranges::sort(lines);
    return lines;
  }

  FileTree tree_;
  std::string folder_;
};

std::vector<Line> some_lines(std::int64_t stride) {
  std::vector<Line> lines;
  for (std::int64_t i = 0; i < 40; ++i) lines.push_back({{stride * (i % 13), stride * (i * i % 17)}, 0.0F});
  return lines;
}

TEST_F(LoadedGraphTest, RanksHaveAllEdgesOfTheFileBetweenThem) {
  std::vector<Line> lines = some_lines(1);
  const LoadedGraph graph = load_graph(listed(lines, false), world());
  EXPECT_EQ(graph.num_edges, 40);
  EXPECT_EQ(graph.num_vertices, 17);
  EXPECT_FALSE(graph.weighted);
  EXPECT_FALSE(graph.ids);
  std::ranges::sort(lines);
  EXPECT_EQ(all_of(graph), lines);
  for (const std::int64_t vertex : {0, 16}) EXPECT_EQ(graph.number_of(vertex), vertex);
  for (const std::int64_t vertex : {-1, 17}) EXPECT_EQ(graph.number_of(vertex), -1);
  EXPECT_EQ(graph.id_of(17), 17) << "what is no vertex stays as it is";
}

TEST_F(LoadedGraphTest, SparseIdsAreNumberedCompactly) {
  constexpr std::int64_t stride = 1'000'000'007;
  std::vector<Line> lines = some_lines(stride);
  SearchOptions options = listed(lines, false);
  options.numbering = FileNumbering::compact;
  const LoadedGraph graph = load_graph(options, world());
  std::vector<std::int64_t> ids;
  for (const auto& [edge, weight] : lines) ids.insert(ids.end(), {edge.first, edge.second});
  std::ranges::sort(ids);
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  ASSERT_TRUE(graph.ids);
  EXPECT_EQ(graph.num_vertices, std::ssize(ids));
  std::ranges::sort(lines);
  EXPECT_EQ(all_of(graph), lines);
  for (std::int64_t number = 0; number < graph.num_vertices; ++number) {
    EXPECT_EQ(graph.id_of(number), ids[static_cast<std::size_t>(number)]);
    EXPECT_EQ(graph.number_of(graph.id_of(number)), number);
  }
  EXPECT_EQ(graph.number_of(stride + 1), -1);
  EXPECT_EQ(graph.id_of(-1), -1);

  const std::string path = tree_.path("ids");
  write_ids(*graph.ids, path);
  const std::string bytes = tree_.read("ids");
  ASSERT_EQ(bytes.size(), ids.size() * sizeof(std::int64_t));
  EXPECT_EQ(std::memcmp(bytes.data(), ids.data(), bytes.size()), 0);
}

TEST_F(LoadedGraphTest, WeightsAreThoseOfTheFileOrAreAskedFor) {
  std::vector<Line> lines = some_lines(1);
  for (std::size_t i = 0; i < lines.size(); ++i) lines[i].second = static_cast<float>(i) / 8;
  SearchOptions options = listed(lines, true);
  EXPECT_FALSE(load_graph(options, world()).weighted) << "nobody wants them";
  options.graph.wants_weights = true;
  const LoadedGraph graph = load_graph(options, world());
  EXPECT_TRUE(graph.weighted);
  std::ranges::sort(lines);
  EXPECT_EQ(all_of(graph), lines);

  SearchOptions without = listed(some_lines(1), false);
  without.graph.wants_weights = true;
  without.name = "mine";
  try {
    load_graph(without, world());
    FAIL() << "not refused";
  } catch (const UsageError& error) {
    EXPECT_EQ(std::string(error.what()),
              "mine has no weights, which distances need; add --weights unit or --weights random");
  }
}

}  // namespace
}  // namespace isobath
