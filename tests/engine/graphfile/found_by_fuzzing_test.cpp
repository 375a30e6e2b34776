// SPDX-License-Identifier: Apache-2.0
// Files that once broke a reader (tests/data/fuzzing/FORMAT/*): each is read or refused in a sentence.
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

#include "graphfile/written_file.hpp"

namespace isobath::test {
namespace {

namespace fs = std::filesystem;

std::string content_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream content;
  content << file.rdbuf();
  return content.str();
}

TEST(FoundByFuzzing, IsReadOrRefused) {
  int files = 0;
  for (const auto& folder : fs::directory_iterator(ISOBATH_TEST_DATA "/fuzzing")) {
    if (!folder.is_directory()) continue;
    const GraphFormat format = parse_graph_format(folder.path().filename().string());
    for (const auto& file : fs::directory_iterator(folder)) {
      const std::string content = content_of(file.path());
      EXPECT_NO_THROW(refusal(format, content, true)) << file.path();
      EXPECT_NO_THROW(refusal(format, content, false)) << file.path();
      ++files;
    }
  }
  EXPECT_GT(files, 0);
}

}  // namespace
}  // namespace isobath::test
