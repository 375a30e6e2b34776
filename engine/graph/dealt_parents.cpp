// SPDX-License-Identifier: Apache-2.0
#include "graph/dealt_parents.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>

#include "graph/emit_kernels.hpp"

namespace isobath {
namespace {

/// Ranges are at least this wide, 32 KiB of parents, and wider where there would be too many of them.
constexpr int least_shift = 13;
constexpr std::int64_t max_ranges = 2048;

int shift_for(std::int64_t num_originals) {
  int shift = least_shift;
  while ((num_originals >> shift) > max_ranges) ++shift;
  return shift;
}

}  // namespace

DealtParents::DealtParents(const Numbering& numbering, int threads)
    : num_originals_(numbering.num_originals),
      shift_(shift_for(num_originals_)),
      num_ranges_(static_cast<std::size_t>((num_originals_ + (std::int64_t{1} << shift_) - 1) >> shift_)),
      more_(numbering.searched() / Chunk::room + 1) {
  for (int t = 0; t < threads; ++t) {
    scratch_.push_back({LargeArray<Chunk>(num_ranges_), LargeArray<Entry*>(num_ranges_),
                        LargeArray<std::int32_t>(std::size_t{1} << shift_)});
  }
}

void DealtParents::clear() {
  taken_ = 0;
  for (Scratch& scratch : scratch_) {
    for (std::size_t range = 0; range < num_ranges_; ++range)
      scratch.next[range] = scratch.first[range].entry;
  }
}

/// The chunk that an entry, or the end of the last, is in.
const DealtParents::Chunk* DealtParents::chunk_of(const Entry* at) {
  const auto address = reinterpret_cast<std::uintptr_t>(at);
  return reinterpret_cast<const Chunk*>(address - address % sizeof(Chunk));
}

/// Where the next entry goes after a chunk that is full.
DealtParents::Entry* DealtParents::continued(Entry* end) {
  Chunk& chunk = more_[std::atomic_ref(taken_).fetch_add(1, std::memory_order_relaxed)];
  chunk.before = reinterpret_cast<const Chunk*>(end - Chunk::room);
  return chunk.entry;
}

/// @param next  of every range: where its next entry goes
inline void DealtParents::add(Entry** next, Entry entry) {
  Entry*& at = next[entry.original >> shift_];
  *at++ = entry;
  if (reinterpret_cast<std::uintptr_t>(at) % sizeof(Chunk) == Chunk::room * sizeof(Entry)) at = continued(at);
}

void DealtParents::deal(const FoundOneColumn& found, InstructionSet set, std::size_t first_word,
                        std::size_t end_word, int thread) {
  const CollectOthers collect = collect_others(set);
  const std::uint32_t* const original_of_col = found.graph.column_original.narrow().data();
  Entry** const next = scratch_[static_cast<std::size_t>(thread)].next.data();
  OtherParents others;
  constexpr std::size_t at_once = emit_block;
  const std::size_t end = std::min<std::size_t>(end_word * word_bits, found.graph.numbering.searched());
  for (std::size_t first = first_word * word_bits; first < end; first += at_once) {
    others.count = 0;
    collect(found, first, std::min(first + at_once, end), others);
    for (std::size_t i = 0; i < others.count; ++i) {
      add(next, {others.original[i], static_cast<std::int32_t>(original_of_col[others.col[i]])});
    }
  }
}

void DealtParents::deal(const Graph& graph, std::span<const FoundParent> listed, int thread) {
  Entry** const next = scratch_[static_cast<std::size_t>(thread)].next.data();
  const LargeArray<std::uint32_t>& original = graph.numbering.original;
  constexpr std::size_t ahead = 16;
  for (std::size_t i = 0; i < listed.size(); ++i) {
    if (i + ahead < listed.size()) {  // vertices and hubs stand in no order
      const FoundParent later = listed[i + ahead];
      __builtin_prefetch(&original[later.own]);
      if (later.is_hub()) __builtin_prefetch(&graph.hubs.original[later.hub()]);
    }
    add(next, {original[listed[i].own], listed[i].original(graph.hubs)});
  }
}

void DealtParents::write(const LikelyParents& likely, InstructionSet set, std::size_t range,
                         GlobalVertex* out, int thread) {
  const std::int64_t first = static_cast<std::int64_t>(range) << shift_;
  const std::int64_t count = std::min(num_originals_ - first, std::int64_t{1} << shift_);
  std::int32_t* const parents = scratch_[static_cast<std::size_t>(thread)].parents.data();
  for (std::int64_t i = 0; i < count; i += emit_block) copy_block(likely.of.data() + first + i, parents + i);
  const std::uint32_t inside = (std::uint32_t{1} << shift_) - 1;
  for (const Scratch& scratch : scratch_) {
    const Entry* end = scratch.next[range];
    const Chunk* chunk = chunk_of(end);
    while (chunk != nullptr) {
      for (const Entry* at = chunk->entry; at < end; ++at) parents[at->original & inside] = at->parent;
      chunk = chunk->before;
      if (chunk != nullptr) end = chunk->entry + Chunk::room;
    }
  }
  widen_parents(set)(parents, count, out + first);
  std::atomic_thread_fence(std::memory_order_seq_cst);  // what went past the caches is seen by other threads
}

}  // namespace isobath
