// SPDX-License-Identifier: Apache-2.0
// In the place of emit_avx512.cpp on other processors, where it is never chosen.
#include "graph/emit_parents.hpp"

namespace isobath {

void emit_blocks_avx512(const FoundHere& found, std::int64_t first_block, std::int64_t end_block,
                        GlobalVertex* out) {
  emit_blocks_portable(found, first_block, end_block, out);
}

}  // namespace isobath
