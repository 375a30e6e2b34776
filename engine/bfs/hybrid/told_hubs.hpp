// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/arena.hpp"
#include "base/bitmap.hpp"
#include "base/instruction_set.hpp"
#include "bfs/hybrid/gathered_pieces.hpp"
#include "comm/communicator.hpp"
#include "graph/hubs.hpp"
#include "graph/layout.hpp"

namespace isobath {

/// Bits of `visited` where the words of `hubs` have one, laid one after the other (PEXT over a list of
/// words); portable and vectorised ones do the same.
using CollectHubBits = void (*)(std::span<const HubWord> hubs, const Word* visited, Word* out);
CollectHubBits collect_hub_bits_step(InstructionSet set);
void collect_hub_bits_portable(std::span<const HubWord> hubs, const Word* visited, Word* out);
void collect_hub_bits_avx512(std::span<const HubWord> hubs, const Word* visited, Word* out);

/// Which hubs are visited, as far as all ranks know. A rank knows those of its grid column, since what is
/// visited there has reached it (expand.hpp), and tells them to its grid row: their bits, or a list of those
/// that are newly visited, or of those that are not, where that is shorter. Newly: since they were told last,
/// which may be levels ago. What was told is the same on all ranks of a grid row.
class ToldHubs {
 public:
  /// @param graph, row_comm  outlive this
  ToldHubs(const Hubs& hubs, const GridLayout& layout, const Communicator& row_comm);

  /// Before a search: none is known to be visited.
  void reset();
  /// By hub number; behind them a bit that is never set.
  const Word* visited() const { return visited_.data(); }
  bool are_all_visited() const { return num_visited_ == hubs_.count; }
  /// How many of the own hubs are visited. @param own_visited  own vertices
  std::int64_t count_own(const Word* own_visited) const;
  /// Collective along the grid row, but where `over_all_ranks` says that none is newly visited, or all are.
  /// False where none is.
  /// @param visited_cols    vertices of the grid column
  /// @param over_all_ranks  how many hubs are visited, the sum of count_own(), where it is known
  bool tell(const Word* visited_cols, std::optional<std::int64_t> over_all_ranks);

 private:
  /// How the hubs of a grid column travel.
  enum class Form { bits, list_of_new, list_of_unvisited };

  std::span<Word> piece(std::size_t col);
  void set_all();
  Form pack_own();
  void unpack(std::size_t col, Form form, std::span<const std::byte> bytes);
  void exchange();

  const Hubs& hubs_;
  const Communicator& row_comm_;
  std::size_t own_col_;
  CollectHubBits collect_;
  LargeArray<Word> visited_;
  std::int64_t num_visited_ = 0;
  std::vector<Word> own_now_;           // of the own grid column, as they are now
  std::vector<std::uint32_t> numbers_;  // of a list, counted from the first hub of its grid column
  std::vector<std::byte> packed_;       // the own list
  FormedPieces<Form> pieces_;           // those of the grid row
};

}  // namespace isobath
