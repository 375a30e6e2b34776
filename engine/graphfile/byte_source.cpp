// SPDX-License-Identifier: Apache-2.0
#include "graphfile/byte_source.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "base/error.hpp"

namespace isobath {
namespace {

[[noreturn]] void fail(const std::string& path, int error) {
  throw EnvironmentError(
      fmt::format("cannot read {} ({}); check the path and its permissions", path, std::strerror(error)));
}

class PlainSource final : public ByteSource {
 public:
  explicit PlainSource(std::unique_ptr<InputFile> file) : file_(std::move(file)) {}

  std::size_t read(std::span<std::byte> bytes) override {
    const std::size_t got = file_->read_some(offset_, bytes);
    offset_ += static_cast<std::int64_t>(got);
    return got;
  }

 private:
  std::unique_ptr<InputFile> file_;
  std::int64_t offset_ = 0;
};

template <std::size_t size>
bool begins_with(std::span<const std::byte> bytes, const std::array<unsigned char, size>& magic) {
  return bytes.size() >= size && std::memcmp(bytes.data(), magic.data(), size) == 0;
}

}  // namespace

InputFile::InputFile(std::string path)
    : path_(std::move(path)), descriptor_(open(path_.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {
  if (descriptor_ < 0) fail(path_, errno);
  struct stat status{};
  const int error = fstat(descriptor_, &status) == 0 ? 0 : errno;
  if (error != 0 || !S_ISREG(status.st_mode)) {
    close(descriptor_);
    if (error != 0) fail(path_, error);
    throw EnvironmentError(fmt::format("{} is no regular file; name a file that holds a graph", path_));
  }
  size_ = status.st_size;
}

InputFile::~InputFile() { close(descriptor_); }

std::size_t InputFile::read_some(std::int64_t offset, std::span<std::byte> bytes) const {
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t got = pread(descriptor_, bytes.data() + done, bytes.size() - done,
                              offset + static_cast<std::int64_t>(done));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail(path_, errno);
    if (got == 0) break;
    done += static_cast<std::size_t>(got);
  }
  return done;
}

void InputFile::read(std::int64_t offset, std::span<std::byte> bytes) const {
  const std::size_t got = read_some(offset, bytes);
  if (got == bytes.size()) return;
  throw EnvironmentError(fmt::format("{} ends early, at byte {}; copy or download it again", path_,
                                     offset + static_cast<std::int64_t>(got)));
}

std::unique_ptr<ByteSource> open_byte_source(const std::string& path) {
  auto file = std::make_unique<InputFile>(path);
  std::array<std::byte, 4> first{};
  const std::size_t got = file->read_some(0, first);
  const std::span<const std::byte> magic(first.data(), got);
  if (begins_with<2>(magic, {0x1F, 0x8B})) return open_gzip(std::move(file));
  if (begins_with<4>(magic, {0x28, 0xB5, 0x2F, 0xFD})) return open_zstd(std::move(file));
  return std::make_unique<PlainSource>(std::move(file));
}

}  // namespace isobath
