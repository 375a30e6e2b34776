// SPDX-License-Identifier: Apache-2.0
#include "record/collective_cells.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "file_tree.hpp"
#include "machine/available_memory.hpp"

namespace isobath {
namespace {

std::string refusal(const std::string& text) {
  try {
    read_collective_cells(text, "cells.json");
  } catch (const UsageError& error) {
    return error.what();
  }
  return "nothing";
}

TEST(CollectiveCells, AreReadWithWhatIsLeftOut) {
  const CollectiveCells read = read_collective_cells(
      R"({"cells": [{"collective": "bcast"},
                    {"collective": "alltoallv", "form": "nonblocking", "size_bytes": 1024, "shape": "2x2",
                     "along": "row", "together": true, "counts": "recorded:fold", "root_rank": 1,
                     "algorithm": {"variable": "V", "value": "ring"}}],
          "matrices": {"fold": [[1, 2], [3, 4]]}})",
      "cells.json");
  ASSERT_EQ(read.cells.size(), 2U);
  EXPECT_EQ(read.cells[0].form, "blocking");
  EXPECT_EQ(read.cells[0].size_bytes, 0);
  EXPECT_FALSE(read.cells[0].algorithm);
  EXPECT_EQ(read.cells[1].size_bytes, 1024);
  EXPECT_TRUE(read.cells[1].together);
  EXPECT_EQ(read.cells[1].algorithm->value, "ring");
  EXPECT_TRUE(read.cells[1].own_algorithm.empty());
  const CollectiveCells own =
      read_collective_cells(R"([{"collective": "allgather", "algorithm": "own_ring"}])", "cells.json");
  EXPECT_EQ(own.cells[0].own_algorithm, "own_ring");
  EXPECT_FALSE(own.cells[0].algorithm);
  EXPECT_EQ(read.matrices.at("fold"), (ByteMatrix{{1, 2}, {3, 4}}));
  EXPECT_EQ(read_collective_cells(R"([{"collective": "bcast"}])", "cells.json").cells.size(), 1U);
}

TEST(CollectiveCells, SayWhichCellIsWrongAndHow) {
  EXPECT_EQ(refusal("[{\"collective\": \"bcast\"}, {\"form\": \"blocking\"}]"),
            "cell 2 of cells.json cannot be measured: it needs \"collective\"");
  EXPECT_EQ(refusal(R"([{"collective": "bcast", "size": 3}])"),
            "cell 1 of cells.json cannot be measured: a cell has no field \"size\"");
  EXPECT_EQ(refusal(R"([{"collective": "bcast", "size_bytes": -3}])"),
            "cell 1 of cells.json cannot be measured: \"size_bytes\" is a whole number from 0");
  for (const char* text :
       {"", "{", "3", "{}", "[3]", R"([{"collective": 3}])", R"([{"collective": "a", "together": 1}])",
        R"([{"collective": "a", "algorithm": 7}])", R"([{"collective": "a", "algorithm": ""}])",
        R"([{"collective": "a", "root_rank": 1e9}])",
        R"([{"collective": "a", "size_bytes": 18446744073709551615}])",
        R"([{"collective": "a", "root_rank": 4294967296}])", R"({"cells": [], "matrices": {"m": [[1, 2]]}})",
        R"({"cells": [], "matrices": {"m": 1}})"}) {
    EXPECT_NE(refusal(text), "nothing") << text;
  }
}

TEST(CollectiveCells, MatricesAreListsOrLines) {
  const ByteMatrix wanted = {{1, 2}, {3, 4}};
  for (const char* text :
       {"[[1,2],[3,4]]", "1,2\n3,4\n", "1 2\r\n3 4\r\n\r\n", "1;2\n3;4", " \n1\t2\n3\t4\n"}) {
    EXPECT_EQ(read_byte_matrix(text, "m"), wanted) << text;
  }
  for (const char* text : {"", "[", "[1]", "1,2\n3", "1,x\n2,3", "1,-2\n3,4", "1,2.5\n3,4", "[[1,2],[3]]"}) {
    EXPECT_THROW(read_byte_matrix(text, "m"), UsageError) << text;
  }
}

TEST(AvailableMemory, IsWhatTheKernelSaysOrTheContainerLeaves) {
  const FileTree tree;
  EXPECT_FALSE(available_bytes(tree.root()));
  tree.write("proc/meminfo", "MemTotal:  900 kB\nMemFree:  100 kB\nMemAvailable:  500 kB\n");
  EXPECT_EQ(available_bytes(tree.root()), 500 * 1024);
}

}  // namespace
}  // namespace isobath
