// SPDX-License-Identifier: Apache-2.0
#include "apps/progress_lines.hpp"

#include "apps/say.hpp"

namespace isobath {

void ProgressLines::generated(double seconds) {
  if (is_verbose_) say("{:<32}{:f} s", "graph_generation:", seconds);
}

void ProgressLines::constructed(double seconds) {
  if (is_verbose_) say("{:<32}{:f} s", "construction_time:", seconds);
}

void ProgressLines::construction_is_wrong(const char* sentence) {
  if (is_speaker_) say("isobath: construction check failed: {}", sentence);
}

void ProgressLines::search_begins(int index) {
  if (is_verbose_) say("Running BFS {}", index);
}

void ProgressLines::search_ended(int index, double seconds, double teps) {
  if (!is_verbose_) return;
  say("Time for BFS {} is {:f}", index, seconds);
  say("TEPS for BFS {} is {:g}", index, teps);
}

void ProgressLines::validation_begins(int index) {
  if (is_verbose_) say("Validating BFS {}", index);
}

void ProgressLines::validated(int index, double seconds, const BfsValidation& outcome) {
  if (is_verbose_) say("Validate time for BFS {} is {:f}", index, seconds);
  if (is_speaker_ && !outcome.passed()) {
    say("isobath: validation failed for BFS {}: {}", index, outcome.first_violation());
  }
}

}  // namespace isobath
