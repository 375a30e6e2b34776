// SPDX-License-Identifier: Apache-2.0
#include "record/heartbeat.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cerrno>
#include <cstring>

#include <fmt/format.h>

#include "base/error.hpp"

namespace isobath {
namespace {

static_assert(std::endian::native == std::endian::little, "the heartbeat file is little endian");

// Another thread and other processes read the slot at any time: it is stored word by word.

template <class Value>
void store(Value& place, Value value) {
  std::atomic_ref(place).store(value, std::memory_order_relaxed);
}

template <class Value>
Value load(const Value& place) {
  return std::atomic_ref(const_cast<Value&>(place)).load(std::memory_order_relaxed);
}

constexpr std::size_t word_bytes = sizeof(std::uint64_t);

/// The text, cut so that a zero stands behind it.
template <std::size_t length>
void store_text(char (&field)[length], std::string_view text) {
  static_assert(length % word_bytes == 0);
  std::array<std::uint64_t, length / word_bytes> words{};
  std::memcpy(words.data(), text.data(), std::min(text.size(), length - 1));
  auto* const place = reinterpret_cast<std::uint64_t*>(field);
  for (std::size_t i = 0; i < words.size(); ++i) store(place[i], words[i]);
}

template <std::size_t length>
std::string load_text(const char (&field)[length]) {
  std::array<std::uint64_t, length / word_bytes> words{};
  const auto* const place = reinterpret_cast<const std::uint64_t*>(field);
  for (std::size_t i = 0; i < words.size(); ++i) words[i] = load(place[i]);
  std::array<char, length> text{};
  std::memcpy(text.data(), words.data(), length);
  return std::string(text.data(), strnlen(text.data(), length));
}

constexpr std::string_view no_magic("\0\0\0\0\0\0\0\0", 8);

EnvironmentError not_ours(const std::string& path, int ranks) {
  return EnvironmentError(
      fmt::format("{} is no heartbeat file for {} ranks; remove it or name another file", path, ranks));
}

EnvironmentError cannot_use(std::string_view action, const std::string& path, int error) {
  return EnvironmentError(
      fmt::format("cannot {} the heartbeat file {} ({})", action, path, std::strerror(error)));
}

/// An open file, closed at the end of its life.
class OpenFile {
 public:
  explicit OpenFile(const std::string& path) : file_(open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644)) {
    if (file_ < 0) throw cannot_use("open", path, errno);
  }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  ~OpenFile() { close(file_); }
  int number() const { return file_; }

  /// True for a heartbeat file, and for one that nobody has written to yet.
  bool may_be_ours() const {
    std::array<char, heartbeat_magic.size()> first{};
    const ssize_t length = pread(file_, first.data(), first.size(), 0);
    if (length == 0) return true;
    const std::string_view magic(first.data(), first.size());
    return length == static_cast<ssize_t>(first.size()) && (magic == heartbeat_magic || magic == no_magic);
  }

  /// Claims the file's room now: a store into a page that the disk cannot hold would kill the process by
  /// SIGBUS. Returns 0 or the error number.
  int make_room(std::size_t bytes) const {
    const int error = posix_fallocate(file_, 0, static_cast<off_t>(bytes));
    if (error != EOPNOTSUPP && error != EINVAL) return error;
    struct stat status{};  // file systems that cannot promise room
    if (fstat(file_, &status) != 0) return errno;
    if (status.st_size >= static_cast<off_t>(bytes)) return 0;
    return ftruncate(file_, static_cast<off_t>(bytes)) == 0 ? 0 : errno;
  }

 private:
  int file_;
};

}  // namespace

Heartbeat::Heartbeat(int rank) { begin(rank); }

Heartbeat::Heartbeat(const std::string& path, int rank, int ranks) {
  if (path.empty()) {
    begin(rank);
    return;
  }
  mapped_bytes_ = sizeof(HeartbeatHeader) + static_cast<std::size_t>(ranks) * sizeof(HeartbeatSlot);
  const OpenFile file(path);
  if (!file.may_be_ours()) throw not_ours(path, ranks);  // before anything in it changes
  if (const int error = file.make_room(mapped_bytes_); error != 0)
    throw cannot_use("make room for", path, error);
  void* const address = mmap(nullptr, mapped_bytes_, PROT_READ | PROT_WRITE, MAP_SHARED, file.number(), 0);
  if (address == MAP_FAILED) throw cannot_use("map", path, errno);
  mapped_ = address;

  header_ = static_cast<HeartbeatHeader*>(address);
  const std::string_view magic(header_->magic, sizeof header_->magic);
  const bool is_new = magic == no_magic;
  if (!is_new && header_->ranks != static_cast<std::uint32_t>(ranks)) {
    munmap(mapped_, mapped_bytes_);
    throw not_ours(path, ranks);
  }
  if (is_new) {  // all ranks write the same, so it does not matter who is first
    header_->ranks = static_cast<std::uint32_t>(ranks);
    std::atomic_thread_fence(std::memory_order_release);  // the magic last: it vouches for the rest
    std::memcpy(header_->magic, heartbeat_magic.data(), heartbeat_magic.size());
  }
  slot_ = reinterpret_cast<HeartbeatSlot*>(static_cast<std::byte*>(address) + sizeof(HeartbeatHeader)) + rank;
  begin(rank);
}

Heartbeat::~Heartbeat() {
  if (mapped_ != nullptr) munmap(mapped_, mapped_bytes_);
}

void Heartbeat::begin(int rank) {
  slot_->rank = static_cast<std::uint32_t>(rank);
  slot_->search = -1;
  phase(Phase::start);
  store(slot_->pid,
        static_cast<std::uint32_t>(getpid()));  // last: readers take a slot with a process for ours
}

void Heartbeat::set_doing(Doing doing) { store(slot_->doing, static_cast<std::uint32_t>(doing)); }

void Heartbeat::progressed() { store(slot_->progress, load(slot_->progress) + 1); }

void Heartbeat::phase(Phase begun) {
  current_phase_ = begun;
  store_text(slot_->phase, name_of(begun));
  set_doing(Doing::computing);
  progressed();
}

void Heartbeat::search(int index) {
  store(slot_->search, index);
  store(slot_->level, 0);
  progressed();
}

void Heartbeat::level(int level) {
  store(slot_->level, level);
  progressed();
}

void Heartbeat::cell(std::string_view description) {
  store_text(slot_->cell, description);
  progressed();
}

void Heartbeat::call_begins(const char* call) {
  if (call != last_call_) {  // names are literals: most ranks ask the same again and again
    store_text(slot_->last_call, call);
    last_call_ = call;
  }
  set_doing(Doing::waiting);
}

void Heartbeat::call_ends(bool is_complete) {
  set_doing(is_complete ? Doing::computing : Doing::asking);
  if (is_complete) progressed();
}

void Heartbeat::rests() { set_doing(Doing::resting); }

bool Heartbeat::stop_requested() const { return load(header_->stop_requested) != 0; }

HeartbeatState Heartbeat::state() const {
  return {.progress = load(slot_->progress),
          .search = load(slot_->search),
          .level = load(slot_->level),
          .doing = static_cast<Doing>(load(slot_->doing)),
          .phase = load_text(slot_->phase),
          .last_call = load_text(slot_->last_call),
          .cell = load_text(slot_->cell)};
}

std::string HeartbeatState::where() const {
  std::string text = cell.empty() ? "phase " + phase : "measuring " + cell;
  if (search >= 0) text += fmt::format(", search {}, level {}", search, level);
  if (!last_call.empty()) text += ", last call " + last_call;
  return text;
}

}  // namespace isobath
