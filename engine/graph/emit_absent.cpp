// SPDX-License-Identifier: Apache-2.0
// In the place of the vector versions on other processors, where they are never chosen.
#include "graph/emit_kernels.hpp"

namespace isobath {

void collect_others_avx512(const FoundOneColumn& found, std::size_t begin, std::size_t end,
                           OtherParents& others) {
  collect_others_portable(found, begin, end, others);
}
void widen_parents_avx2(const std::int32_t* parents, std::int64_t count, GlobalVertex* out) {
  widen_parents_portable(parents, count, out);
}
void widen_parents_avx512(const std::int32_t* parents, std::int64_t count, GlobalVertex* out) {
  widen_parents_portable(parents, count, out);
}

}  // namespace isobath
