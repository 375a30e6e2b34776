// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>

namespace isobath {

namespace arena {

/// Maps `bytes` of zeroed memory, aligned to 2 MiB and advised for huge pages where it is at least that
/// large. Pages are not touched. @throws EnvironmentError when the system refuses.
void* map(std::size_t bytes);
void unmap(void* address, std::size_t bytes) noexcept;
/// Gives the whole pages behind the first `kept` of `bytes` back; what is left counts as mapped with that
/// many.
/// @param kept  at least 1
void shrink(void* address, std::size_t bytes, std::size_t kept) noexcept;
/// Gives the whole huge pages inside [address, address + bytes) back to the system; they read as zero
/// afterwards. Returns the end of the last one, or `address` where there was none: who is done with an array
/// piece by piece goes on from there, so that pages which no single piece covers are given back too.
void* release_pages(void* address, std::size_t bytes) noexcept;

/// From here on the system gives this process small pages alone, whatever is advised: what huge pages bring
/// is measured against this. To be called before anything large is mapped; holds until the process ends.
/// @throws EnvironmentError when the system refuses.
void forgo_huge_pages();

/// Huge pages over the whole process, for records: bytes mapped by this arena, and bytes of AnonHugePages
/// (/proc/self/smaps_rollup) that the system actually gave.
struct HugePages {
  std::int64_t requested_bytes = 0;
  std::int64_t obtained_bytes = 0;
};
HugePages huge_pages();

}  // namespace arena

/// A large fixed-size array of plain values on huge pages, zeroed by the system and first touched by whoever
/// writes it first. Move-only; empty after a move.
template <class T>
class LargeArray {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  LargeArray() = default;
  explicit LargeArray(std::size_t size)
      : data_(size == 0 ? nullptr : static_cast<T*>(arena::map(size * sizeof(T)))), size_(size) {}
  LargeArray(LargeArray&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  LargeArray& operator=(LargeArray&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
  }
  LargeArray(const LargeArray&) = delete;
  LargeArray& operator=(const LargeArray&) = delete;
  ~LargeArray() {
    if (data_ != nullptr) arena::unmap(data_, size_ * sizeof(T));
  }

  /// Gives the memory of all but the first `size` values back.
  void shrink(std::size_t size) {
    if (size == 0) {
      *this = {};
    } else if (size < size_) {
      arena::shrink(data_, size_ * sizeof(T), size * sizeof(T));
      size_ = size;
    }
  }

  T* data() { return data_; }
  const T* data() const { return data_; }
  std::size_t size() const { return size_; }
  T& operator[](std::size_t i) { return data_[i]; }
  const T& operator[](std::size_t i) const { return data_[i]; }
  T* begin() { return data_; }
  T* end() { return data_ + size_; }
  const T* begin() const { return data_; }
  const T* end() const { return data_ + size_; }
  std::span<T> span() { return {data_, size_}; }
  std::span<const T> span() const { return {data_, size_}; }

 private:
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace isobath
