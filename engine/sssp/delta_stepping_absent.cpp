// SPDX-License-Identifier: Apache-2.0
// In the place of the vector kernels on other processors, where they are never chosen.
#include "sssp/emit_paths.hpp"
#include "sssp/sweep.hpp"

namespace isobath {

SweepCounts sweep_avx512(const SweepTask& task, std::size_t first, std::size_t end) {
  return sweep_portable(task, first, end);
}

void emit_paths_avx512(const PathsToEmit& found, std::int64_t first_block, std::int64_t end_block) {
  emit_paths_portable(found, first_block, end_block);
}

void emit_told_paths_avx512(const PathsToEmit& found, std::int64_t first_block, std::int64_t end_block) {
  emit_paths_portable(found, first_block, end_block);
}

}  // namespace isobath
