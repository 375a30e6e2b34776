// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "graph500/statistics.hpp"

namespace isobath {

/// What one search contributes to the official output.
struct OfficialSearch {
  double seconds = 0;
  std::int64_t traversed_edges = 0;                  // self-loops not counted
  std::int64_t traversed_edges_with_self_loops = 0;  // counted
  std::optional<double> validation_seconds;          // absent where it was not validated
};

/// The two ways of counting traversed edges (ADR 0006): the reference program leaves self-loops out, the text
/// of the specification counts them.
enum class SelfLoops { left_out, counted };

/// The numbers of one kernel's searches.
struct KernelNumbers {
  Statistics seconds;
  Statistics traversed_edges;
  RateStatistics teps;
  Statistics validation_seconds;  // of -1, as the reference prints it, where a search was not validated
};

/// The numbers of the official output. A kernel that was not run has none.
struct OfficialNumbers {
  int scale = 0;
  int edgefactor = 0;
  int searches = 0;
  int ranks = 0;
  double generation_seconds = 0;
  double construction_seconds = 0;  // of all kernels
  std::optional<KernelNumbers> bfs;
  std::optional<KernelNumbers> sssp;
};

/// Statistics of `searches` (not empty) of one kernel.
KernelNumbers kernel_numbers(std::span<const OfficialSearch> searches, SelfLoops loops);

/// What the reference 3.0 prints on standard output, byte for byte: labels, order and column. Edges are
/// printed once, without the name of a kernel; the reference's are those of its last kernel, which searched
/// from the same roots. Its headline values come after a stray "!"; `bang` false leaves that out.
std::string reference_text(const OfficialNumbers& numbers, bool bang = true);

/// What the reference prints instead when a validation failed.
std::string invalid_run_text();

/// The names of the specification (the form of its octave/output.m), one value with all its digits in each
/// line, then the disclosures, each a comment of one line.
std::string specification_text(const OfficialNumbers& numbers, const std::vector<std::string>& disclosures);

}  // namespace isobath
