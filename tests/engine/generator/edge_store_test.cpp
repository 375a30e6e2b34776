// SPDX-License-Identifier: Apache-2.0
#include "generator/edge_store.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "base/threads.hpp"
#include "generator/narrow_edges.hpp"

namespace isobath {
namespace {

namespace fs = std::filesystem;

constexpr EdgeStorage all_storages[] = {EdgeStorage::memory, EdgeStorage::file, EdgeStorage::regenerate};

class EdgeStores : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("isobath-edge-store-" + std::to_string(getpid()));
    fs::create_directory(folder_);
  }
  void TearDown() override {
    fs::permissions(folder_, fs::perms::owner_all);
    fs::remove_all(folder_);
  }

  std::string sentence_of_failure(const KroneckerParameters& parameters, const fs::path& folder) {
    try {
      make_edge_store(EdgeStorage::file, parameters, 0, 1, folder);
    } catch (const EnvironmentError& error) {
      return error.what();
    }
    return "";
  }

  fs::path folder_;
};

std::vector<Edge> all_edges(const KroneckerParameters& parameters) {
  std::vector<Edge> edges(static_cast<std::size_t>(parameters.num_edges()));
  KroneckerGenerator(parameters).edges(0, edges);
  return edges;
}

TEST_F(EdgeStores, HoldTheEdgeListInIndexOrderAtEveryRankCount) {
  for (const int scale : {1, 3, 10, 15}) {
    const KroneckerParameters parameters{.scale = scale};
    const std::vector<Edge> expected = all_edges(parameters);
    for (const EdgeStorage storage : all_storages) {
      for (const int ranks : {1, 2, 3, 4, 6, 40}) {
        std::vector<Edge> found;
        for (int rank = 0; rank < ranks; ++rank) {
          const auto store = make_edge_store(storage, parameters, rank, ranks, folder_);
          EXPECT_EQ(store->num_vertices(), parameters.num_vertices());
          for_each_batch(*store, 0, store->size(), [&](std::span<const Edge> edges) {
            found.insert(found.end(), edges.begin(), edges.end());
          });
        }
        EXPECT_EQ(found, expected) << name_of(storage) << ", scale " << scale << ", " << ranks << " ranks";
      }
    }
  }
}

struct WeightedEdges {
  std::vector<Edge> edges;
  std::vector<float> weights;
};

WeightedEdges generated(const KroneckerParameters& parameters, std::int64_t first, std::int64_t end) {
  const auto size = static_cast<std::size_t>(end - first);
  WeightedEdges all{std::vector<Edge>(size), std::vector<float>(size)};
  KroneckerGenerator(parameters).edges(first, all.edges, all.weights);
  return all;
}

/// The whole stream, in reads of a length that no store knows.
WeightedEdges content_of(const WeightedEdgeStream& stream) {
  const auto size = static_cast<std::size_t>(stream.size());
  WeightedEdges all{std::vector<Edge>(size), std::vector<float>(size)};
  for (std::size_t at = 0; at < size; at += 1237) {
    const std::size_t length = std::min<std::size_t>(1237, size - at);
    stream.read_weighted(static_cast<std::int64_t>(at), std::span(all.edges).subspan(at, length),
                         std::span(all.weights).subspan(at, length));
  }
  return all;
}

TEST_F(EdgeStores, HoldWeightsBesideTheEdgesAtEveryRankCount) {
  for (const int scale : {1, 12}) {
    const KroneckerParameters parameters{.scale = scale};
    const WeightedEdges expected = generated(parameters, 0, parameters.num_edges());
    for (const EdgeStorage storage : all_storages) {
      for (const int ranks : {1, 2, 3, 4, 6}) {
        WeightedEdges found;
        for (int rank = 0; rank < ranks; ++rank) {
          const auto share = content_of(*make_weighted_edge_store(storage, parameters, rank, ranks, folder_));
          found.edges.insert(found.edges.end(), share.edges.begin(), share.edges.end());
          found.weights.insert(found.weights.end(), share.weights.begin(), share.weights.end());
        }
        EXPECT_EQ(found.edges, expected.edges) << name_of(storage) << ", " << scale << ", " << ranks;
        EXPECT_EQ(found.weights, expected.weights) << name_of(storage) << ", " << scale << ", " << ranks;
      }
    }
  }
}

TEST_F(EdgeStores, ReadFromAnyPositionInAnyLengthByManyThreads) {
  const KroneckerParameters parameters{.scale = 13};
  const std::vector<Edge> expected = all_edges(parameters);
  for (const EdgeStorage storage : all_storages) {
    const auto store = make_edge_store(storage, parameters, 1, 3, folder_);
    const std::int64_t share_first = edge_share(parameters.num_edges(), 1, 3).first;
    std::int64_t wrong = 0;
#pragma omp parallel for reduction(+ : wrong) schedule(dynamic, 1) num_threads(4)
    for (std::int64_t length = 0; length < 3000; length += 97) {
      std::vector<Edge> edges(static_cast<std::size_t>(length));
      for (const std::int64_t first : {std::int64_t{0}, std::int64_t{1}, length, store->size() - length}) {
        store->read(first, edges);
        for (std::int64_t i = 0; i < length; ++i) {
          const bool is_right = edges[static_cast<std::size_t>(i)] ==
                                expected[static_cast<std::size_t>(share_first + first + i)];
          wrong += is_right ? 0 : 1;
        }
      }
    }
    EXPECT_EQ(wrong, 0) << name_of(storage);
  }
}

/// Above scales 28 and 32 vertices need wider edges; at each bound the widest that still fit. Shares are kept
/// small by pretending to be one of many ranks.
TEST_F(EdgeStores, KeepLargeVertices) {
  for (const int scale : {27, 28, 29, 32, 33, 40}) {
    const KroneckerParameters parameters{.scale = scale};
    const int ranks = 1 << (scale - 10);
    const int rank = ranks - 5;
    const auto [first, end] = edge_share(parameters.num_edges(), rank, ranks);
    ASSERT_EQ(end - first, 1 << 14);
    const WeightedEdges expected = generated(parameters, first, end);
    for (const EdgeStorage storage : all_storages) {
      const auto store = make_edge_store(storage, parameters, rank, ranks, folder_);
      std::vector<Edge> edges(expected.edges.size());
      store->read(0, edges);
      EXPECT_EQ(edges, expected.edges) << name_of(storage) << ", scale " << scale;
      const auto weighted = content_of(*make_weighted_edge_store(storage, parameters, rank, ranks, folder_));
      EXPECT_EQ(weighted.edges, expected.edges) << name_of(storage) << ", scale " << scale;
      EXPECT_EQ(weighted.weights, expected.weights) << name_of(storage) << ", scale " << scale;
    }
  }
}

TEST(NarrowEdges, KeepEveryBitOfBothEnds) {
  std::vector<CompactEdge> edges;
  for (int bit = 0; bit < NarrowEdges::vertex_bits; ++bit) {
    const std::uint32_t one = 1U << bit;
    edges.insert(edges.end(), {{one, 0}, {0, one}, {one, ~one & 0xFFFFFFF}, {~one & 0xFFFFFFF, one}});
  }
  NarrowEdges narrow(edges.size() + 3);
  narrow.write(3, edges);
  std::vector<Edge> found(edges.size());
  narrow.read(3, found);
  for (std::size_t i = 0; i < edges.size(); ++i) EXPECT_EQ(found[i], unpacked(edges[i])) << i;
}

TEST_F(EdgeStores, AreTheSameForEveryInstructionSet) {
  const KroneckerParameters parameters{.scale = 12};
  const WeightedEdges expected = generated(parameters, 0, parameters.num_edges());
  for (const InstructionSet set : supported_instruction_sets()) {
    const auto store = make_edge_store(EdgeStorage::memory, parameters, 0, 1, folder_, set);
    std::vector<Edge> edges(expected.edges.size());
    store->read(0, edges);
    EXPECT_EQ(edges, expected.edges) << name_of(set);
    const auto weighted =
        content_of(*make_weighted_edge_store(EdgeStorage::memory, parameters, 0, 1, folder_, set));
    EXPECT_EQ(weighted.edges, expected.edges) << name_of(set);
    EXPECT_EQ(weighted.weights, expected.weights) << name_of(set);
  }
}

TEST_F(EdgeStores, LeaveNothingInTheFolder) {
  const auto store = make_edge_store(EdgeStorage::file, {.scale = 10}, 0, 1, folder_);
  const auto weighted = make_weighted_edge_store(EdgeStorage::file, {.scale = 10}, 0, 1, folder_);
  EXPECT_TRUE(fs::is_empty(folder_));
}

TEST_F(EdgeStores, RefuseReadsOutsideTheShare) {
  for (const EdgeStorage storage : all_storages) {
    const auto store = make_edge_store(storage, {.scale = 4}, 0, 2, folder_);
    std::vector<Edge> edges(2);
    EXPECT_THROW(store->read(store->size() - 1, edges), InternalError) << name_of(storage);
    EXPECT_THROW(store->read(-1, edges), InternalError) << name_of(storage);

    const auto weighted = make_weighted_edge_store(storage, {.scale = 4}, 0, 2, folder_);
    std::vector<float> weights(2);
    const std::span<float> one = std::span(weights).first(1);
    EXPECT_THROW(weighted->read_weighted(weighted->size() - 1, edges, weights), InternalError);
    EXPECT_THROW(weighted->read_weighted(-1, edges, weights), InternalError);
    EXPECT_THROW(weighted->read_weighted(0, edges, one), InternalError);
  }
}

TEST_F(EdgeStores, SayWhichFileIsInTheWay) {
  const fs::path in_the_way = folder_ / "edges.0";
  std::ofstream(in_the_way) << "precious";
  EXPECT_EQ(sentence_of_failure({.scale = 6}, folder_),
            "cannot create the edge file " + in_the_way.string() +
                " (File exists); remove it, or name another folder with --edge-folder");
  std::string content;
  std::ifstream(in_the_way) >> content;
  EXPECT_EQ(content, "precious");
}

TEST_F(EdgeStores, SayThatTheFileOfWeightsIsInTheWay) {
  const fs::path in_the_way = folder_ / "weights.0";
  std::ofstream(in_the_way) << "precious";
  try {
    make_weighted_edge_store(EdgeStorage::file, {.scale = 6}, 0, 1, folder_);
    FAIL() << "a file was overwritten";
  } catch (const EnvironmentError& error) {
    EXPECT_NE(std::string(error.what()).find(in_the_way.string() + " (File exists)"), std::string::npos);
  }
  EXPECT_FALSE(fs::exists(folder_ / "edges.0"));
}

TEST_F(EdgeStores, SayThatAFolderIsMissing) {
  const fs::path missing = folder_ / "missing";
  EXPECT_EQ(
      sentence_of_failure({.scale = 6}, missing),
      "cannot create the edge file " + (missing / "edges.0").string() +
          " (No such file or directory); name another folder with --edge-folder, or use --edges regenerate");
}

/// A limit on the size of files stands for a full disk: the write that crosses it is cut short, the next one
/// fails.
TEST_F(EdgeStores, SayThatTheDiskIsFull) {
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  rlimit tight = before;
  tight.rlim_cur = 100'000;
  const auto old_handler = std::signal(SIGXFSZ, SIG_IGN);
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &tight), 0);
  const std::string sentence = sentence_of_failure({.scale = 12}, folder_);
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &before), 0);
  std::signal(SIGXFSZ, old_handler);
  EXPECT_EQ(sentence,
            "cannot write the edge file " + (folder_ / "edges.0").string() +
                " (File too large); name another folder with --edge-folder, or use --edges regenerate");
  EXPECT_TRUE(fs::is_empty(folder_));
}

/// Finds the open, already unlinked file of the store among our descriptors and cuts it.
void cut_open_edge_file(off_t length) {
  for (const auto& entry : fs::directory_iterator("/proc/self/fd")) {
    std::error_code ignored;
    const std::string target = fs::read_symlink(entry.path(), ignored).string();
    if (!target.ends_with("edges.0 (deleted)")) continue;
    ASSERT_EQ(ftruncate(std::stoi(entry.path().filename()), length), 0);
  }
}

TEST_F(EdgeStores, SayThatTheFileWasCutShort) {
  const auto store = make_edge_store(EdgeStorage::file, {.scale = 6}, 0, 1, folder_);
  cut_open_edge_file(804);
  std::vector<Edge> edges(101);
  store->read(0, std::span(edges).first(100));
  try {
    store->read(0, edges);
    FAIL() << "a short file was read";
  } catch (const EnvironmentError& error) {
    EXPECT_EQ(error.what(), "the edge file " + (folder_ / "edges.0").string() +
                                " ends early, at byte 804; another program cut it short, run again");
  }
}

TEST(EdgeStorage, HasNames) {
  for (const EdgeStorage storage : all_storages) EXPECT_EQ(parse_edge_storage(name_of(storage)), storage);
  EXPECT_THROW(parse_edge_storage("disk"), UsageError);
}

}  // namespace
}  // namespace isobath
