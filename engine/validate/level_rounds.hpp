// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "base/arena.hpp"
#include "base/bitmap.hpp"
#include "comm/communicator.hpp"
#include "validate/edge_copy.hpp"

namespace isobath {

/// Levels of all vertices on several ranks, each finding those of its own rows: in round after round a rank
/// looks for rows whose parent is on the level before, and all tell each other which they are, one bit a row,
/// or a short list. So nobody goes through the parents of all vertices.
class LevelRounds {
 public:
  /// `world` outlives this.
  LevelRounds(const Communicator& world, const DealtRows& dealt, std::size_t num_places);

  /// Room that find() needs for the levels, which are level_bits: whole words of 64.
  static std::size_t room_for(std::size_t num_places) { return words_for(num_places) * word_bits; }

  /// Collective; returns the same on every rank. Levels of all places, along the parents.
  /// False where the root has another parent, a rank says that something is wrong, or a vertex has a parent
  /// and no level: the parents run in a circle, lead elsewhere than to the root, or to it over too many
  /// levels.
  /// @param parents  of the rows here: places, or EdgeCopy::no_place
  bool find(std::uint32_t root, std::span<const std::uint32_t> parents, bool is_wrong,
            std::span<std::uint16_t> levels);

 private:
  /// What each rank tells after a round.
  struct News {
    static constexpr std::size_t longest_list = 58;
    std::int32_t is_wrong = 0;
    std::uint32_t waiting = 0;                       // rows that still have no level
    std::uint32_t reached = 0;                       // rows on the new level
    std::array<std::uint32_t, longest_list> rows{};  // which, where they are no more
  };
  struct Progress {
    bool is_wrong = false;
    bool goes_on = false;  // somebody waits, and somebody was reached
    bool is_complete = false;
  };
  void begin(std::span<const std::uint32_t> parents);
  News advance(std::span<const std::uint32_t> parents);
  Progress tell(const News& mine);
  void gather_reached();
  void mark(std::uint16_t level, std::span<std::uint16_t> levels) const;

  const Communicator& world_;
  DealtRows dealt_;
  std::vector<std::int64_t> words_of_ranks_;  // words of all ranks' rows
  LargeArray<Word> on_level_;                 // by place: the vertices of the level before
  LargeArray<Word> gathered_;                 // the same by rank and row
  LargeArray<Word> waiting_;                  // by row: has a parent and no level yet
  LargeArray<Word> reached_;                  // by row: is on the new level
};

}  // namespace isobath
