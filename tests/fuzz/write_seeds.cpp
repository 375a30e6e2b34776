// SPDX-License-Identifier: Apache-2.0
// write_seeds FOLDER: the right files of the tests of readers as FOLDER/FORMAT/NAME, for the fuzzers to begin
// with.
#include <filesystem>
#include <fstream>

#include "graphfile/written_file.hpp"

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  for (const isobath::test::GraphCase& file : isobath::test::right_files()) {
    const std::filesystem::path folder = std::filesystem::path(argv[1]) / isobath::name_of(file.format);
    std::filesystem::create_directories(folder);
    std::ofstream(folder / file.name, std::ios::binary) << file.content;
  }
  return 0;
}
