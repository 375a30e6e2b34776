// SPDX-License-Identifier: Apache-2.0
#include "graph500/result_files.hpp"

#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "../record/file_tree.hpp"
#include "mpi_main.hpp"

namespace isobath {
namespace {

using test::world;

constexpr std::int64_t result_vertices = 11;  // no number of ranks here divides it

template <class Value>
std::vector<Value> values_in(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  EXPECT_EQ(bytes.size() % sizeof(Value), 0U);
  std::vector<Value> values(bytes.size() / sizeof(Value));
  std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

GlobalVertex parent_in(int search, std::int64_t vertex) {
  return vertex % 4 == 3 ? no_vertex : GlobalVertex{100 * search + vertex};
}
float distance_in(int search, std::int64_t vertex) {
  return static_cast<float>(search) + static_cast<float>(vertex) / 8;
}

/// Files of a run on all ranks, in a folder that they share.
class ResultFilesTest : public testing::Test {
 protected:
  ResultFilesTest() {
    const std::vector<std::string> folders = world().allgather(tree_.path(""));
    parents_ = folders[0] + "parents";
    distances_ = folders[0] + "distances";
  }

  Benchmark benchmark(bool bfs, bool sssp) const {
    Benchmark made;
    if (bfs) {
      made.construct = [](const EdgeStream&, PhaseObserver&) -> std::unique_ptr<SearchPlan> {
        return nullptr;
      };
    }
    if (sssp) {
      made.construct_paths = [](const WeightedEdgeStream&, PhaseObserver&) -> std::unique_ptr<SearchPlan> {
        return nullptr;
      };
    }
    made.parents_file = parents_;
    made.distances_file = distances_;
    return made;
  }

  /// Collective. This rank's part of what a search found.
  void write(ResultFiles& files, Kernel kernel, int index, int search) const {
    std::vector<GlobalVertex> parents;
    std::vector<float> distances;
    for (std::int64_t i = 0; i < partition_.size(world().rank()); ++i) {
      const std::int64_t vertex = partition_.first(world().rank()) + i;
      parents.push_back(parent_in(search, vertex));
      distances.push_back(distance_in(search, vertex));
    }
    FoundTree found{.parents = parents};
    if (kernel == Kernel::sssp) found.distances = distances;
    files.write(kernel, index, found);
  }

  FileTree tree_;
  std::string parents_;
  std::string distances_;
  BlockPartition partition_{result_vertices, world().size()};
};

TEST_F(ResultFilesTest, ParentsOfTheSecondKernelFollowThoseOfTheFirst) {
  constexpr int keys = 3;
  {
    ResultFiles files(benchmark(true, true), world(), partition_, keys);
    for (const int index : {2, 0, 1}) write(files, Kernel::bfs, index, index);
    for (int index = 0; index < keys; ++index) write(files, Kernel::sssp, index, keys + index);
  }
  world().barrier();
  std::vector<GlobalVertex> parents;
  std::vector<float> distances;
  for (int search = 0; search < 2 * keys; ++search) {
    for (std::int64_t v = 0; v < result_vertices; ++v) {
      parents.push_back(parent_in(search, v));
      if (search >= keys) distances.push_back(distance_in(search, v));
    }
  }
  EXPECT_EQ(values_in<GlobalVertex>(parents_), parents);
  EXPECT_EQ(values_in<float>(distances_), distances);
  world().barrier();
}

TEST_F(ResultFilesTest, OfKernel3AloneBeginsWithIts) {
  {
    ResultFiles files(benchmark(false, true), world(), partition_, 5);
    write(files, Kernel::sssp, 0, 7);
  }
  world().barrier();
  const std::vector<GlobalVertex> parents = values_in<GlobalVertex>(parents_);
  ASSERT_EQ(std::ssize(parents), result_vertices);
  for (std::int64_t v = 0; v < result_vertices; ++v) {
    EXPECT_EQ(parents[static_cast<std::size_t>(v)], parent_in(7, v)) << v;
  }
  world().barrier();
}

TEST_F(ResultFilesTest, WhatAFileHeldIsLost) {
  if (world().rank() == 0) std::ofstream(parents_) << std::string(5000, 'x');
  world().barrier();
  {
    ResultFiles files(benchmark(true, false), world(), partition_, 1);
    write(files, Kernel::bfs, 0, 1);
  }
  world().barrier();
  EXPECT_EQ(std::ssize(values_in<GlobalVertex>(parents_)), result_vertices);
  EXPECT_FALSE(std::ifstream(distances_).is_open()) << "of kernel 3 alone";
  world().barrier();
}

TEST_F(ResultFilesTest, NoneAreWrittenWhereNoneAreWanted) {
  Benchmark nothing = benchmark(true, true);
  nothing.parents_file.clear();
  nothing.distances_file.clear();
  ResultFiles files(nothing, world(), partition_, 1);
  write(files, Kernel::bfs, 0, 0);
  write(files, Kernel::sssp, 0, 0);
  EXPECT_FALSE(std::ifstream(parents_).is_open());
}

TEST_F(ResultFilesTest, SaysWhichFileCannotBeWritten) {
  if (world().size() > 1) return;  // the first rank alone makes it, and the others wait for that
  const std::string path = parents_ + "/absent/file";
  try {
    const ResultFile<float> file(path, world(), partition_);
    FAIL() << "not refused";
  } catch (const EnvironmentError& error) {
    EXPECT_EQ(std::string(error.what()),
              "cannot write the results to " + path + "; free some space or name another file");
  }
  ResultFile<float> full("/dev/full", world(), partition_);
  const std::vector<float> values(result_vertices, 1.0F);
  EXPECT_THROW(full.write(0, values), EnvironmentError);
}

}  // namespace
}  // namespace isobath
