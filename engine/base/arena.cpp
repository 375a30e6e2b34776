// SPDX-License-Identifier: Apache-2.0
#include "base/arena.hpp"

#include <sys/mman.h>
#include <sys/prctl.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <fmt/format.h>

#include "base/error.hpp"

namespace isobath::arena {
namespace {

constexpr std::size_t huge_page = std::size_t{2} << 20;
constexpr std::size_t small_page = 4096;

constexpr std::size_t rounded_up(std::size_t bytes, std::size_t unit) {
  return (bytes + unit - 1) / unit * unit;
}

std::size_t mapped_size(std::size_t bytes) {
  return rounded_up(bytes, bytes >= huge_page ? huge_page : small_page);
}

}  // namespace

void* map(std::size_t bytes) {
  const std::size_t size = mapped_size(bytes);
  const std::size_t slack = size >= huge_page ? huge_page : 0;
  void* const raw_address =
      mmap(nullptr, size + slack, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (raw_address == MAP_FAILED) {
    throw EnvironmentError(
        fmt::format("the system refused {} bytes of memory ({}); use a smaller scale or more nodes", bytes,
                    std::strerror(errno)));
  }
  auto* const base = static_cast<std::byte*>(raw_address);
  if (slack == 0) return base;
  const auto address = reinterpret_cast<std::uintptr_t>(base);
  const std::size_t before = rounded_up(address, huge_page) - address;
  if (before != 0) munmap(base, before);
  if (slack - before != 0) munmap(base + before + size, slack - before);
  madvise(base + before, size, MADV_HUGEPAGE);  // advice: where it is refused, small pages serve
  return base + before;
}

void unmap(void* address, std::size_t bytes) noexcept { munmap(address, mapped_size(bytes)); }

void shrink(void* address, std::size_t bytes, std::size_t kept) noexcept {
  const std::size_t rest = mapped_size(bytes) - mapped_size(kept);
  if (rest != 0) munmap(static_cast<std::byte*>(address) + mapped_size(kept), rest);
}

void* release_pages(void* address, std::size_t bytes) noexcept {
  const auto first = reinterpret_cast<std::uintptr_t>(address);
  const std::uintptr_t begin = rounded_up(first, huge_page);
  const std::uintptr_t end = (first + bytes) / huge_page * huge_page;
  if (begin >= end) return address;
  auto* const base = static_cast<std::byte*>(address);
  madvise(base + (begin - first), end - begin, MADV_DONTNEED);
  return base + (end - first);
}

void forgo_huge_pages() {
  if (prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0) == 0) return;
  throw EnvironmentError(
      fmt::format("the system does not let a program do without huge pages ({}); leave --huge-pages off out",
                  std::strerror(errno)));
}

HugePages huge_pages() {
  HugePages pages;
  std::FILE* const file = std::fopen("/proc/self/smaps", "r");
  if (file == nullptr) return pages;
  char line[512];
  // The number after a name of this many letters.
  const auto kilobytes_after = [&line](std::size_t name) { return std::strtoll(line + name, nullptr, 10); };
  long long resident = 0;
  while (std::fgets(line, sizeof line, file) != nullptr) {
    if (std::strncmp(line, "Rss:", 4) == 0) resident = kilobytes_after(4);
    if (std::strncmp(line, "AnonHugePages:", 14) == 0) pages.obtained_bytes += kilobytes_after(14) * 1024;
    if (std::strncmp(line, "VmFlags:", 8) == 0 && std::strstr(line, " hg") != nullptr) {
      pages.requested_bytes += resident * 1024;
    }
  }
  std::fclose(file);
  return pages;
}

}  // namespace isobath::arena
