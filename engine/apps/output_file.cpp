// SPDX-License-Identifier: Apache-2.0
#include "apps/output_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "base/error.hpp"

namespace isobath {
namespace {

[[noreturn]] void fail(const char* what, const std::string& name, int error) {
  const char* remedy = "name another file";
  if (error == ENOSPC || error == EDQUOT || error == EFBIG)
    remedy = "free some space or name a file elsewhere";
  if (error == EPIPE) remedy = "the reader ended early";
  throw EnvironmentError(fmt::format("cannot {} {} ({}); {}", what, name, std::strerror(error), remedy));
}

/// True for a pipe, a device and the like.
bool is_special(const std::string& path) {
  struct stat status{};
  return stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode);
}

}  // namespace

OutputFile::OutputFile(std::string path) : path_(std::move(path)) {
  if (path_ == "-") {
    if (isatty(STDOUT_FILENO) == 1) {
      throw UsageError("standard output is a terminal and this is binary; redirect it or name a file");
    }
    descriptor_ = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0);
  } else if (is_special(path_)) {
    descriptor_ = open(path_.c_str(), O_WRONLY | O_CLOEXEC);
  } else {
    partial_ = path_ + ".part";
    descriptor_ = open(partial_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  }
  if (descriptor_ < 0) {
    const int error = errno;
    partial_.clear();
    fail("write", name(), error);
  }
}

OutputFile::~OutputFile() {
  if (descriptor_ >= 0) close(descriptor_);
  if (!partial_.empty()) unlink(partial_.c_str());
}

void OutputFile::write(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail("write", name(), errno);
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
}

void OutputFile::finish() {
  if (close(std::exchange(descriptor_, -1)) != 0) fail("write", name(), errno);
  if (partial_.empty()) return;
  if (std::rename(partial_.c_str(), path_.c_str()) != 0) fail("write", name(), errno);
  partial_.clear();
}

std::string OutputFile::name() const { return path_ == "-" ? "standard output" : path_; }

}  // namespace isobath
