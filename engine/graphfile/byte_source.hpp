// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace isobath {

/// A regular file, open for reading. Any number of threads may read different parts.
class InputFile {
 public:
  /// @throws EnvironmentError where it cannot be opened or is no regular file
  explicit InputFile(std::string path);
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;
  ~InputFile();

  const std::string& path() const { return path_; }
  /// Bytes it had when it was opened.
  std::int64_t size() const { return size_; }
  /// Fills `bytes` from an offset, fewer only at the end of the file; returns how many.
  /// @throws EnvironmentError when they cannot be read
  std::size_t read_some(std::int64_t offset, std::span<std::byte> bytes) const;
  /// Fills all of `bytes`. @throws EnvironmentError when fewer are there
  void read(std::int64_t offset, std::span<std::byte> bytes) const;

 private:
  std::string path_;
  std::int64_t size_ = 0;
  int descriptor_ = -1;
};

/// The bytes of a file in order, decompressed where it is compressed. One thread at a time.
class ByteSource {
 public:
  ByteSource() = default;
  ByteSource(const ByteSource&) = delete;
  ByteSource& operator=(const ByteSource&) = delete;
  virtual ~ByteSource() = default;

  /// Fills `bytes`, fewer only at the end; returns how many.
  /// @throws EnvironmentError when the file cannot be read or its compression is damaged
  virtual std::size_t read(std::span<std::byte> bytes) = 0;
};

/// The content of a file: gzip and zstd are known by their first bytes, whatever the file is called.
/// @throws EnvironmentError where it cannot be opened, or the library for it was not here when the engine was
/// built
std::unique_ptr<ByteSource> open_byte_source(const std::string& path);

// One file each, so that a missing library is a missing file.
std::unique_ptr<ByteSource> open_gzip(std::unique_ptr<InputFile> file);
std::unique_ptr<ByteSource> open_zstd(std::unique_ptr<InputFile> file);

}  // namespace isobath
