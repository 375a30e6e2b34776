// SPDX-License-Identifier: Apache-2.0
#include "profiler/beat.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <string_view>

namespace isobath::profiler {
namespace {

constexpr std::string_view magic{"ISOBHB2\0", 8};
constexpr std::size_t file_bytes = sizeof(BeatHeader) + sizeof(BeatSlot);

/// A call's name in the words of the slot, so that showing it is a few stores.
using NameWords = std::array<std::uint64_t, sizeof(BeatSlot::last_call) / sizeof(std::uint64_t)>;

NameWords words_of(std::string_view name) {
  NameWords words{};
  std::memcpy(words.data(), name.data(), std::min(name.size(), sizeof words - 1));
  return words;
}

const std::array<NameWords, num_calls>& names() {
  static const std::array<NameWords, num_calls> all = [] {
    std::array<NameWords, num_calls> found{};
    for (std::size_t i = 0; i < num_calls; ++i) {
      std::string name = "MPI_" + std::string(call_names[i]);
      name[4] = static_cast<char>(name[4] - 'a' + 'A');
      found[i] = words_of(name);
    }
    return found;
  }();
  return all;
}

template <class Value>
void store(Value& place, Value value) {
  std::atomic_ref(place).store(value, std::memory_order_relaxed);
}

void show(BeatSlot& slot, const NameWords& name) {
  auto* const place = reinterpret_cast<std::uint64_t*>(slot.last_call);
  for (std::size_t i = 0; i < name.size(); ++i) store(place[i], name[i]);
  store(slot.doing, std::uint32_t{1});
}

}  // namespace

void Beat::open(const std::string& folder, int rank) {
  const std::string path =
      folder + "/beat-" + std::to_string(rank) + "-" + std::to_string(::getpid()) + ".bin";
  const int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (file < 0) return;
  // Room first: a store into a page that the disk cannot hold would kill the program.
  const bool has_room = ::posix_fallocate(file, 0, file_bytes) == 0;
  void* const address =
      has_room ? ::mmap(nullptr, file_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0) : MAP_FAILED;
  ::close(file);
  if (address == MAP_FAILED) return;
  auto* const header = static_cast<BeatHeader*>(address);
  slot_ = reinterpret_cast<BeatSlot*>(static_cast<std::byte*>(address) + sizeof(BeatHeader));
  slot_->rank = static_cast<std::uint32_t>(rank);
  slot_->pid = static_cast<std::uint32_t>(::getpid());
  slot_->search = -1;
  header->ranks = 1;
  std::atomic_thread_fence(std::memory_order_release);  // the magic last: it vouches for the rest
  std::memcpy(header->magic, magic.data(), magic.size());
}

void Beat::call_begins(CallId call) { show(*slot_, names()[static_cast<std::size_t>(call)]); }

void Beat::call_begins(const char* name) { show(*slot_, words_of(name)); }

void Beat::call_ends(bool is_complete) {
  if (is_complete) {
    std::atomic_ref progress(slot_->progress);
    progress.store(progress.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  }
  store(slot_->doing, std::uint32_t{is_complete ? 0U : 2U});
}

}  // namespace isobath::profiler
