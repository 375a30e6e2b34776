// SPDX-License-Identifier: Apache-2.0
// Emit after a search of the main component. All its vertices are reached, so that most parents are known
// before the search begins; what is left to do runs at the speed of the stores. A block of likely parents is
// copied into a buffer in the first-level cache, the parents that the search found otherwise replace theirs
// there, and the block leaves widened, as whole cache lines past the caches.
#include <algorithm>
#include <atomic>
#include <bit>
#include <cstring>

#include "graph/emit_kernels.hpp"

namespace isobath {
namespace {

/// All vertices of block `b` whose parent is not the likely one.
void collect_block(const FoundHere& found, const LikelyParents& likely, std::int64_t b, CollectOthers collect,
                   OtherParents& others) {
  const Numbering& numbering = found.graph.numbering;
  others.count = 0;
  const std::uint32_t* const before = numbering.first.data() + b * static_cast<std::int64_t>(num_streams);
  const bool is_last = b + 1 == numbering.num_emit_blocks();
  for (std::size_t s = 0; s < leaf_stream; ++s) {
    const std::uint32_t start = numbering.class_start[s + 1];
    const std::uint32_t end = is_last ? numbering.class_start[s + 2] : start + before[num_streams + s];
    collect(found, start + before[s], end, others);
  }
  const auto at = static_cast<std::size_t>(b);
  for (std::uint32_t h = likely.hubs_before[at]; h < likely.hubs_before[at + 1]; ++h) {
    collect_others_portable(found, likely.hubs[h], likely.hubs[h] + std::size_t{1}, others);
  }
}

}  // namespace

void emit_main_component(const FoundHere& found, const LikelyParents& likely, InstructionSet set,
                         std::int64_t first_block, std::int64_t end_block, GlobalVertex* out) {
  const Graph& graph = found.graph;
  const CollectOthers collect = collect_others(set);
  const WidenParents widen = widen_parents(set);
  alignas(64) std::int32_t parents[emit_block];
  OtherParents others;
  for (std::int64_t b = first_block; b < end_block; ++b) {
    const std::int64_t first = b * emit_block;
    copy_block(likely.of.data() + first, parents);
    collect_block(found, likely, b, collect, others);
    for (std::size_t i = 0; i < others.count; ++i) {
      parents[others.original[i] - first] = static_cast<std::int32_t>(graph.column_original[others.col[i]]);
    }
    widen(parents, std::min(emit_block, graph.numbering.num_originals - first), out + first);
  }
  std::atomic_thread_fence(std::memory_order_seq_cst);  // what went past the caches is seen by other threads
}

CollectOthers collect_others(InstructionSet set) {
  return set == InstructionSet::avx512 ? collect_others_avx512 : collect_others_portable;
}

WidenParents widen_parents(InstructionSet set) {
  switch (set) {
    case InstructionSet::avx512:
      return widen_parents_avx512;
    case InstructionSet::avx2:
      return widen_parents_avx2;
    case InstructionSet::portable:
      break;
  }
  return widen_parents_portable;
}

void copy_block(const std::int32_t* from, std::int32_t* to) {
  constexpr std::int64_t line = 16;
  for (std::int64_t i = 0; i < emit_block; i += line) {
    __builtin_prefetch(from + emit_block + i);
    std::memcpy(to + i, from + i, line * sizeof *from);
  }
}

void collect_others_portable(const FoundHere& found, std::size_t begin, std::size_t end,
                             OtherParents& others) {
  for (std::size_t w = begin / word_bits; w * word_bits < end; ++w) {
    Word members = found.visited[w] & ~found.first_found[w] & bits_inside(w, begin, end);
    for (; members != 0; members &= members - 1) {
      const std::size_t working = w * word_bits + static_cast<std::size_t>(std::countr_zero(members));
      others.original[others.count] = found.graph.numbering.original[working];
      others.col[others.count++] = found.parent_col[working];
    }
  }
}

void widen_parents_portable(const std::int32_t* parents, std::int64_t count, GlobalVertex* out) {
  for (std::int64_t i = 0; i < count; ++i) out[i] = GlobalVertex{parents[i]};
}

}  // namespace isobath
