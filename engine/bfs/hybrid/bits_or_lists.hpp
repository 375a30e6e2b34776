// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/bitmap.hpp"
#include "bfs/hybrid/gathered_pieces.hpp"

namespace isobath {

/// A piece of bits from each rank of a communicator, on all its ranks. Each piece travels in the form that
/// suits it: a bit for each; or a packed list, of those that are newly set, or of those that are not set.
class BitsOrLists {
 public:
  /// Bits in which a rank tells others what has changed: from `before`, as these have it, to `now`.
  struct Piece {
    std::span<const Word> now;
    std::span<const Word> before;  // only bits that are set in `now`; empty: none was set
    std::size_t count;             // bits of a meaning: the others are never set
  };
  /// Which list is tried; if it is longer than most_bytes, bits are sent. `prefers_new` (Expand::visited):
  /// the newly set if at most most_bytes many, else the unset. Otherwise (ToldHubs): whichever are fewer. An
  /// entry takes at least a byte.
  struct ListRule {
    std::int64_t most_bytes;  // a list of more is not sent: bits are
    bool prefers_new;
  };
  enum class Form { bits, list_of_new, list_of_unset };

  /// @param comm  outlives this
  explicit BitsOrLists(const Communicator& comm) : pieces_(comm) {}

  /// Collective. own.now stays as it is while pieces are unpacked.
  void gather(const Piece& own, const ListRule& rule);
  /// How many pieces there are.
  std::size_t count() const { return pieces_.count(); }
  Form form_of(std::size_t rank) const { return static_cast<Form>(pieces_.form_of(rank)); }
  /// @param words  of the rank's piece, as they were before; as they are now, when it returns
  /// @param count  as Piece has it
  void unpack(std::size_t rank, std::span<Word> words, std::size_t count);

 private:
  Form pack(const Piece& own, const ListRule& rule);

  std::vector<std::uint32_t> listed_;  // bits of a list that is sent, or was received
  std::vector<std::byte> packed_;      // the list that this rank sends
  GatheredPieces pieces_;
};

}  // namespace isobath
