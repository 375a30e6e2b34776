// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <new>

#include "skeleton/world.hpp"

namespace isobath::skeleton {

/// Bytes whose contents nobody looks at.
class Buffer {
 public:
  Buffer(std::size_t bytes, std::size_t copied) : bytes_(allocate(bytes > 0 ? bytes : 1, copied)) {
    if (bytes_ == nullptr) throw std::bad_alloc();
  }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  ~Buffer() { release(bytes_); }

  std::byte* at(std::size_t offset) const { return static_cast<std::byte*>(bytes_) + place_of(offset); }

 private:
  void* bytes_;
};

}  // namespace isobath::skeleton
