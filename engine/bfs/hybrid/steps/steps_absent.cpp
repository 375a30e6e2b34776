// SPDX-License-Identifier: Apache-2.0
// In the place of *_avx512.cpp on other processors, where they are never chosen.
#include "bfs/hybrid/steps/bottom_up.hpp"
#include "bfs/hybrid/steps/find_by_hubs.hpp"
#include "bfs/hybrid/steps/hub_bits.hpp"
#include "bfs/hybrid/steps/unproposed_rows.hpp"

namespace isobath {

LevelCounts bottom_up_avx512(const BottomUpRange& range) { return bottom_up_portable(range); }

LevelCounts bottom_up_few_avx512(const BottomUpRange& range) { return bottom_up_few_portable(range); }

LevelCounts ask_rows_avx512(const AskedRows& asked) { return ask_rows_portable(asked); }

LevelCounts find_by_hubs_avx512(const HubPassRange& range) { return find_by_hubs_portable(range); }

void collect_hub_bits_avx512(std::span<const HubWord> hubs, const Word* visited, Word* out) {
  collect_hub_bits_portable(hubs, visited, out);
}

std::size_t unproposed_rows_avx512(std::span<const std::uint32_t> rows, const Word* proposed,
                                   std::uint32_t* out) {
  return unproposed_rows_portable(rows, proposed, out);
}

}  // namespace isobath
