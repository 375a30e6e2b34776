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

/// The same where every rank chooses the form of its piece: forms and lengths go first, in 8 bytes together.
template <class Form>
class FormedPieces {
 public:
  /// Collective.
  void gather(const Communicator& comm, Form form, std::span<const std::byte> mine) {
    constexpr std::int64_t forms = 4;  // told as length * forms + form
    std::vector<std::int64_t> lengths =
        comm.allgather(std::ssize(mine) * forms + static_cast<std::int64_t>(form));
    forms_.clear();
    for (std::int64_t& told : lengths) {
      forms_.push_back(static_cast<Form>(told % forms));
      told /= forms;
    }
    pieces_.gather(comm, mine, lengths);
  }
  std::size_t count() const { return pieces_.count(); }
  Form form_of(std::size_t rank) const { return forms_[rank]; }
  std::span<const std::byte> of(std::size_t rank) const { return pieces_.of(rank); }

 private:
  GatheredPieces pieces_;
  std::vector<Form> forms_;
};

}  // namespace isobath
