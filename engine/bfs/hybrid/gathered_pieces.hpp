// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "comm/communicator.hpp"

namespace isobath {

/// Bytes of unlike lengths, one piece from each rank of a communicator, on all its ranks.
class GatheredPieces {
 public:
  /// Collective. @param lengths  of everybody's piece, told before
  void gather(const Communicator& comm, std::span<const std::byte> mine,
              std::span<const std::int64_t> lengths) {
    begin_.assign(1, 0);
    for (const std::int64_t length : lengths) {
      begin_.push_back(begin_.back() + static_cast<std::size_t>(length));
    }
    bytes_.resize(begin_.back());
    comm.allgatherv<std::byte>(mine, lengths, bytes_);
  }
  std::size_t count() const { return begin_.size() - 1; }
  /// Valid until the next gather().
  std::span<const std::byte> of(std::size_t rank) const {
    return std::span(bytes_).subspan(begin_[rank], begin_[rank + 1] - begin_[rank]);
  }

 private:
  std::vector<std::byte> bytes_;
  std::vector<std::size_t> begin_ = {0};  // of each piece, and the end
};

}  // namespace isobath
