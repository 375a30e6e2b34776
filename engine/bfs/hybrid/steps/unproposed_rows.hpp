// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/bitmap.hpp"
#include "base/instruction_set.hpp"

namespace isobath {

/// Rows behind the last that may be written, too.
inline constexpr std::size_t unproposed_spill = 16;

/// Writes those of `rows` that have no bit in `proposed` to `out`, in their order, without a branch on what
/// nobody foresees; portable and vectorised ones do the same. Returns how many. No MPI, one thread.
/// @param out  room for all rows, and unproposed_spill more
using UnproposedRows = std::size_t (*)(std::span<const std::uint32_t> rows, const Word* proposed,
                                       std::uint32_t* out);
UnproposedRows unproposed_rows_step(InstructionSet set);
std::size_t unproposed_rows_portable(std::span<const std::uint32_t> rows, const Word* proposed,
                                     std::uint32_t* out);
std::size_t unproposed_rows_avx512(std::span<const std::uint32_t> rows, const Word* proposed,
                                   std::uint32_t* out);

}  // namespace isobath
