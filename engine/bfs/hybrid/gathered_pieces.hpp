// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "comm/communicator.hpp"
#include "comm/messages/eager_messages.hpp"

namespace isobath {

/// Bytes of unlike lengths, one piece from each rank of a communicator, on all its ranks; and of each piece
/// its form, a number below `forms` that says how to read it. Among few ranks every length comes with its
/// piece where that is short (EagerMessages), and one more call brings the long ones; among many, one call
/// brings all lengths, one all pieces.
class GatheredPieces {
 public:
  static constexpr std::int64_t forms = 4;

  /// @param comm  outlives this
  explicit GatheredPieces(const Communicator& comm);

  /// Collective. @param mine  the piece of this rank; stays as it is while of() is asked for it
  void gather(std::span<const std::byte> mine, std::int64_t form) {
    tell(mine, form);
    bring();
  }
  /// The first half of gather(): lengths and forms, and among few ranks short pieces. All ranks alike may
  /// omit the second.
  void tell(std::span<const std::byte> mine, std::int64_t form);
  /// The second: what has not come with the lengths.
  void bring();

  std::size_t count() const { return lengths_.size(); }
  // Valid until the next tell().
  std::int64_t form_of(std::size_t rank) const { return forms_[rank]; }
  std::int64_t total_bytes() const;
  std::span<const std::byte> of(std::size_t rank) const { return pieces_[rank]; }

 private:
  bool came_with_length(std::size_t rank) const { return eager_ && EagerMessages::carry(lengths_[rank]); }

  const Communicator& comm_;
  std::optional<EagerMessages> eager_;  // among few ranks
  std::span<const std::byte> mine_;
  // By rank.
  std::vector<std::int64_t> lengths_;
  std::vector<std::int64_t> forms_;
  std::vector<std::span<const std::byte>> pieces_;
  std::vector<std::int64_t> missing_;  // bytes that do not come with the lengths
  std::vector<std::byte> late_;        // these
};

}  // namespace isobath
