// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>

namespace isobath {

/// A file without a name, for this process alone: made in a folder, taken out of it at once, gone with the
/// object. Any number of threads may read and write different parts.
class EdgeFile {
 public:
  /// @throws EnvironmentError where `path` exists already or cannot be made
  explicit EdgeFile(std::filesystem::path path);
  EdgeFile(const EdgeFile&) = delete;
  EdgeFile& operator=(const EdgeFile&) = delete;
  ~EdgeFile();

  /// Writes all of `bytes` at an offset. @throws EnvironmentError, for example when the disk is full
  void write(std::int64_t offset, std::span<const std::byte> bytes) const;
  /// Fills `bytes` from an offset. @throws EnvironmentError when they cannot be read, or fewer are there
  void read(std::int64_t offset, std::span<std::byte> bytes) const;
  /// Waits until the system has taken all that was written; some file systems say only here that they are
  /// full.
  void flush() const;

 private:
  std::filesystem::path path_;
  int descriptor_;
};

}  // namespace isobath
