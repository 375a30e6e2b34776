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

void ProgressLines::search_begins(Kernel kernel, int index) {
  if (is_verbose_) say("Running {} {}", title_of(kernel), index);
}

void ProgressLines::search_ended(Kernel kernel, int index, double seconds, double teps) {
  if (!is_verbose_) return;
  say("Time for {} {} is {:f}", title_of(kernel), index, seconds);
  say("TEPS for {} {} is {:g}", title_of(kernel), index, teps);
}

void ProgressLines::validation_begins(Kernel kernel, int index) {
  if (is_verbose_) say("Validating {} {}", title_of(kernel), index);
}

void ProgressLines::validated(Kernel kernel, int index, double seconds, const std::string& violation) {
  if (is_verbose_) say("Validate time for {} {} is {:f}", title_of(kernel), index, seconds);
  if (is_speaker_ && !violation.empty()) {
    say("isobath: validation failed for {} {}: {}", title_of(kernel), index, violation);
  }
}

}  // namespace isobath
