// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "apps/output_file.hpp"
#include "generator/kronecker.hpp"

namespace isobath {

/// Writes edges first .. first + count - 1 in index order: two little-endian int64 each to `edges`, one
/// float32 each to `weights`; either may be null. All threads generate while one of them writes; memory is
/// bounded by some 4 MB a thread, whatever the count.
/// @throws EnvironmentError where a file cannot be written
void write_edges(const KroneckerGenerator& generator, std::int64_t first, std::int64_t count,
                 OutputFile* edges, OutputFile* weights);

}  // namespace isobath
