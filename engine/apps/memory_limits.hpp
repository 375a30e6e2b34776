// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace isobath {

/// What all threads together get from an array of so many bytes, in one second: the best of some passes,
/// since what others do on the machine only ever takes away.
struct MemoryRates {
  std::size_t bytes = 0;
  double read_bytes = 0;    // in order
  double write_bytes = 0;   // in order, past the caches where the C library thinks that better
  double random_reads = 0;  // of 4 bytes, at addresses that do not depend on each other
};

/// The sizes that are measured by default: of second-level caches, of a third-level cache, of memory.
inline constexpr std::size_t measured_sizes[] = {std::size_t{1} << 20, std::size_t{1} << 24,
                                                 std::size_t{1} << 28};

/// Measures with as many threads as OpenMP gives, for about `seconds` each of the three rates.
/// @param bytes    a power of two, at least 4096
/// @throws EnvironmentError when the system refuses the memory
MemoryRates measure_memory(std::size_t bytes, double seconds);

/// One JSON object: threads, and `rates` with an object for each size.
std::string json_of(int threads, const std::vector<MemoryRates>& rates);

}  // namespace isobath
