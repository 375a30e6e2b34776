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

#include "base/clock.hpp"
#include "base/error.hpp"

namespace isobath {
namespace {

static_assert(std::endian::native == std::endian::little, "the heartbeat file is little endian");

using PhaseField = std::array<char, sizeof(HeartbeatSlot::phase)>;

/// The names of all phases as the slot holds them, so that a change is one copy of fixed size.
constexpr std::array<PhaseField, num_phases> padded_names() {
  std::array<PhaseField, num_phases> fields{};
  for (std::size_t i = 0; i < num_phases; ++i) {
    for (std::size_t k = 0; k < phase_names[i].size(); ++k) fields[i][k] = phase_names[i][k];
  }
  return fields;
}
constexpr std::array<PhaseField, num_phases> phase_fields = padded_names();

constexpr std::string_view no_magic("\0\0\0\0\0\0\0\0", 8);

EnvironmentError not_ours(const std::string& path, int ranks) {
  return EnvironmentError(
      fmt::format("{} is no heartbeat file for {} ranks; remove it or name another file", path, ranks));
}

EnvironmentError cannot(std::string_view action, const std::string& path, int error) {
  return EnvironmentError(
      fmt::format("cannot {} the heartbeat file {} ({})", action, path, std::strerror(error)));
}

/// An open file, closed at the end of its life.
class OpenFile {
 public:
  explicit OpenFile(const std::string& path) : file_(open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644)) {
    if (file_ < 0) throw cannot("open", path, errno);
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
  mapped_bytes_ = sizeof(HeartbeatHeader) + static_cast<std::size_t>(ranks) * sizeof(HeartbeatSlot);
  const OpenFile file(path);
  if (!file.may_be_ours()) throw not_ours(path, ranks);  // before anything in it changes
  if (const int error = file.make_room(mapped_bytes_); error != 0) throw cannot("make room for", path, error);
  void* const address = mmap(nullptr, mapped_bytes_, PROT_READ | PROT_WRITE, MAP_SHARED, file.number(), 0);
  if (address == MAP_FAILED) throw cannot("map", path, errno);
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
  slot_->pid = static_cast<std::uint32_t>(getpid());
  slot_->search = -1;
  slot_->level = 0;
  phase(Phase::start);
}

void Heartbeat::phase(Phase begun, double now) {
  current_phase_ = begun;
  std::memcpy(slot_->phase, phase_fields[static_cast<std::size_t>(begun)].data(), sizeof slot_->phase);
  changed(now);
}

void Heartbeat::search(int index) {
  slot_->search = index;
  slot_->level = 0;
  changed(clock());
}

void Heartbeat::level(int level) { slot_->level = level; }

void Heartbeat::waiting_in(std::string_view call) {
  std::array<char, sizeof(HeartbeatSlot::waiting_in)> name{};
  std::memcpy(name.data(), call.data(), std::min(call.size(), name.size() - 1));
  std::memcpy(slot_->waiting_in, name.data(), name.size());
  changed(clock());
}

bool Heartbeat::stop_requested() const {
  return std::atomic_ref(header_->stop_requested).load(std::memory_order_relaxed) != 0;
}

double Heartbeat::clock() { return now_seconds(); }

void Heartbeat::changed(double now) {
  slot_->monotonic_seconds = now;
  std::atomic_ref sequence(slot_->sequence);
  sequence.store(sequence.load(std::memory_order_relaxed) + 1, std::memory_order_release);
}

}  // namespace isobath
