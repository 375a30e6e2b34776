// SPDX-License-Identifier: Apache-2.0
// A process that is killed while it writes, for benchmarks/guard_kills.py: preloaded, it counts the steps by
// which a program changes files, and kills the program at one of them.
//   STEPS_FILE  holds how many steps there were
//   STEPS_KILL  the number of the step, from 1, that is not done any more: of a write half the bytes are
//   written.
//               The process group is killed where the process leads it, else the process alone
// Steps: a file is opened to be made or emptied, written, cut, forced to disk, renamed, linked or removed, a
// folder made or removed. Only the first process counts, and what it starts does not.
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdarg>
#include <cstdint>
#include <cstdlib>
#include <string>

namespace {

using Count = std::atomic<std::uint64_t>;

/// What this process does at its steps; nothing without a file, and in processes that the first one started.
class Course {
 public:
  Course() {
    const char* const path = std::getenv("STEPS_FILE");
    const char* const first = std::getenv("STEPS_FIRST");
    if (path == nullptr || (first != nullptr && std::atoi(first) != getpid())) return;
    // Whoever is started from here on finds it; another program in this process goes on counting.
    setenv("STEPS_FIRST", std::to_string(getpid()).c_str(), 1);
    const auto file =
        static_cast<int>(syscall(SYS_openat, AT_FDCWD, path, O_RDWR | O_CREAT | O_CLOEXEC, 0600));
    if (file < 0 || syscall(SYS_ftruncate, file, sizeof(Count)) != 0) return;
    void* const memory = mmap(nullptr, sizeof(Count), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    syscall(SYS_close, file);
    if (memory == MAP_FAILED) return;
    count_ = static_cast<Count*>(memory);
    const char* const last = std::getenv("STEPS_KILL");
    last_ = last == nullptr ? 0 : std::strtoull(last, nullptr, 10);
    process_ = getpid();
  }

  /// Whether this step is the one that is not done any more. A fork counts no more than other processes.
  bool ends_here() { return count_ != nullptr && getpid() == process_ && ++*count_ == last_; }

 private:
  Count* count_ = nullptr;
  std::uint64_t last_ = 0;
  pid_t process_ = 0;
};

Course& course() {
  static Course made;
  return made;
}

/// Before the program begins, so that it passes on what its children have to know.
__attribute__((constructor)) void begin() { course(); }

[[noreturn]] void end() {
  if (getpgrp() == getpid()) kill(-getpid(), SIGKILL);
  kill(getpid(), SIGKILL);
  for (;;) pause();
}

void step() {
  if (course().ends_here()) end();
}

bool is_on_disk(int file) {
  struct stat told = {};
  return file > STDERR_FILENO && fstat(file, &told) == 0 && S_ISREG(told.st_mode);
}

bool makes(int flags) { return (flags & (O_CREAT | O_TRUNC)) != 0; }

template <class Function>
Function library(const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

}  // namespace

// Each does what the library does, one step later.
#define LIBRARY(function) library<decltype(&function)>(#function)

extern "C" {

ssize_t write(int file, const void* bytes, size_t number) {
  static const auto real = LIBRARY(write);
  if (is_on_disk(file) && course().ends_here()) {
    real(file, bytes, number / 2);
    end();
  }
  return real(file, bytes, number);
}

int fsync(int file) {
  static const auto real = LIBRARY(fsync);
  step();
  return real(file);
}

int fdatasync(int file) {
  static const auto real = LIBRARY(fdatasync);
  step();
  return real(file);
}

int ftruncate(int file, off_t length) noexcept {
  static const auto real = LIBRARY(ftruncate);
  step();
  return real(file, length);
}

int rename(const char* from, const char* to) noexcept {
  static const auto real = LIBRARY(rename);
  step();
  return real(from, to);
}

int renameat(int from_folder, const char* from, int to_folder, const char* to) noexcept {
  static const auto real = LIBRARY(renameat);
  step();
  return real(from_folder, from, to_folder, to);
}

int link(const char* from, const char* to) noexcept {
  static const auto real = LIBRARY(link);
  step();
  return real(from, to);
}

int linkat(int from_folder, const char* from, int to_folder, const char* to, int flags) noexcept {
  static const auto real = LIBRARY(linkat);
  step();
  return real(from_folder, from, to_folder, to, flags);
}

int symlink(const char* from, const char* to) noexcept {
  static const auto real = LIBRARY(symlink);
  step();
  return real(from, to);
}

int unlink(const char* path) noexcept {
  static const auto real = LIBRARY(unlink);
  step();
  return real(path);
}

int unlinkat(int folder, const char* path, int flags) noexcept {
  static const auto real = LIBRARY(unlinkat);
  step();
  return real(folder, path, flags);
}

int mkdir(const char* path, mode_t mode) noexcept {
  static const auto real = LIBRARY(mkdir);
  step();
  return real(path, mode);
}

int mkdirat(int folder, const char* path, mode_t mode) noexcept {
  static const auto real = LIBRARY(mkdirat);
  step();
  return real(folder, path, mode);
}

int rmdir(const char* path) noexcept {
  static const auto real = LIBRARY(rmdir);
  step();
  return real(path);
}

/// Args: the mode follows where a file may be made.
#define OPENED(function, ...)                 \
  static const auto real = LIBRARY(function); \
  mode_t mode = 0;                            \
  if ((flags & (O_CREAT | O_TMPFILE)) != 0) { \
    std::va_list more;                        \
    va_start(more, flags);                    \
    mode = va_arg(more, mode_t);              \
    va_end(more);                             \
  }                                           \
  if (makes(flags)) step();                   \
  return real(__VA_ARGS__, flags, mode)

int open(const char* path, int flags, ...) { OPENED(open, path); }
int open64(const char* path, int flags, ...) { OPENED(open64, path); }
int openat(int folder, const char* path, int flags, ...) { OPENED(openat, folder, path); }
int openat64(int folder, const char* path, int flags, ...) { OPENED(openat64, folder, path); }
}
