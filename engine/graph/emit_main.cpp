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

/// Calls visit(begin, end) for ranges of working numbers that are all vertices of block `b` but its leaves.
template <class Visit>
void for_each_range(const Numbering& numbering, const LikelyParents& likely, std::int64_t b, Visit&& visit) {
  const std::uint32_t* const before = numbering.first.data() + b * static_cast<std::int64_t>(num_streams);
  const bool is_last = b + 1 == numbering.num_emit_blocks();
  for (std::size_t s = 0; s < leaf_stream; ++s) {
    const std::uint32_t start = numbering.class_start[s + 1];
    const std::uint32_t end = is_last ? numbering.class_start[s + 2] : start + before[num_streams + s];
    visit(start + before[s], end);
  }
  const auto at = static_cast<std::size_t>(b);
  for (std::uint32_t h = likely.heavy_before[at]; h < likely.heavy_before[at + 1]; ++h) {
    visit(likely.heavy[h], likely.heavy[h] + std::size_t{1});
  }
}

/// All vertices of block `b` whose parent is not the likely one.
void collect_block(const FoundOneColumn& found, const LikelyParents& likely, std::int64_t b,
                   CollectOthers collect, OtherParents& others) {
  others.count = 0;
  for_each_range(found.graph.numbering, likely, b, [&](std::size_t begin, std::size_t end) {
    if (end == begin + 1) return collect_others_portable(found, begin, end, others);
    collect(found, begin, end, others);
  });
}

}  // namespace

void emit_main_component(const FoundOneColumn& found, const LikelyParents& likely, InstructionSet set,
                         std::int64_t first_block, std::int64_t end_block, GlobalVertex* out) {
  const Graph& graph = found.graph;
  const CollectOthers collect = collect_others(set);
  const WidenParents widen = widen_parents(set);
  const std::uint32_t* const original_of_col = graph.column_original.narrow().data();
  alignas(64) std::int32_t parents[emit_block];
  OtherParents others;
  for (std::int64_t b = first_block; b < end_block; ++b) {
    const std::int64_t first = b * emit_block;
    copy_block(likely.of.data() + first, parents);
    collect_block(found, likely, b, collect, others);
    for (std::size_t i = 0; i < others.count; ++i) {
      parents[others.original[i] - first] = static_cast<std::int32_t>(original_of_col[others.col[i]]);
    }
    widen(parents, std::min(emit_block, graph.numbering.num_originals - first), out + first);
  }
  std::atomic_thread_fence(std::memory_order_seq_cst);  // what went past the caches is seen by other threads
}

void emit_main_component(const FoundSeveralColumns& found, const LikelyParents& likely, InstructionSet set,
                         std::int64_t first_block, std::int64_t end_block, GlobalVertex* out) {
  const Numbering& numbering = found.graph.numbering;
  const WidenParents widen = widen_parents(set);
  alignas(64) std::int32_t parents[emit_block];
  for (std::int64_t b = first_block; b < end_block; ++b) {
    const std::int64_t first = b * emit_block;
    copy_block(likely.of.data() + first, parents);
    for_each_range(numbering, likely, b, [&](std::size_t begin, std::size_t end) {
      for (std::size_t w = begin / word_bits; w * word_bits < end; ++w) {
        Word others = found.visited[w] & ~found.by_first_hub[w] & bits_inside(w, begin, end);
        for (; others != 0; others &= others - 1) {
          const std::size_t working = w * word_bits + static_cast<std::size_t>(std::countr_zero(others));
          parents[numbering.original[working] - first] = static_cast<std::int32_t>(found.parent[working]);
        }
      }
    });
    widen(parents, std::min(emit_block, numbering.num_originals - first), out + first);
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

void collect_others_portable(const FoundOneColumn& found, std::size_t begin, std::size_t end,
                             OtherParents& others) {
  for (std::size_t w = begin / word_bits; w * word_bits < end; ++w) {
    Word members = found.visited[w] & ~found.by_first_neighbour[w] & bits_inside(w, begin, end);
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
