// SPDX-License-Identifier: Apache-2.0
#pragma once

// What emit of one column and of several share, for files compiled with the flags of these instructions.

#include <immintrin.h>

#include <cstddef>
#include <cstdint>

#include "sssp/emit_paths.hpp"

namespace isobath {

/// The next member of every stream, as a position in what the stream is read from.
using Next = std::size_t[num_streams];

/// Calls emit(v, mask, next) for every 16 originals of the blocks, v the first of them; it moves `next` on.
/// The last block, where it is not whole, goes the plain way.
template <class EmitGroup>
inline void for_each_group(const PathsToEmit& found, std::int64_t first_block, std::int64_t end_block,
                           EmitGroup emit) {
  constexpr std::int64_t lanes = 16;
  const Numbering& numbering = found.graph.numbering;
  for (std::int64_t block = first_block; block < end_block; ++block) {
    if ((block + 1) * emit_block > numbering.num_originals) {
      emit_paths_portable(found, block, end_block);
      break;
    }
    Next next;
    for (std::size_t s = 0; s < num_streams; ++s) {
      next[s] = numbering.first[static_cast<std::size_t>(block) * num_streams + s];
      if (s != leaf_stream) next[s] += numbering.class_start[s + 1];
    }
    const std::uint16_t* mask =
        numbering.mask.data() + block * (emit_block / mask_vertices) * static_cast<std::int64_t>(num_streams);
    for (std::int64_t v = block * emit_block; v < (block + 1) * emit_block; v += lanes, mask += num_streams) {
      emit(v, mask, next);
    }
  }
  _mm_sfence();
}

}  // namespace isobath
