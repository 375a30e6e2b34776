// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace isobath {

/// What is searched for: kernel 2 or kernel 3 of the benchmark.
enum class Kernel { bfs, sssp };

/// As in records.
constexpr std::string_view name_of(Kernel kernel) { return kernel == Kernel::bfs ? "bfs" : "sssp"; }
/// As the reference program writes it.
constexpr std::string_view title_of(Kernel kernel) { return kernel == Kernel::bfs ? "BFS" : "SSSP"; }

/// Does a search find distances beside parents?
constexpr bool has_distances(Kernel kernel) { return kernel == Kernel::sssp; }

/// Which of them a run searches with.
struct Kernels {
  bool bfs = true;
  bool sssp = false;
};
constexpr std::string_view name_of(Kernels kernels) {
  if (kernels.bfs && kernels.sssp) return "both";
  return kernels.sssp ? "sssp" : "bfs";
}

}  // namespace isobath
