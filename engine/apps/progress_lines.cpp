// SPDX-License-Identifier: Apache-2.0
#include "apps/progress_lines.hpp"

#include <fmt/format.h>

#include <cstdio>

namespace isobath {

void ProgressLines::generated(double seconds) {
  if (is_verbose_) fmt::print(stderr, "{:<32}{:f} s\n", "graph_generation:", seconds);
}

void ProgressLines::constructed(double seconds) {
  if (is_verbose_) fmt::print(stderr, "{:<32}{:f} s\n", "construction_time:", seconds);
}

void ProgressLines::construction_is_wrong(const char* sentence) {
  if (is_speaker_) fmt::print(stderr, "isobath: construction check failed: {}\n", sentence);
}

void ProgressLines::search_begins(int index) {
  if (is_verbose_) fmt::print(stderr, "Running BFS {}\n", index);
}

void ProgressLines::search_ended(int index, double seconds, double teps) {
  if (!is_verbose_) return;
  fmt::print(stderr, "Time for BFS {} is {:f}\n", index, seconds);
  fmt::print(stderr, "TEPS for BFS {} is {:g}\n", index, teps);
}

void ProgressLines::validation_begins(int index) {
  if (is_verbose_) fmt::print(stderr, "Validating BFS {}\n", index);
}

void ProgressLines::validated(int index, double seconds, const BfsValidation& outcome) {
  if (is_verbose_) fmt::print(stderr, "Validate time for BFS {} is {:f}\n", index, seconds);
  if (is_speaker_ && !outcome.passed()) {
    fmt::print(stderr, "isobath: validation failed for BFS {}: {}\n", index, outcome.first_violation());
  }
}

}  // namespace isobath
