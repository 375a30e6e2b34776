// SPDX-License-Identifier: Apache-2.0
#include "record/record_writer.hpp"

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

EnvironmentError cannot(std::string_view action, const std::string& path, int error) {
  return EnvironmentError(fmt::format("cannot {} {} ({}); make room there or name another file", action, path,
                                      std::strerror(error)));
}

/// Writes all of `text`; 0 or the error number.
int write_all(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(file, text.data(), text.size());
    if (written < 0) {
      if (errno == EINTR) continue;
      return errno;
    }
    if (written == 0) return ENOSPC;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return 0;
}

}  // namespace

RecordWriter::RecordWriter(const std::string& path, std::string run_id)
    : path_(path),
      run_id_(std::move(run_id)),
      file_(open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644)) {
  if (file_ < 0) throw cannot("open", path_, errno);
}

RecordWriter::~RecordWriter() { close(file_); }

void RecordWriter::append(std::string line) {
  line += '\n';
  struct stat before{};
  const bool has_size = fstat(file_, &before) == 0 && S_ISREG(before.st_mode);
  const int error = write_all(file_, line);
  if (error == 0) return;
  // Part of the line may have been written: cut it off, so that every line of the file is whole.
  if (has_size && ftruncate(file_, before.st_size) != 0) {
    throw EnvironmentError(fmt::format("cannot write to {} ({}), and its last line may be incomplete", path_,
                                       std::strerror(error)));
  }
  throw cannot("write to", path_, error);
}

void RecordWriter::flush() {
  // EINVAL and EROFS: the file is a pipe or device, which has nothing to wait for
  if (fdatasync(file_) != 0 && errno != EINVAL && errno != EROFS) throw cannot("write to", path_, errno);
}

void write_file(const std::string& path, std::string_view text) {
  struct stat existing{};
  const bool is_special = stat(path.c_str(), &existing) == 0 && !S_ISREG(existing.st_mode);
  const std::string written_path = is_special ? path : path + ".partial";
  const int file = open(written_path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (file < 0) throw cannot("open", written_path, errno);
  int error = write_all(file, text);
  if (close(file) != 0 && error == 0) error = errno;
  if (error == 0 && !is_special && std::rename(written_path.c_str(), path.c_str()) != 0) error = errno;
  if (error == 0) return;
  if (!is_special) unlink(written_path.c_str());
  throw cannot("write", path, error);
}

}  // namespace isobath
