// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

namespace isobath {

/// A folder of its own for one test, removed at the end: for fabricated /proc and /sys trees, and for written
/// files.
class FileTree {
 public:
  FileTree() {
    std::string pattern = std::filesystem::temp_directory_path() / "isobath-test-XXXXXX";
    const char* const made = mkdtemp(pattern.data());
    if (made == nullptr) throw std::runtime_error("no temporary folder");
    root_ = made;
  }
  FileTree(const FileTree&) = delete;
  FileTree& operator=(const FileTree&) = delete;
  ~FileTree() {
    std::error_code ignored;
    std::filesystem::remove_all(root_, ignored);
  }

  const std::filesystem::path& root() const { return root_; }
  std::string path(const std::string& name) const { return root_ / name; }
  void write(const std::string& name, const std::string& text) const {
    const std::filesystem::path file = root_ / name;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << text;
  }
  std::string read(const std::string& name) const {
    std::ostringstream text;
    text << std::ifstream(root_ / name).rdbuf();
    return text.str();
  }

 private:
  std::filesystem::path root_;
};

}  // namespace isobath
