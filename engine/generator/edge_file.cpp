// SPDX-License-Identifier: Apache-2.0
#include "generator/edge_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "base/error.hpp"

namespace isobath {
namespace {

[[noreturn]] void fail(const char* what, const std::filesystem::path& path, int error) {
  const char* remedy = "name another folder with --edge-folder, or use --edges regenerate";
  if (error == EEXIST) remedy = "remove it, or name another folder with --edge-folder";
  throw EnvironmentError(
      fmt::format("cannot {} the edge file {} ({}); {}", what, path.string(), std::strerror(error), remedy));
}

}  // namespace

EdgeFile::EdgeFile(std::filesystem::path path)
    : path_(std::move(path)), descriptor_(open(path_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600)) {
  if (descriptor_ < 0) fail("create", path_, errno);
  if (unlink(path_.c_str()) != 0) {
    const int error = errno;
    close(descriptor_);
    fail("unlink", path_, error);
  }
}

EdgeFile::~EdgeFile() { close(descriptor_); }

void EdgeFile::write(std::int64_t offset, std::span<const std::byte> bytes) const {
  while (!bytes.empty()) {
    const ssize_t written = pwrite(descriptor_, bytes.data(), bytes.size(), offset);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) fail("write", path_, written < 0 ? errno : ENOSPC);
    bytes = bytes.subspan(static_cast<std::size_t>(written));
    offset += written;
  }
}

void EdgeFile::read(std::int64_t offset, std::span<std::byte> bytes) const {
  while (!bytes.empty()) {
    const ssize_t got = pread(descriptor_, bytes.data(), bytes.size(), offset);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail("read", path_, errno);
    if (got == 0) {
      throw EnvironmentError(
          fmt::format("the edge file {} ends early, at byte {}; another program cut it short, run again",
                      path_.string(), offset));
    }
    bytes = bytes.subspan(static_cast<std::size_t>(got));
    offset += got;
  }
}

void EdgeFile::flush() const {
  if (fdatasync(descriptor_) != 0 && errno != EINVAL) fail("write", path_, errno);
}

}  // namespace isobath
