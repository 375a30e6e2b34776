// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace isobath {

/// A file that is either complete or not there: written under the name PATH.part, renamed at the end, removed
/// on failure. "-" is standard output; what exists and is no regular file (a pipe, a device) is written to as
/// it is.
class OutputFile {
 public:
  /// @throws UsageError for a terminal @throws EnvironmentError where it cannot be opened
  explicit OutputFile(std::string path);
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  /// Removes what was not finished.
  ~OutputFile();

  /// @throws EnvironmentError, for example when the disk is full or nobody reads the pipe any more
  void write(std::span<const std::byte> bytes);
  /// All is written; the file gets its name. @throws EnvironmentError
  void finish();

 private:
  std::string name() const;

  std::string path_;
  std::string partial_;  // empty where there is nothing to rename
  int descriptor_ = -1;
};

}  // namespace isobath
